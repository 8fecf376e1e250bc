import {
  assembleScrapes,
  CONTAINERS_HOLD_MS,
  type NodeScrapes,
} from "#lib/domain/prometheus/assemble-scrapes.ts";
import { countersOfScrape } from "#lib/domain/prometheus/build-snapshot.ts";
import type { StartedTotal } from "#lib/domain/prometheus/container-counts.ts";
import { takePossible } from "#lib/domain/prometheus/impossible-values.ts";
import { snapshotSchema, type Snapshot } from "#lib/domain/snapshot/schema.ts";
import { findOrCreateNodes, identityKey } from "#lib/server/data/identities.ts";
import {
  deleteParts,
  deletePartsBefore,
  listOwnReporters,
  listPartsBeside,
  listScrapeCounts,
  listSettledParts,
  saveScrapeCounts,
  type ScrapeCount,
  type StoredPart,
} from "#lib/server/data/scrape-parts.ts";
import { SNAPSHOT_COLUMN_SOURCES } from "#lib/server/data/snapshot-columns.ts";
import { amendSnapshots } from "#lib/server/data/snapshots.ts";
import { logger } from "#lib/server/log.ts";
import type { Context } from "./context.ts";
import { snapshotWriter, type Arrival } from "./snapshot-writer.ts";

/** Requests that bring the rest of a scrape come within seconds of each other. */
export const SETTLED_AFTER_MS = 10_000;
/** Late parts are looked at this long; their snapshot is there, or comes with the rest. */
const LATE_FOR_MS = 5 * 60_000;
const FORGOTTEN_AFTER_MS = 3_600_000;
const PARTS_AT_ONCE = 500;
/** A node that its own collector reports is not reported by remote write too. */
const OWN_HOLDS_MS = 10 * 60_000;

/** What was done with the moments that had settled. */
export interface SettleReceipt {
  readonly snapshots: number;
  /** Snapshots to which counters were added that had come late. */
  readonly amended: number;
  /** Moments left out because the node's own collector reports. */
  readonly ownCollector: number;
  /** Moments of which nothing could be made within an hour. */
  readonly forgotten: number;
  /** Values left out because no kernel can have them. */
  readonly impossible: number;
  /** Moments refused: a value that they need cannot be, or what was made of them is no snapshot. */
  readonly refused: number;
  /** There is more to do at once. */
  readonly more: boolean;
}

/**
 * Makes snapshots of what remote write has delivered, once nothing more has come of a moment for ten seconds. Parts are taken
 * away when their snapshot is durable, and only as they were read; whatever breaks in between is done again.
 * Several processes at once do no harm.
 */
export async function settleScrapes({ ctx }: { ctx: Context }): Promise<SettleReceipt> {
  const { db } = ctx;
  const nowMs = ctx.now();
  const settledMs = nowMs - SETTLED_AFTER_MS;
  const due = await listSettledParts(db, {
    ...{ settledMs, sinceMs: 0, isWhole: true },
    limit: PARTS_AT_ONCE,
  });
  const own = due.length === 0 ? new Set<string>() : await listOwnReporters(db, nowMs - OWN_HOLDS_MS);
  const isOwn = (part: StoredPart) => own.has(`${part.clusterId} ${part.node}`);
  const mine = due.filter((part) => !isOwn(part));
  const { arrivals, counts, impossible, refused } = await assemble(ctx, mine);
  const outcomes = await snapshotWriter(db).write(arrivals);
  // What is there already may have been made of less.
  await amend(
    ctx,
    mine.filter(({ clusterId, node, atMs }) =>
      arrivals.some(
        (each, index) =>
          outcomes[index] === "duplicate" &&
          each.clusterId === clusterId &&
          each.name === node &&
          each.snapshot.at === atMs,
      ),
    ),
  );
  await saveScrapeCounts(db, counts);
  const used = new Set(arrivals.map((each) => momentKey(each.clusterId, each.name, each.snapshot.at)));
  const isUsed = (part: StoredPart) => used.has(momentKey(part.clusterId, part.node, part.atMs));
  // What still lacks something after a while must not stand in the way of the rest.
  const isRefused = (part: StoredPart) => refused.has(momentKey(part.clusterId, part.node, part.atMs));
  const isHopeless = (part: StoredPart) =>
    !isUsed(part) && !isRefused(part) && part.atMs < nowMs - LATE_FOR_MS;
  await deleteParts(
    db,
    due.filter((part) => isOwn(part) || isUsed(part) || isRefused(part) || isHopeless(part)),
  );
  const late = await listSettledParts(db, {
    ...{ settledMs, sinceMs: settledMs - LATE_FOR_MS, isWhole: false, limit: PARTS_AT_ONCE },
  });
  const amended = await amend(
    ctx,
    late.filter(({ fields }) =>
      Object.keys(fields).some((field) => /^(?:meminfo|vmstat|stat|cgroups) /.test(field)),
    ),
  );
  await deleteParts(db, amended);
  const forgotten = await deletePartsBefore(db, nowMs - FORGOTTEN_AFTER_MS);
  return {
    snapshots: outcomes.filter((outcome) => outcome === "accepted").length,
    amended: amended.length,
    ownCollector: due.length - mine.length,
    forgotten: forgotten + mine.filter(isHopeless).length,
    impossible,
    refused: refused.size,
    more: due.length === PARTS_AT_ONCE,
  };
}

function momentKey(clusterId: number, node: string, atMs: number): string {
  return `${clusterId} ${node} ${atMs}`;
}

interface Assembled {
  readonly arrivals: Arrival[];
  readonly counts: ScrapeCount[];
  impossible: number;
  /** By `momentKey`. */
  readonly refused: Set<string>;
}

/** Moments of each cluster as snapshots, with the counts of containers that belong beside them. */
async function assemble(ctx: Context, due: readonly StoredPart[]): Promise<Assembled> {
  const made: Assembled = { arrivals: [], counts: [], impossible: 0, refused: new Set() };
  if (due.length === 0) return made;
  const clusterIds = [...new Set(due.map(({ clusterId }) => clusterId))];
  const times = due.map(({ atMs }) => atMs);
  const beside = await listPartsBeside(ctx.db, {
    clusterIds,
    fromMs: Math.min(...times) - CONTAINERS_HOLD_MS,
    toMs: Math.max(...times),
  });
  const known = await listScrapeCounts(ctx.db, clusterIds);
  for (const clusterId of clusterIds) {
    const before = new Map(
      known.filter((each) => each.clusterId === clusterId).map((each) => [each.node, each]),
    );
    const ofCluster = due.filter((part) => part.clusterId === clusterId);
    // A moment from before what is counted already would be counted again.
    const isBehind = ({ node, atMs }: StoredPart) => atMs <= (before.get(node)?.atMs ?? -Infinity);
    const current = ofCluster.filter((part) => !isBehind(part));
    const started = new Map<string, StartedTotal>([...before].map(([node, count]) => [node, count.started]));
    const told = beside.filter((part) => part.clusterId === clusterId);
    const all = assembleScrapes({ nodes: byNode([...current, ...told]) }, EVERYTHING, started);
    const behind = assembleScrapes({ nodes: byNode(ofCluster.filter(isBehind)) }, EVERYTHING, new Map());
    for (const { node, atMs, fields, isLost } of [...all.impossible, ...behind.impossible]) {
      made.impossible += fields.length;
      if (isLost) made.refused.add(momentKey(clusterId, node, atMs));
      logger("remote write").warn({ clusterId, node, atMs, fields, isLost }, "impossible values left out");
    }
    for (const each of [...all.snapshots, ...behind.snapshots]) {
      const parsed = snapshotSchema.safeParse(each);
      if (parsed.success) {
        made.arrivals.push(arrivalOf(clusterId, parsed.data, ctx.now()));
        continue;
      }
      const { node, at } = each;
      made.refused.add(momentKey(clusterId, node, Number(at)));
      const faults = parsed.error.issues.slice(0, 5).map(({ path, message }) => [path.join("."), message]);
      logger("remote write").warn({ clusterId, node, atMs: at, faults }, "a scrape gives no valid snapshot");
    }
    for (const [node, total] of all.started) {
      const atMs = Math.max(...current.filter((part) => part.node === node).map((part) => part.atMs));
      if (Number.isFinite(atMs)) made.counts.push({ clusterId, node, atMs, started: total });
    }
  }
  return made;
}

const EVERYTHING = { fromMs: 0, toMs: Infinity };

function arrivalOf(clusterId: number, snapshot: Snapshot, receivedAtMs: number): Arrival {
  return { clusterId, name: snapshot.node, snapshot, receivedAtMs };
}

function byNode(parts: readonly StoredPart[]): Map<string, NodeScrapes> {
  const nodes = new Map<string, NodeScrapes>();
  for (const { node, host, atMs, fields } of parts) {
    let scrapes = nodes.get(node);
    if (!scrapes) nodes.set(node, (scrapes = { hosts: new Set(), moments: new Map() }));
    if (host !== undefined) scrapes.hosts.add(host);
    scrapes.moments.set(atMs, fields);
  }
  return nodes;
}

/** Adds what parts hold to their snapshots. @returns the parts whose snapshot was there. */
async function amend(ctx: Context, parts: readonly StoredPart[]): Promise<StoredPart[]> {
  if (parts.length === 0) return [];
  const identities = new Map(
    parts.map((part) => {
      const identity = { clusterId: part.clusterId, name: part.node };
      return [identityKey(identity), { ...identity, firstSeenAtMs: part.atMs }];
    }),
  );
  const nodes = await findOrCreateNodes(ctx.db, [...identities.values()]);
  const rows = parts.map(({ clusterId, node, atMs, fields }) => {
    const counters = countersOfScrape(takePossible(fields, atMs).fields) as Snapshot;
    return {
      nodeId: nodes.get(identityKey({ clusterId, name: node }))?.nodeId ?? 0,
      atMs,
      bootRef: 0,
      marksBucket: true,
      values: SNAPSHOT_COLUMN_SOURCES.map(({ read }) => {
        const value = read(counters);
        return Number.isFinite(value) ? value : undefined;
      }),
    };
  });
  const found = await amendSnapshots(ctx.db, rows);
  return found.flatMap((index) => parts[index] ?? []);
}
