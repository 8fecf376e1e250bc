import { NAMED_NODES, type HistoryImport, type ImportCounts } from "#lib/contracts/history-import.ts";
import {
  assembleScrapes,
  CONTAINERS_HOLD_MS,
  gatherScrapes,
  type SeriesSamples,
} from "#lib/domain/prometheus/assemble-scrapes.ts";
import type { StartedTotal } from "#lib/domain/prometheus/container-counts.ts";
import { hostOfInstance, identifyNode, type Labels } from "#lib/domain/prometheus/node-identity.ts";
import {
  CONTAINER_SERIES,
  LEFT_OUT_SERIES,
  NODE_SERIES,
  SLAB_SERIES,
} from "#lib/domain/prometheus/series-fields.ts";
import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { AppError } from "#lib/errors.ts";
import { config } from "#lib/server/config.ts";
import { findOrCreateCluster } from "#lib/server/data/identities.ts";
import {
  advanceImport,
  claimImport,
  findImport,
  readFirstOwnSamples,
  setImportStatus,
  type ImportRow,
} from "#lib/server/data/imports.ts";
import { databaseAway } from "#lib/server/data/transaction.ts";
import { isDatabaseAway } from "#lib/server/database-away.ts";
import { logger } from "#lib/server/log.ts";
import type { Context } from "./context.ts";
import { describeImport, NO_COUNTS } from "./describe-import.ts";
import { openPrometheus, TooMuchAtOnce, type PrometheusClient } from "./prometheus-client.ts";
import { storeHistory, type HistoryReceipt } from "./store-history.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A process that runs an import says so at least this often; after that another may take it over. */
const LEASE_MS = 10 * 60_000;
/** Targets that are read in one query, at most. */
const TARGETS_AT_ONCE = 20;
/** Samples that one query should give: some 15 MB of JSON. Prometheus itself stops at 50 million. */
const SAMPLES_AT_ONCE = 400_000;
/** Hours that are read in one query, at most. */
const LONGEST_WINDOW = 24;
/** Points that Prometheus gives of one series with a step. */
const STEPS_AT_ONCE = 10_000;

/**
 * Runs an import that waits, from where it stands: window after window, oldest first, each stored before the next is read,
 * so that it may be ended at any moment and taken up again. Idempotent.
 *
 * @param input.importId a certain one; else the oldest that waits for this runner.
 * @param input.untilMs stop after the window in hand once the clock says so; the import waits on.
 * @param input.signal stop at once; what is in hand is done again later.
 * @returns how it stands; undefined when there was none to run.
 * @throws AppError `unavailable` when the database is away. What the other side does wrong ends as the import's `error`.
 */
export async function runImport({
  ctx,
  input,
}: {
  ctx: Context;
  input: {
    runner: ImportRow["runner"];
    importId?: number;
    untilMs?: number;
    signal?: AbortSignal;
    bearer?: string | undefined;
    onProgress?: (state: HistoryImport) => void;
    /** For tests: how long the first pause before a repeated request is. */
    firstPauseMs?: number;
  };
}): Promise<HistoryImport | undefined> {
  const { runner, importId, signal } = input;
  const claimed = await claimImport(ctx.db, {
    ...{ runner, nowMs: ctx.now(), leaseMs: LEASE_MS },
    ...(importId !== undefined && { importId }),
  });
  if (!claimed) return undefined;
  const id = claimed.row.importId;
  const end = (to: "done" | "failed" | "queued" | "paused", error?: string) =>
    setImportStatus(ctx.db, id, {
      ...{ from: ["running"], to, nowMs: ctx.now() },
      ...(error !== undefined && { error }),
      ...(to === "queued" && { bearer: claimed.bearer ?? undefined }),
    });
  try {
    const client = openPrometheus({
      url: claimed.row.url,
      bearer: input.bearer ?? claimed.bearer,
      ...(signal && { signal }),
      ...(input.firstPauseMs !== undefined && { firstPauseMs: input.firstPauseMs }),
    });
    const finished = await new ImportRun(ctx, client, claimed.row).run(input);
    if (finished === "done") await end("done");
    if (finished === "later") await end("queued");
  } catch (error) {
    if (signal?.aborted) await end(runner === "worker" ? "queued" : "paused");
    else if (error instanceof AppError && error.code !== "unavailable") await end("failed", error.message);
    else if (error instanceof AppError) throw error;
    else if (isDatabaseAway(error)) throw databaseAway(error);
    else {
      await end("failed", "Something broke inside the server.");
      throw error;
    }
  }
  const row = await findImport(ctx.db, id);
  return row && describeImport(row);
}

/** What is read in one query: some targets of node_exporter, and what runs containers on the same hosts. */
interface TargetGroup {
  /** Values of the label that tells targets apart. */
  readonly targets: readonly string[];
  readonly containers: readonly string[];
}

class ImportRun {
  readonly #ctx: Context;
  readonly #client: PrometheusClient;
  readonly #row: ImportRow;
  readonly #groups: TargetGroup[] = [];
  readonly #ownFrom = new Map<string, number>();
  readonly #nodes = new Set<string>();
  #started: Map<string, StartedTotal>;
  #counts: ImportCounts;
  #windowHours = 1;
  #clusterId = 0;

  constructor(ctx: Context, client: PrometheusClient, row: ImportRow) {
    this.#ctx = ctx;
    this.#client = client;
    this.#row = row;
    this.#started = new Map(Object.entries(row.started));
    this.#counts = { ...NO_COUNTS, ...row.counts };
  }

  async run(limits: {
    untilMs?: number;
    signal?: AbortSignal;
    onProgress?: (state: HistoryImport) => void;
  }): Promise<"done" | "later" | "cancelled"> {
    const { toMs, importId, cluster } = this.#row;
    await this.#client.check();
    this.#clusterId = await findOrCreateCluster(this.#ctx.db, cluster, this.#ctx.now());
    await this.#findTargets();
    for (let cursorMs = this.#row.cursorMs; cursorMs < toMs;) {
      limits.signal?.throwIfAborted();
      if (limits.untilMs !== undefined && this.#ctx.now() >= limits.untilMs) return "later";
      cursorMs = await this.#takeWindow(cursorMs);
      const progress = { cursorMs, started: Object.fromEntries(this.#started), counts: this.#counts };
      const runs = await advanceImport(this.#ctx.db, importId, {
        ...progress,
        leaseUntilMs: this.#ctx.now() + LEASE_MS,
      });
      if (!runs) return "cancelled";
      limits.onProgress?.(describeImport({ ...this.#row, ...progress, status: "running" }));
    }
    return "done";
  }

  /** What has memory in the window, and what starts containers beside it. @throws AppError when nothing has. */
  async #findTargets(): Promise<void> {
    const { match, nodeLabel, fromMs, toMs, url } = this.#row;
    const range = { fromMs, toMs };
    const label = nodeLabel ?? "instance";
    const [memory, containers] = await Promise.all([
      this.#client.listSeries(
        ["node_memory_MemTotal_bytes", "node_memory_MemTotal"].map((name) =>
          selector([`__name__="${name}"`, ...match]),
        ),
        range,
      ),
      this.#client.listSeries(
        [selector([`__name__=~"${CONTAINER_SERIES}"`, ...withoutTarget(match)])],
        range,
      ),
    ]);
    const targets = new Map<string, Labels>();
    for (const labels of memory) {
      const target = labels[label];
      if (target !== undefined && target !== "") targets.set(target, labels);
    }
    if (targets.size === 0) {
      throw new AppError(
        "unprocessable",
        `${url} has no node_memory_MemTotal_bytes ${memory.length > 0 ? `with a label ${label}` : "of that time"}${match.length > 0 ? ` that matches ${match.join(", ")}` : ""}. Is node_exporter scraped there?`,
      );
    }
    const byNode = new Map<string, Set<string>>();
    for (const labels of containers) {
      const target = labels[label];
      const node = identifyNode(labels, nodeLabel ?? undefined);
      if (target === undefined || target === "" || node === undefined) continue;
      for (const key of [node.name, node.host]) {
        if (key !== undefined) byNode.set(key, (byNode.get(key) ?? new Set()).add(target));
      }
    }
    const sorted = [...targets.keys()].sort();
    for (let start = 0; start < sorted.length; start += TARGETS_AT_ONCE) {
      const group = sorted.slice(start, start + TARGETS_AT_ONCE);
      const beside = group.flatMap((target) => {
        const name = identifyNode(targets.get(target) ?? {}, nodeLabel ?? undefined)?.name;
        return [hostOfInstance(target), name].flatMap((key) => [...(byNode.get(key ?? "") ?? [])]);
      });
      this.#groups.push({ targets: group, containers: [...new Set(beside)].sort() });
    }
  }

  /** Reads and stores one window of all targets. @returns where it ended. */
  async #takeWindow(fromMs: number): Promise<number> {
    const { stepSeconds } = this.#row;
    const most = stepSeconds === null ? LONGEST_WINDOW : Math.floor((STEPS_AT_ONCE * stepSeconds) / 3600);
    const hours = Math.min(this.#windowHours, Math.max(1, most));
    const range = { fromMs, toMs: Math.min(this.#row.toMs, fromMs + hours * HOUR_MS) };
    let samples = 0;
    for (const group of this.#groups) {
      try {
        samples = Math.max(samples, await this.#takeGroup(group, range));
      } catch (error) {
        if (!(error instanceof TooMuchAtOnce)) throw error;
        if (hours > 1) {
          this.#windowHours = Math.ceil(hours / 2);
          return this.#takeWindow(fromMs);
        }
        await this.#takeOneByOne(group, range, error);
      }
    }
    this.#windowHours = Math.max(
      1,
      Math.min(LONGEST_WINDOW, samples === 0 ? hours * 2 : Math.floor((hours * SAMPLES_AT_ONCE) / samples)),
    );
    return range.toMs;
  }

  /** An hour of a group is more than the other side gives at once. */
  async #takeOneByOne(
    group: TargetGroup,
    range: { fromMs: number; toMs: number },
    cause: TooMuchAtOnce,
  ): Promise<void> {
    if (group.targets.length === 1) {
      throw new AppError(
        "unprocessable",
        `${this.#row.url} does not give even an hour of one node at once (${cause.message.slice(0, 200)}). Import with a step.`,
      );
    }
    for (const target of group.targets) {
      const single = { targets: [target], containers: group.containers };
      try {
        await this.#takeGroup(single, range);
      } catch (error) {
        if (!(error instanceof TooMuchAtOnce)) throw error;
        await this.#takeOneByOne(single, range, error);
      }
    }
  }

  /** @returns how many samples were read. */
  async #takeGroup(group: TargetGroup, range: { fromMs: number; toMs: number }): Promise<number> {
    const { match, nodeLabel } = this.#row;
    const label = nodeLabel ?? "instance";
    const read = (matchers: readonly string[], from: number) =>
      this.#read(selector(matchers), { ...range, fromMs: from });
    const targets = `${label}=~${anyOf(group.targets)}`;
    // Caches are kept with snapshots only; they are most of the series where they are there at all.
    const withSlab = range.toMs > this.#ctx.now() - config().retention.rawDays * DAY_MS;
    const names = withSlab ? `${NODE_SERIES}|${SLAB_SERIES}` : NODE_SERIES;
    const [ofNodes, ofContainers] = await Promise.all([
      // Only CPUs have a mode, and one series of each is enough to count them.
      read(
        [`__name__=~"${names}"`, `__name__!~"${LEFT_OUT_SERIES}"`, `mode=~"|idle"`, targets, ...match],
        range.fromMs,
      ),
      group.containers.length === 0
        ? []
        : read(
            [
              `__name__=~"${CONTAINER_SERIES}"`,
              `${label}=~${anyOf(group.containers)}`,
              ...withoutTarget(match),
            ],
            range.fromMs - CONTAINERS_HOLD_MS,
          ),
    ]);
    const series = [...ofNodes, ...ofContainers];
    const gathered = gatherScrapes(series, nodeLabel ?? undefined);
    const { snapshots, started, incomplete, impossible } = assembleScrapes(gathered, range, this.#started);
    if (impossible.length > 0) {
      const first = impossible[0];
      logger("import").warn({ moments: impossible.length, first }, "impossible values left out");
    }
    const mine = await this.#withoutOwn(snapshots);
    const receipt = await storeHistory({
      ctx: this.#ctx,
      input: { clusterId: this.#clusterId, snapshots: mine },
    });
    for (const { node } of mine) this.#nodes.add(node);
    this.#started = started;
    this.#count(receipt, { ownCollector: snapshots.length - mine.length, incomplete });
    return series.reduce((sum, each) => sum + each.samples.length, 0);
  }

  async #read(selected: string, range: { fromMs: number; toMs: number }): Promise<SeriesSamples[]> {
    const { stepSeconds } = this.#row;
    return stepSeconds === null
      ? this.#client.readSamples(selected, range)
      : this.#client.readSteps(selected, { ...range, stepSeconds });
  }

  /**
   * Leaves out what a node's own collector has reported itself: the two see different things (per-CPU lists), and mixed
   * they would look like memory that comes and goes.
   */
  async #withoutOwn(snapshots: readonly SnapshotInput[]): Promise<SnapshotInput[]> {
    const unknown = [...new Set(snapshots.map(({ node }) => node))].filter(
      (name) => !this.#ownFrom.has(name),
    );
    if (unknown.length > 0) {
      const found = await readFirstOwnSamples(this.#ctx.db, this.#clusterId, unknown);
      for (const name of unknown) this.#ownFrom.set(name, found.get(name) ?? Infinity);
    }
    return snapshots.filter(({ node, at }) => Number(at) < (this.#ownFrom.get(node) ?? Infinity));
  }

  #count(
    { snapshots, rolledUp, duplicates, tooOld }: HistoryReceipt,
    more: { ownCollector: number; incomplete: ReadonlyMap<string, number> },
  ): void {
    const before = this.#counts;
    const incomplete = { ...before.incomplete };
    for (const [missing, moments] of more.incomplete) {
      incomplete[missing] = (incomplete[missing] ?? 0) + moments;
    }
    this.#counts = {
      nodes: Math.max(before.nodes, this.#nodes.size),
      names: [...new Set([...before.names, ...this.#nodes])].sort().slice(0, NAMED_NODES),
      snapshots: before.snapshots + snapshots,
      rolledUp: before.rolledUp + rolledUp,
      duplicates: before.duplicates + duplicates,
      tooOld: before.tooOld + tooOld,
      ownCollector: before.ownCollector + more.ownCollector,
      incomplete,
    };
  }
}

const selector = (matchers: readonly string[]) => `{${matchers.join(",")}}`;

/** A regular expression that matches any of the texts, as a string of PromQL. */
function anyOf(texts: readonly string[]): string {
  return JSON.stringify(texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"));
}

/** Other exporters have other jobs and instances; what else was asked for holds for them too. */
function withoutTarget(match: readonly string[]): string[] {
  return match.filter(
    (each) => !/^(?:job|instance|namespace|pod|service|endpoint|container)\s*[=!]/.test(each),
  );
}
