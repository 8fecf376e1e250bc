import { isDerivedBootId } from "#lib/domain/prometheus/boot-identity.ts";
import { blindSourcesOf } from "#lib/domain/snapshot/blind-sources.ts";
import type { Snapshot } from "#lib/domain/snapshot/schema.ts";
import { SNAPSHOT_LIMITS } from "#lib/domain/snapshot/schema.ts";
import { AppError } from "#lib/errors.ts";
import { config } from "#lib/server/config.ts";
import type { Database } from "#lib/server/data/client.ts";
import {
  resolveCounterNames,
  resolvePaths,
  resolveSlabCaches,
  slabCacheKey,
} from "#lib/server/data/dictionaries.ts";
import {
  BOOTS_KEPT_IN_MIND,
  createBoot,
  findBootNear,
  findOrCreateNodes,
  identityKey,
  readLatestBoots,
  recordRevision,
  type KnownBoot,
  type KnownRevision,
  type NodeIdentity,
} from "#lib/server/data/identities.ts";
import type { MachineMark } from "#lib/server/data/machine-marks.ts";
import type { StoredNewest } from "#lib/server/data/newest-states.ts";
import { readLastMoment } from "#lib/server/data/nodes.ts";
import { SNAPSHOT_COLUMN_SOURCES } from "#lib/server/data/snapshot-columns.ts";
import {
  insertHistory,
  insertSnapshots,
  type BootExtent,
  type CounterArrays,
  type ExtraRow,
  type SnapshotRow,
} from "#lib/server/data/snapshots.ts";
import { storableJson } from "#lib/server/data/storable-json.ts";
import { databaseAway, errorCode } from "#lib/server/data/transaction.ts";
import { isDatabaseAway } from "#lib/server/database-away.ts";
import { nextExtra, type ExtraChain, type ExtraStep } from "./extra-chain.ts";
import {
  bootOf,
  conflictMark,
  eventMarks,
  findConflict,
  findSameBoot,
  isSuperseded,
  nextRevision,
  rebootMarks,
  revisionMarks,
} from "./node-history.ts";
import { nextSectionSample, type SectionSample } from "./section-samples.ts";

/** A validated snapshot on its way to the database. */
export interface Arrival extends NodeIdentity {
  readonly snapshot: Snapshot;
  readonly receivedAtMs: number;
  /**
   * For what was measured long ago and is brought in now, and how it is kept: as it is, or, where snapshots of that time
   * are no longer kept, in roll-ups. Those of one `write` must hold each hour whole.
   */
  readonly history?: "snapshots" | "rollups";
}

/** What became of it; `refused` when the database cannot hold it. */
export type Outcome = "accepted" | "duplicate" | "refused";

/** What is known of one node, so that a snapshot of a known boot needs no look-up. */
interface NodeState {
  readonly nodeId: number;
  revision: KnownRevision | undefined;
  boots: KnownBoot[];
  bootsReadAtMs: number;
  /** First and last sample of boots as they are stored, by bootRef. */
  readonly storedExtents: Map<number, { firstAtMs: number; lastAtMs: number }>;
  readonly chains: Map<number, ExtraChain>;
  /** Time of the newest row of CounterSample, by boot id. */
  readonly countersAtMs: Map<string, number>;
  newestAtMs: number;
  markedBucketMs: number;
  conflictWrittenAtMs: number;
  /** The newest state that this process stored; undefined when another may have. */
  stored: StoredNewest | undefined;
  /** The latest snapshot that came by here. */
  last: { bootId: string; atMs: number; memAvailableKib: number | undefined } | undefined;
}

const ROWS_AT_ONCE = 500;
const WAITING_AT_MOST = 20_000;
/** Nodes kept in mind; beyond that the longest unheard one is looked up again. */
const NODES_IN_MIND = 20_000;
const NAMES_IN_MIND = 100_000;
/** Other processes may have seen other boots of a node. */
const BOOTS_ARE_FRESH_MS = 60_000;
const BOOT_END_SPACING_MS = 60_000;
const CONFLICT_SPACING_MS = 30_000;
const BUCKET_MS = 300_000;
const DAY_MS = 86_400_000;
/** Half of what a roll-up waits after the end of a bucket (roll-up-dirty-buckets.ts). */
const BUCKET_SLACK_MS = 30_000;

const writers = new WeakMap<Database["pool"], SnapshotWriter>();

/** The writer of a database; one for each pool of this process. */
export function snapshotWriter(db: Database): SnapshotWriter {
  let writer = writers.get(db.pool);
  if (!writer) writers.set(db.pool, (writer = new SnapshotWriter(db)));
  return writer;
}

interface Waiting {
  readonly arrivals: readonly Arrival[];
  readonly resolve: (outcomes: Outcome[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers the snapshots of all requests that arrive while the database is busy into one transaction, and answers each
 * request once its rows are committed. One transaction at a time: its caches are never changed from two sides.
 */
class SnapshotWriter {
  readonly #db: Database;
  readonly #nodes = new Map<string, NodeState>();
  readonly #slabIds = new Map<string, number>();
  readonly #pathIds = new Map<string, number>();
  readonly #counterIds = new Map<string, number>();
  #waiting: Waiting[] = [];
  #waitingRows = 0;
  #busy = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Stores snapshots and waits until they are durable.
   * @returns what became of each.
   * @throws AppError `unavailable` when the database is away or too much is waiting already; nothing is lost by sending
   *   the same again.
   */
  write(arrivals: readonly Arrival[]): Promise<Outcome[]> {
    if (arrivals.length === 0) return Promise.resolve([]);
    if (this.#waitingRows > WAITING_AT_MOST) {
      throw new AppError("unavailable", "Too many snapshots are waiting to be stored.", {
        retryAfterSeconds: 5,
      });
    }
    this.#waitingRows += arrivals.length;
    const written = new Promise<Outcome[]>((resolve, reject) => {
      this.#waiting.push({ arrivals, resolve, reject });
    });
    if (!this.#busy) void this.#run();
    return written;
  }

  async #run(): Promise<void> {
    this.#busy = true;
    // Requests that are being read right now still get on.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      try {
        const outcomes = await this.#store(group.flatMap((each) => each.arrivals));
        let start = 0;
        for (const { arrivals, resolve } of group) {
          resolve(outcomes.slice(start, (start += arrivals.length)));
        }
      } catch (error) {
        const failure = isDatabaseAway(error) ? databaseAway(error) : error;
        for (const { reject } of group) reject(failure);
      }
    }
    this.#busy = false;
  }

  #takeGroup(): Waiting[] {
    let rows = 0;
    let count = 0;
    for (const { arrivals } of this.#waiting) {
      if (count > 0 && rows + arrivals.length > ROWS_AT_ONCE) break;
      rows += arrivals.length;
      count += 1;
    }
    this.#waitingRows -= rows;
    return this.#waiting.splice(0, count);
  }

  /** Stores a group; one that holds something the database refuses is halved until that stands alone. */
  async #store(arrivals: readonly Arrival[]): Promise<Outcome[]> {
    try {
      return await this.#storeGroup(arrivals);
    } catch (error) {
      this.#forget(arrivals);
      // 54: more than a row or an index entry can hold.
      if (!/^(22|23|54)/.test(errorCode(error) ?? "")) throw error;
      if (arrivals.length === 1) return ["refused"];
      const middle = Math.ceil(arrivals.length / 2);
      return [
        ...(await this.#store(arrivals.slice(0, middle))),
        ...(await this.#store(arrivals.slice(middle))),
      ];
    }
  }

  async #storeGroup(arrivals: readonly Arrival[]): Promise<Outcome[]> {
    const order = arrivals.map((_, index) => index).sort((a, b) => atOf(arrivals[a]) - atOf(arrivals[b]));
    const inOrder = order.flatMap((index) => arrivals[index] ?? []);
    await this.#resolveNodes(inOrder);
    const sections = this.#chooseSections(inOrder);
    await this.#resolveNames(inOrder, sections);
    const prepared: Prepared[] = [];
    for (const arrival of inOrder) prepared.push(await this.#prepare(arrival, sections.get(arrival)));
    const marks = prepared.flatMap((each) => each.marks);
    const conflicts = new Map(
      prepared.flatMap((each) => (each.conflict ? [[each.state.nodeId, each.conflict]] : [])),
    );
    const steps = new Map<Prepared, ExtraStep>();
    const nowMs = inOrder[0]?.receivedAtMs ?? 0;
    const rolledUp = prepared.filter((each) => each.isRolledUp);
    const kept = prepared.filter((each) => !each.isRolledUp);
    const boots = this.#grownBoots(prepared);
    await insertHistory(
      this.#db,
      rolledUp.map((each) => each.row),
      { fiveMinutesFromMs: nowMs - config().retention.fiveMinuteDays * DAY_MS, boots, marks, nowMs },
    );
    const { acceptedIndexes, newest } = await insertSnapshots(
      this.#db,
      kept.map((each) => each.row),
      { boots, marks, conflicts, nowMs, extrasOf: (accepted) => extrasOf(kept, accepted, steps) },
    );
    const accepted = new Set([...rolledUp, ...acceptedIndexes.flatMap((index) => kept[index] ?? [])]);
    for (const each of accepted) this.#remember(each, steps.get(each), newest.get(each.row.nodeId));
    const outcomes = new Array<Outcome>(arrivals.length).fill("duplicate");
    prepared.forEach((each, index) => {
      const original = order[index];
      if (original !== undefined && accepted.has(each)) outcomes[original] = "accepted";
    });
    return outcomes;
  }

  async #resolveNodes(arrivals: readonly Arrival[]): Promise<void> {
    const missing = new Map<string, NodeIdentity & { firstSeenAtMs: number }>();
    const stale = new Map<number, NodeState>();
    for (const { clusterId, name, snapshot, receivedAtMs } of arrivals) {
      const key = identityKey({ clusterId, name });
      const state = this.#nodes.get(key);
      if (!state) missing.set(key, missing.get(key) ?? { clusterId, name, firstSeenAtMs: snapshot.at });
      else if (receivedAtMs - state.bootsReadAtMs > BOOTS_ARE_FRESH_MS) stale.set(state.nodeId, state);
    }
    const nowMs = arrivals[0]?.receivedAtMs ?? 0;
    if (missing.size > 0) {
      for (const [key, node] of await findOrCreateNodes(this.#db, [...missing.values()])) {
        this.#nodes.set(key, newState(node, nowMs));
      }
      this.#limitNodes(arrivals);
    }
    if (stale.size > 0) {
      const boots = await readLatestBoots(this.#db, [...stale.keys()]);
      for (const [nodeId, state] of stale) mergeBoots(state, boots.get(nodeId) ?? [], nowMs);
    }
  }

  #limitNodes(inUse: readonly Arrival[]): void {
    if (this.#nodes.size <= NODES_IN_MIND) return;
    const keep = new Set(inUse.map(identityKey));
    for (const key of this.#nodes.keys()) {
      if (this.#nodes.size <= NODES_IN_MIND) return;
      if (!keep.has(key)) this.#nodes.delete(key);
    }
  }

  /** What is stored of the sections of each; nodes must be resolved. */
  #chooseSections(inOrder: readonly Arrival[]): Map<Arrival, SectionSample> {
    const chosen = new Map<Arrival, SectionSample>();
    for (const arrival of inOrder) {
      const { snapshot } = arrival;
      const countersAtMs = this.#nodes.get(identityKey(arrival))?.countersAtMs;
      const sample = nextSectionSample(countersAtMs?.get(snapshot.bootId), snapshot);
      if (sample === undefined) continue;
      chosen.set(arrival, sample);
      countersAtMs?.set(snapshot.bootId, snapshot.at);
    }
    return chosen;
  }

  async #resolveNames(
    arrivals: readonly Arrival[],
    sections: ReadonlyMap<Arrival, SectionSample>,
  ): Promise<void> {
    for (const ids of [this.#slabIds, this.#pathIds, this.#counterIds])
      if (ids.size > NAMES_IN_MIND) ids.clear();
    const caches = arrivals.flatMap(({ snapshot }) => snapshot.slab ?? []);
    const unknownCaches = caches.filter((cache) => !this.#slabIds.has(slabCacheKey(cache)));
    if (unknownCaches.length > 0) {
      for (const [key, id] of await resolveSlabCaches(this.#db, unknownCaches)) this.#slabIds.set(key, id);
    }
    const paths = arrivals.flatMap(({ snapshot }) => [
      ...(snapshot.watch ?? []).map((each) => each.path),
      ...(snapshot.tmpfs ?? []).map((each) => each.mount),
    ]);
    const unknownPaths = paths.filter((path) => !this.#pathIds.has(path));
    if (unknownPaths.length > 0) {
      for (const [path, id] of await resolvePaths(this.#db, unknownPaths)) this.#pathIds.set(path, id);
    }
    const unknownCounters = [...sections.values()].flatMap(({ counters }) =>
      [...counters.keys()].filter((name) => !this.#counterIds.has(name)),
    );
    if (unknownCounters.length > 0) {
      for (const [name, id] of await resolveCounterNames(this.#db, unknownCounters)) {
        this.#counterIds.set(name, id);
      }
    }
  }

  async #prepare(arrival: Arrival, section: SectionSample | undefined): Promise<Prepared> {
    const { snapshot, receivedAtMs } = arrival;
    const state = this.#nodes.get(identityKey(arrival));
    if (!state) throw new Error(`node ${arrival.name} was not resolved`);
    const { boot, conflict, marks } = await this.#resolveBoot(state, snapshot, receivedAtMs);
    const superseded = isSuperseded(state.boots, boot, snapshot.at);
    if (!superseded) await this.#resolveRevision(state, snapshot, boot, receivedAtMs);
    const bucketMs = Math.floor(snapshot.at / BUCKET_MS) * BUCKET_MS;
    const isLate = receivedAtMs > bucketMs + BUCKET_MS + BUCKET_SLACK_MS;
    const isNewest = !superseded && snapshot.at > state.newestAtMs;
    const values = SNAPSHOT_COLUMN_SOURCES.map(({ read }) => read(snapshot));
    const isHistory = arrival.history !== undefined;
    if (snapshot.at > (state.last?.atMs ?? -Infinity)) {
      const { at, meminfo } = snapshot;
      state.last = { bootId: boot.bootId, atMs: at, memAvailableKib: meminfo.MemAvailable };
    }
    const accepted = {
      fromMs: receivedAtMs - config().retention.rawDays * DAY_MS,
      toMs: receivedAtMs + SNAPSHOT_LIMITS.clockAheadMs,
    };
    return {
      state,
      snapshot,
      receivedAtMs,
      marks: [...marks, ...eventMarks(state.nodeId, snapshot, accepted)],
      conflict,
      isRolledUp: arrival.history === "rollups",
      row: {
        nodeId: state.nodeId,
        atMs: snapshot.at,
        bootRef: boot.bootRef,
        values,
        marksBucket: arrival.history !== "rollups" && (isLate || bucketMs !== state.markedBucketMs),
        ...this.#arraysOf(snapshot),
        ...(section && { counters: this.#countersOf(section) }),
        ...(isNewest && {
          newest: {
            // What was measured long ago is no sign of life.
            receivedAtMs: isHistory ? snapshot.at : receivedAtMs,
            details: () => ({ ...detailsOf(snapshot), ...(isHistory && { history: true }) }),
            sources: snapshot.sources,
            before: state.stored,
            taintedModules: snapshot.modules?.flatMap(({ name, taint }) =>
              taint === undefined ? [] : [name],
            ),
          },
        }),
      },
    };
  }

  async #resolveBoot(
    state: NodeState,
    snapshot: Snapshot,
    nowMs: number,
  ): Promise<{ boot: KnownBoot; conflict: number | undefined; marks: MachineMark[] }> {
    const sighted = bootOf(snapshot);
    let boot = findSameBoot(state.boots, sighted);
    if (!boot && isDerivedBootId(snapshot.bootId) && state.boots.length >= BOOTS_KEPT_IN_MIND) {
      boot = await findBootNear(this.#db, state.nodeId, sighted.startedAtMs);
      if (boot) this.#recall(state, boot);
    }
    const seen = boot ?? sighted;
    const other = findConflict(state.boots, seen, { atMs: snapshot.at, startedAtMs: sighted.startedAtMs });
    const marks = other ? [conflictMark(state.nodeId, [seen, other], snapshot.at)] : [];
    if (!boot) {
      const last =
        state.boots.length > 0 ? (state.last ?? (await readLastMoment(this.#db, state.nodeId))) : undefined;
      const reboots = other ? [] : rebootMarks(state.nodeId, state.boots, seen, last);
      boot = await createBoot(this.#db, state.nodeId, seen, reboots, nowMs);
      this.#recall(state, boot);
    }
    boot.firstAtMs = Math.min(boot.firstAtMs, snapshot.at);
    boot.lastAtMs = Math.max(boot.lastAtMs, snapshot.at);
    const isDue = other !== undefined && nowMs - state.conflictWrittenAtMs > CONFLICT_SPACING_MS;
    return { boot, conflict: isDue ? snapshot.at : undefined, marks: isDue ? marks : [] };
  }

  #recall(state: NodeState, boot: KnownBoot): void {
    state.boots = [...state.boots, boot].sort((a, b) => a.startedAtMs - b.startedAtMs);
    state.storedExtents.set(boot.bootRef, { ...boot });
  }

  async #resolveRevision(
    state: NodeState,
    snapshot: Snapshot,
    boot: KnownBoot,
    nowMs: number,
  ): Promise<void> {
    const current = state.revision;
    if (current && snapshot.at <= current.sinceMs) return;
    if (!nextRevision(current, snapshot)) return;
    state.revision = await recordRevision(this.#db, state.nodeId, {
      sinceMs: snapshot.at,
      nowMs,
      next: (stored) => nextRevision(stored, snapshot),
      marksFor: (stored, next) =>
        revisionMarks(state.nodeId, stored, next, { atMs: snapshot.at, startedAtMs: boot.startedAtMs }),
    });
  }

  #arraysOf({ slab, watch, tmpfs }: Snapshot): Pick<SnapshotRow, "slab" | "watch" | "tmpfs"> {
    return {
      ...(slab && {
        slab: {
          cacheIds: slab.map((cache) => this.#slabIds.get(slabCacheKey(cache))),
          activeObjs: slab.map((cache) => cache.activeObjs),
          numObjs: slab.map((cache) => cache.numObjs),
          sizeKib: slab.map((cache) => cache.sizeKib),
        },
      }),
      ...(watch && {
        watch: {
          pathIds: watch.map((each) => this.#pathIds.get(each.path)),
          files: watch.map((each) => each.files),
          atLeast: watch.map((each) => Number(each.atLeast ?? false)),
        },
      }),
      ...(tmpfs && {
        tmpfs: {
          pathIds: tmpfs.map((each) => this.#pathIds.get(each.mount)),
          sizeKib: tmpfs.map((each) => each.sizeKib),
          usedKib: tmpfs.map((each) => each.usedKib),
          inodes: tmpfs.map((each) => each.inodes),
          inodesUsed: tmpfs.map((each) => each.inodesUsed),
        },
      }),
    };
  }

  #countersOf({ counters, details }: SectionSample): CounterArrays {
    return {
      nameIds: [...counters.keys()].map((name) => this.#counterIds.get(name)),
      values: [...counters.values()],
      ...(details && { detailsJson: storableJson(details) }),
    };
  }

  /** Boots whose stored end is a minute behind, and those that another boot has followed. */
  #grownBoots(prepared: readonly Prepared[]): BootExtent[] {
    const grown = new Map<number, BootExtent>();
    for (const state of new Set(prepared.map((each) => each.state))) {
      for (const [index, boot] of state.boots.entries()) {
        const stored = state.storedExtents.get(boot.bootRef);
        const spacing = index === state.boots.length - 1 ? BOOT_END_SPACING_MS : 0;
        if (stored && boot.lastAtMs - stored.lastAtMs <= spacing && boot.firstAtMs >= stored.firstAtMs)
          continue;
        grown.set(boot.bootRef, boot);
        state.storedExtents.set(boot.bootRef, { ...boot });
      }
    }
    return [...grown.values()];
  }

  #remember(
    { state, row, conflict, receivedAtMs }: Prepared,
    step: ExtraStep | undefined,
    stored: StoredNewest | undefined,
  ): void {
    if (step) state.chains.set(row.bootRef, step.chain);
    if (row.newest) {
      state.newestAtMs = Math.max(state.newestAtMs, row.atMs);
      state.stored = stored;
    }
    if (row.marksBucket) state.markedBucketMs = Math.floor(row.atMs / BUCKET_MS) * BUCKET_MS;
    if (conflict !== undefined) state.conflictWrittenAtMs = receivedAtMs;
  }

  /** After a failure nothing that was assumed about these nodes is certain. */
  #forget(arrivals: readonly Arrival[]): void {
    for (const arrival of arrivals) this.#nodes.delete(identityKey(arrival));
  }
}

/** One snapshot, ready to be stored, with what is kept in mind once it is. */
interface Prepared {
  readonly state: NodeState;
  readonly snapshot: Snapshot;
  readonly receivedAtMs: number;
  readonly row: SnapshotRow;
  readonly marks: readonly MachineMark[];
  /** Time of a conflict that must be noted at the node's newest state. */
  readonly conflict: number | undefined;
  readonly isRolledUp: boolean;
}

function newState(
  node: { nodeId: number; revision: KnownRevision | undefined; boots: KnownBoot[] },
  nowMs: number,
): NodeState {
  return {
    ...node,
    bootsReadAtMs: nowMs,
    storedExtents: new Map(node.boots.map((boot) => [boot.bootRef, { ...boot }])),
    chains: new Map(),
    countersAtMs: new Map(),
    newestAtMs: -Infinity,
    markedBucketMs: -Infinity,
    conflictWrittenAtMs: -Infinity,
    stored: undefined,
    last: undefined,
  };
}

/** Takes over what other processes have stored, without losing what this one has not stored yet. */
function mergeBoots(state: NodeState, stored: readonly KnownBoot[], nowMs: number): void {
  const known = new Map(state.boots.map((boot) => [boot.bootRef, boot]));
  for (const boot of stored) {
    state.storedExtents.set(boot.bootRef, { ...boot });
    const mine = known.get(boot.bootRef);
    if (mine) {
      mine.firstAtMs = Math.min(mine.firstAtMs, boot.firstAtMs);
      mine.lastAtMs = Math.max(mine.lastAtMs, boot.lastAtMs);
    } else {
      known.set(boot.bootRef, boot);
    }
  }
  state.boots = [...known.values()].sort((a, b) => a.startedAtMs - b.startedAtMs);
  state.bootsReadAtMs = nowMs;
}

function extrasOf(
  prepared: readonly Prepared[],
  accepted: readonly number[],
  steps: Map<Prepared, ExtraStep>,
): ExtraRow[] {
  steps.clear();
  const chains = new Map<number, ExtraChain>();
  return accepted.flatMap((index): ExtraRow[] => {
    const each = prepared[index];
    if (!each) return [];
    const { nodeId, bootRef, atMs } = each.row;
    const step = nextExtra(chains.get(bootRef) ?? each.state.chains.get(bootRef), each.snapshot);
    if (!step) return [];
    steps.set(each, step);
    chains.set(bootRef, step.chain);
    return [{ nodeId, bootRef, atMs, baseAtMs: step.baseAtMs, countersJson: storableJson(step.counters) }];
  });
}

function detailsOf({ sources, watch, tmpfs, self }: Snapshot): object {
  return { blindSources: sources && blindSourcesOf(sources), watch, tmpfs, self };
}

function atOf(arrival: Arrival | undefined): number {
  return arrival?.snapshot.at ?? 0;
}
