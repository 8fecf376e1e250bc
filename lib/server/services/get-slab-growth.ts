import { setImmediate as letOthersRun } from "node:timers/promises";
import type { SlabCacheGrowth, SlabGrowth } from "#lib/contracts/slab.ts";
import type { Decomposition } from "#lib/domain/analysis/decomposition.ts";
import { confirmAcrossFleet } from "#lib/domain/analysis/fleet-significance.ts";
import { analyseTrend, type Trend } from "#lib/domain/analysis/trend.ts";
import { isReclaimableCache } from "#lib/domain/diagnosis/slab-caches.ts";
import { isInsufficient, type Insufficient } from "#lib/domain/statistics/insufficient.ts";
import type { BootRow } from "#lib/server/data/nodes.ts";
import { readArraySeries, readSeries, type ArrayEntry, type SeriesAxis } from "#lib/server/data/series.ts";
import { readSnapshotAt, type StoredSnapshot } from "#lib/server/data/snapshot-at.ts";
import { memTotalOf, segmentsOf } from "./analyse-metric.ts";
import type { Context } from "./context.ts";
import { findVisibleNode } from "./find-visible-node.ts";
import { pointsOfEach, readCoveredRange } from "./read-metric-window.ts";
import { decompose, onAxis, mergedNamesOf, sizesByName } from "./slab-history.ts";

/** Caches that are judged before other requests get their turn. */
const CACHES_AT_ONCE = 16;

const COUNTERS = ["SUnreclaim", "SReclaimable"] as const;
const REST = "\u0000rest";

/** Which counter holds a cache. */
type CounterOf = (cache: string) => (typeof COUNTERS)[number];
type Field = "sizeKib" | "activeObjs" | "numObjs";
type Values = readonly (number | null)[];
type Caches = SeriesAxis & { readonly entries: readonly ArrayEntry<Field>[] };

/**
 * How every slab cache that a node sent grew over a window: slope with interval and verdict by the trend estimator, and its part of the
 * growth of SUnreclaim or SReclaimable.
 * @throws AppError `not_found`.
 */
export async function getSlabGrowth({
  ctx,
  input,
}: {
  ctx: Context;
  input: { nodeId: number; fromMs: number; toMs: number };
}): Promise<SlabGrowth> {
  const { nodeId, fromMs, toMs } = input;
  const node = await findVisibleNode(ctx, nodeId);
  const covered = await readCoveredRange(ctx.db, { node, fromMs, toMs });
  const { boots } = covered;
  const range = { nodeId, fromMs: covered.fromMs, toMs: covered.toMs, points: pointsOfEach(covered) };
  const [frame, caches, newest] = await Promise.all([
    readSeries(ctx.db, { ...range, columns: COUNTERS }),
    readArraySeries(ctx.db, { ...range, kind: "slab", fields: ["sizeKib", "activeObjs", "numObjs"] }),
    readSnapshotAt(ctx.db, nodeId, toMs),
  ]);
  const merged = mergedNamesOf(newest);
  const counterOf: CounterOf = (name) => (isReclaimableCache(name, merged) ? "SReclaimable" : "SUnreclaim");
  const wholes = new Map(
    COUNTERS.map((counter) => [counter, onAxis(frame, frame.columns[counter] ?? [], caches)]),
  );
  const [sunreclaim, sreclaimable] = COUNTERS.map((counter) =>
    shareOut(
      wholes.get(counter) ?? [],
      sizesByName(caches).filter(([name]) => counterOf(name) === counter),
      caches,
      boots,
    ),
  );
  const shares = new Map(
    [sunreclaim, sreclaimable].flatMap((each) => each?.parts.map((part) => [part.key, part] as const) ?? []),
  );
  const judged = await judgeCaches(caches, boots, memTotalOf(node));
  return {
    nodeId,
    from: fromMs,
    to: toMs,
    sampleAt: caches.timesMs.at(-1) ?? null,
    points: caches.timesMs.length,
    SUnreclaim: describeWhole(sunreclaim),
    SReclaimable: describeWhole(sreclaimable),
    unsentKib: newest === undefined || newest.atMs < fromMs ? null : unsentOf(newest),
    caches: judged
      .map(({ name, entries, trend }): SlabCacheGrowth => {
        const part = shares.get(name);
        return {
          name,
          reclaimable: counterOf(name) === "SReclaimable",
          objSizeBytes: entries.at(-1)?.objSizeBytes ?? 0,
          objects: newestOf(entries, "numObjs"),
          activeObjects: newestOf(entries, "activeObjs"),
          sizeKib: newestOf(entries, "sizeKib"),
          ...describeTrend(trend),
          share: part?.share ?? null,
          shareCi95: part?.shareCi95 ? [...part.shareCi95] : null,
        };
      })
      .sort((a, b) => (b.ci95?.[0] ?? -Infinity) - (a.ci95?.[0] ?? -Infinity) || (a.name < b.name ? -1 : 1)),
  };
}

interface Judged {
  readonly name: string;
  /** More than one where a cache was made again with another object size. */
  readonly entries: readonly ArrayEntry<Field>[];
  readonly trend: Trend | Insufficient;
}

/** The trend of each cache; a cache that a sample does not have is not known there, it may have been too small to be sent. */
async function judgeCaches(
  caches: Caches,
  boots: readonly BootRow[],
  memTotalKib: number,
): Promise<Judged[]> {
  const byName = new Map<string, ArrayEntry<Field>[]>();
  for (const entry of caches.entries) {
    const same = byName.get(entry.name);
    if (same) same.push(entry);
    else byName.set(entry.name, [entry]);
  }
  const judged: Judged[] = [];
  for (const [name, entries] of byName) {
    if (judged.length % CACHES_AT_ONCE === CACHES_AT_ONCE - 1) await letOthersRun();
    const values = caches.timesMs.map((_, point) => sumAt(entries, "sizeKib", point));
    const segments = segmentsOf(caches, values, boots, 1);
    judged.push({ name, entries, trend: analyseTrend({ segments, memTotalKib }) });
  }
  const trends = judged.flatMap(({ trend }) => (isInsufficient(trend) ? [] : [trend]));
  const confirmed = confirmAcrossFleet(trends).values();
  return judged.map((each) => {
    const trend = isInsufficient(each.trend) ? each.trend : confirmed.next().value;
    return { ...each, trend: trend ?? each.trend };
  });
}

function sumAt(entries: readonly ArrayEntry<Field>[], field: Field, point: number): number | null {
  return entries.reduce<number | null>((sum, { values }) => {
    const value = values[field][point] ?? null;
    return value === null ? sum : (sum ?? 0) + value;
  }, null);
}

function newestOf(entries: readonly ArrayEntry<Field>[], field: Field): number | null {
  return sumAt(entries, field, (entries[0]?.values[field].length ?? 0) - 1);
}

/** Shares the growth of a counter out to its caches, and what no cache explains. */
function shareOut(
  whole: Values,
  own: readonly (readonly [string, readonly number[]])[],
  caches: Caches,
  boots: readonly BootRow[],
): Decomposition | undefined {
  if (own.length === 0) return undefined;
  const rest = whole.map((value, point) =>
    value === null ? null : own.reduce((left, [, values]) => left - (values[point] ?? 0), value),
  );
  const result = decompose(caches, boots, whole, new Map<string, Values>([...own, [REST, rest]]));
  return isInsufficient(result) ? undefined : result;
}

/** What of the counters the newest sample of caches does not hold, KiB. */
function unsentOf({ meminfo, slab }: StoredSnapshot): number | null {
  const { SUnreclaim, SReclaimable } = meminfo;
  if (slab.length === 0 || SUnreclaim === undefined || SReclaimable === undefined) return null;
  return slab.reduce((left, { sizeKib }) => left - sizeKib, SUnreclaim + SReclaimable);
}

function describeWhole(result: Decomposition | undefined): SlabGrowth["SUnreclaim"] {
  if (result === undefined) return null;
  return {
    slopeKibPerHour: result.slopePerHour,
    ci95: [...result.ci95],
    significant: result.significant,
  };
}

function describeTrend(
  trend: Trend | Insufficient,
): Pick<SlabCacheGrowth, "verdict" | "slopeKibPerHour" | "ci95" | "pValue"> {
  if (isInsufficient(trend))
    return { verdict: "insufficient", slopeKibPerHour: null, ci95: null, pValue: null };
  return {
    verdict: trend.verdict,
    slopeKibPerHour: trend.slopePerHour,
    ci95: [...trend.ci95],
    pValue: trend.pValue,
  };
}
