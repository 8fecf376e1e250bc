import type { LogPosition } from "./log-file.ts";
import { isCount, isRecord, parseRecord } from "./parse-record.ts";
import type { KnownService } from "./service-restarts.ts";

/** How far logs were read and which processes were seen: what must survive a restart of the collector. */
export interface EventPositions {
  readonly bootId: string;
  readonly kmsgSequence: number | undefined;
  readonly journalCursor: string | undefined;
  readonly files: Readonly<Record<string, LogPosition>>;
  readonly services: Readonly<Record<string, KnownService>>;
  readonly counts: Readonly<Record<string, number>>;
}

/** Checks what was read back from disk; anything else starts anew. */
export function parseEventPositions(text: string): EventPositions | undefined {
  const value = parseRecord(text);
  if (typeof value?.bootId !== "string") return undefined;
  const { bootId, kmsgSequence, journalCursor, files, services, counts } = value;
  return {
    bootId,
    kmsgSequence: isCount(kmsgSequence) ? kmsgSequence : undefined,
    journalCursor: typeof journalCursor === "string" ? journalCursor : undefined,
    files: pick(
      files,
      (each): each is LogPosition => isRecord(each) && isCount(each.inode) && isCount(each.offset),
    ),
    services: pick(
      services,
      (each): each is KnownService => isRecord(each) && isCount(each.pid) && typeof each.ticks === "string",
    ),
    counts: pick(counts, isCount),
  };
}

function pick<T>(value: unknown, is: (each: unknown) => each is T): Record<string, T> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, T] => is(entry[1])));
}
