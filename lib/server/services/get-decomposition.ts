import type { DecomposedWhole, Decomposition as DecompositionAnswer } from "#lib/contracts/decomposition.ts";
import { decompositionSentence } from "#lib/domain/analysis/decomposition-sentence.ts";
import { decomposeGrowth, type Decomposition } from "#lib/domain/analysis/decomposition.ts";
import { BANDS, type BandKey } from "#lib/domain/memory/bands.ts";
import { isInsufficient, type Insufficient } from "#lib/domain/statistics/insufficient.ts";
import { listBoots, type BootRow } from "#lib/server/data/nodes.ts";
import {
  readArraySeries,
  readSeries,
  type ArrayEntry,
  type SeriesAxis,
  type SeriesFrame,
} from "#lib/server/data/series.ts";
import { segmentsOf } from "./analyse-metric.ts";
import type { Context } from "./context.ts";
import { findVisibleNode } from "./find-visible-node.ts";
import { COMPOSITION_COLUMNS, composeColumns } from "./metric-columns.ts";
import { analysisStepMs } from "./read-metric-window.ts";

/** The bands that `total.kernelUnreclaimable` is the sum of. */
const KERNEL_BANDS: readonly BandKey[] = ["sunrecl", "kstack", "ptables", "percpu", "vmalloc", "unacc"];
/** So many caches stand by themselves; the others are one part. */
const MAX_CACHES = 10;
const REST = "other caches and large kmallocs";
/** Caches with a shrinker, which SReclaimable holds: what the kernel marks so when it makes them. */
const RECLAIMABLE = /^(?:dentry|.*inode.*|radix_tree_node|buffer_head|kmalloc-rcl-.*|xfs_buf|ext4_.*_node)$/;

type Values = readonly (number | null)[];
type Caches = SeriesAxis & { readonly entries: readonly ArrayEntry<"sizeKib">[] };

/**
 * What the growth of unreclaimable kernel memory in a window is made of: bands of the composition, and within unreclaimable
 * slab the caches that grew most.
 * @throws AppError `not_found`.
 */
export async function getDecomposition({
  ctx,
  input,
}: {
  ctx: Context;
  input: { nodeId: number; fromMs: number; toMs: number };
}): Promise<DecompositionAnswer> {
  const { nodeId, fromMs, toMs } = input;
  const points = Math.ceil((toMs - fromMs) / analysisStepMs(fromMs, toMs)) + 1;
  const range = { nodeId, fromMs, toMs, points };
  const [node, frame, caches, boots] = await Promise.all([
    findVisibleNode(ctx, nodeId),
    readSeries(ctx.db, { ...range, columns: COMPOSITION_COLUMNS }),
    readArraySeries(ctx.db, { ...range, kind: "slab", fields: ["sizeKib"] }),
    listBoots(ctx.db, nodeId, fromMs, toMs),
  ]);
  const bands = bandsOf(frame, node.kernelRelease);
  const outer = decompose(frame, boots, bands.whole, bands.parts);
  const inner = decomposeSlab(frame, bands.parts.get("sunrecl"), caches, boots);
  const labels = new Map<string, string>(BANDS.map(({ key, label }) => [key, label]));
  const text = decompositionSentence(outer, inner, {
    metric: { name: "unreclaimable kernel memory", unit: "KiB" },
    nameOf: (key) => (key === "sunrecl" ? "slab" : (labels.get(key) ?? key)),
    innerKey: "sunrecl",
  });
  return {
    nodeId,
    from: fromMs,
    to: toMs,
    verdict: isInsufficient(outer) ? "insufficient" : outer.significant ? "growing" : "not-growing",
    text,
    method: isInsufficient(outer) ? "" : outer.method,
    bands: describeWhole(outer, (key) => labels.get(key) ?? key),
    slab: inner === undefined ? null : describeWhole(inner, (key) => key),
  };
}

function bandsOf(frame: SeriesFrame, kernelRelease: string): { whole: Values; parts: Map<string, Values> } {
  const points = frame.timesMs.map((_, point) =>
    composeColumns((column) => frame.columns[column]?.[point], kernelRelease),
  );
  const parts = KERNEL_BANDS.map((key) => {
    const values = points.map((composition) => composition?.bands[key] ?? null);
    return [key, values] as const;
  });
  return {
    whole: points.map((composition) => composition?.kernelUnreclaimableKib ?? null),
    // What the kernel of this window never reports is inside unaccounted, not a part of its own.
    parts: new Map(parts.filter(([, values]) => values.some((value) => value !== null))),
  };
}

function decompose(
  axis: Pick<SeriesAxis, "timesMs" | "bootIds">,
  boots: readonly BootRow[],
  whole: Values,
  parts: ReadonlyMap<string, Values>,
): Decomposition | Insufficient {
  const segments = segmentsOf(axis, whole, boots, 1);
  const cut = [...parts].map(([key, values]) => ({ key, boots: segmentsOf(axis, values, boots, 1) }));
  return decomposeGrowth({
    segments,
    parts: segments.map((_, index) =>
      cut.map(({ key, boots: own }) => ({ key, values: own[index]?.values ?? [] })),
    ),
  });
}

/** `undefined` where no cache was read or slab is not reported. */
function decomposeSlab(
  frame: SeriesFrame,
  slab: Values | undefined,
  caches: Caches,
  boots: readonly BootRow[],
): Decomposition | Insufficient | undefined {
  if (slab === undefined || caches.entries.length === 0) return undefined;
  const whole = onAxis(frame, slab, caches);
  const grown = mergedByName(caches)
    .filter(([name]) => !RECLAIMABLE.test(name))
    .map(([name, values]) => ({ name, values, change: changeOf(values, caches.bootIds) }))
    .toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change))
    .slice(0, MAX_CACHES);
  if (grown.length === 0) return undefined;
  const rest = whole.map((value, point) =>
    value === null ? null : grown.reduce((left, { values }) => left - (values[point] ?? 0), value),
  );
  const parts = new Map<string, Values>([
    ...grown.map(({ name, values }) => [name, values] as const),
    [REST, rest],
  ]);
  return decompose(caches, boots, whole, parts);
}

/** A cache that was destroyed and made again with another object size is stored twice under its name. */
function mergedByName({ entries, timesMs }: Caches): [string, number[]][] {
  const byName = new Map<string, number[]>();
  for (const { name, values } of entries) {
    // A cache that is not in a sample had no slabs then, or was too small to be sent.
    const sum = byName.get(name) ?? new Array<number>(timesMs.length).fill(0);
    byName.set(
      name,
      sum.map((value, point) => value + (values.sizeKib[point] ?? 0)),
    );
  }
  return [...byName];
}

/** Last less first, summed over boots. */
function changeOf(values: readonly number[], bootIds: readonly string[]): number {
  return values.reduce(
    (sum, value, point) =>
      point > 0 && bootIds[point] === bootIds[point - 1] ? sum + value - (values[point - 1] ?? 0) : sum,
    0,
  );
}

/** A series at the times of another: for each the nearest point of the same boot, within one bucket of the wider axis. */
function onAxis(from: SeriesAxis, values: Values, to: SeriesAxis): Values {
  const withinMs = 1000 * Math.max(from.resolution.bucketSeconds, to.resolution.bucketSeconds);
  let at = 0;
  return to.timesMs.map((timeMs, point) => {
    const far = (index: number) => Math.abs((from.timesMs[index] ?? Infinity) - timeMs);
    while (at + 1 < from.timesMs.length && far(at + 1) <= far(at)) at += 1;
    return far(at) <= withinMs && from.bootIds[at] === to.bootIds[point] ? (values[at] ?? null) : null;
  });
}

function describeWhole(
  result: Decomposition | Insufficient,
  labelOf: (key: string) => string,
): DecomposedWhole | null {
  if (isInsufficient(result)) return null;
  return {
    slopeKibPerHour: result.slopePerHour,
    ci95: [...result.ci95],
    pValue: result.pValue,
    significant: result.significant,
    n: result.n,
    from: Math.round(result.fromMs),
    to: Math.round(result.toMs),
    parts: result.parts.map(({ key, slopePerHour, ci95, share, shareCi95 }) => ({
      key,
      label: labelOf(key),
      slopeKibPerHour: slopePerHour,
      ci95: [...ci95],
      share: share ?? null,
      shareCi95: shareCi95 === undefined ? null : [...shareCi95],
    })),
  };
}
