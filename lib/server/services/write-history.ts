import type { Snapshot } from "#lib/domain/snapshot/schema.ts";
import type { Database } from "#lib/server/data/client.ts";
import type { NodeIdentity } from "#lib/server/data/identities.ts";
import { snapshotWriter } from "./snapshot-writer.ts";

/** Snapshots stored in one transaction. */
const ROWS_AT_ONCE = 500;

/** A made-up history and how far it was told. */
export interface ToldHistory extends NodeIdentity {
  readonly history: Iterator<Snapshot, unknown>;
  /** Made and not stored yet. */
  ahead: Snapshot | undefined;
}

/** Begins a history at its first snapshot after `afterMs`. */
export function tellFrom(
  node: NodeIdentity,
  history: Iterator<Snapshot, unknown>,
  afterMs: number,
): ToldHistory {
  const told: ToldHistory = { ...node, history, ahead: undefined };
  do told.ahead = nextOf(history);
  while (told.ahead !== undefined && told.ahead.at <= afterMs);
  return told;
}

/**
 * Stores what a history says up to a moment, as if each snapshot had arrived at its own time. What is stored already stays.
 * @returns how many snapshots were handed on.
 */
export async function writeHistory(db: Database, told: ToldHistory, untilMs: number): Promise<number> {
  const { clusterId, name } = told;
  let written = 0;
  for (;;) {
    const snapshots: Snapshot[] = [];
    while (snapshots.length < ROWS_AT_ONCE && told.ahead !== undefined && told.ahead.at <= untilMs) {
      snapshots.push(told.ahead);
      told.ahead = nextOf(told.history);
    }
    if (snapshots.length === 0) return written;
    await snapshotWriter(db).write(
      snapshots.map((snapshot) => ({ clusterId, name, snapshot, receivedAtMs: snapshot.at })),
    );
    written += snapshots.length;
  }
}

function nextOf(history: Iterator<Snapshot, unknown>): Snapshot | undefined {
  const { done, value } = history.next();
  return done === true ? undefined : value;
}
