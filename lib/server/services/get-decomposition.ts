import type { DecomposedWhole, Decomposition as DecompositionAnswer } from "#lib/contracts/decomposition.ts";
import { decompositionSentence } from "#lib/domain/analysis/decomposition-sentence.ts";
import type { Decomposition } from "#lib/domain/analysis/decomposition.ts";
import { isReclaimableCache } from "#lib/domain/diagnosis/slab-caches.ts";
import { BANDS, UNRECLAIMABLE_BANDS } from "#lib/domain/memory/bands.ts";
import { materialSlopeKibPerHour } from "#lib/domain/memory/materiality.ts";
import { DEFAULT_METRIC } from "#lib/domain/memory/metrics.ts";
import { isInsufficient, type Insufficient } from "#lib/domain/statistics/insufficient.ts";
import type { BootRow } from "#lib/server/data/nodes.ts";
import { readArraySeries, readSeries, type SeriesFrame } from "#lib/server/data/series.ts";
import { readSnapshotAt } from "#lib/server/data/snapshot-at.ts";
import { memTotalOf } from "./analyse-metric.ts";
import type { Context } from "./context.ts";
import { findVisibleNode } from "./find-visible-node.ts";
import { requireMetric } from "./get-series.ts";
import { COMPOSITION_COLUMNS, composeFrame } from "./metric-columns.ts";
import { analysisPoints, readCoveredRange } from "./read-metric-window.ts";
import { changeOf, decompose, onAxis, mergedNamesOf, sizesByName, type SlabHistory } from "./slab-history.ts";
import { isUnreported, unreportedText } from "./unreported.ts";

/** So many caches stand by themselves; the others are one part. */
const MAX_CACHES = 10;
const REST = "other caches and large kmallocs";

type Values = readonly (number | null)[];

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
  const node = await findVisibleNode(ctx, nodeId);
  const covered = await readCoveredRange(ctx.db, { node, fromMs, toMs });
  const { boots } = covered;
  const range = { nodeId, fromMs: covered.fromMs, toMs: covered.toMs, points: analysisPoints(covered) };
  const [frame, caches, newest] = await Promise.all([
    readSeries(ctx.db, { ...range, columns: COMPOSITION_COLUMNS }),
    readArraySeries(ctx.db, { ...range, kind: "slab", fields: ["sizeKib"] }),
    readSnapshotAt(ctx.db, nodeId, toMs),
  ]);
  const merged = mergedNamesOf(newest);
  const unreclaimable = sizesByName(caches).filter(([name]) => !isReclaimableCache(name, merged));
  const bands = bandsOf(frame, node.kernelRelease);
  const outer = decompose(frame, boots, bands.whole, bands.parts);
  const inner = decomposeSlab(frame, bands.parts.get("sunrecl"), { caches, unreclaimable }, boots);
  const labels = new Map<string, string>(BANDS.map(({ key, label }) => [key, label]));
  const metric = { name: "unreclaimable kernel memory", unit: "KiB" } as const;
  const said = decompositionSentence(outer, inner, {
    metric,
    nameOf: (key) => (key === "sunrecl" ? "slab" : (labels.get(key) ?? key)),
    innerKey: "sunrecl",
    materialPerHour: materialSlopeKibPerHour(memTotalOf(node)),
  });
  const text = isUnreported([{ values: bands.whole }])
    ? `Cannot say what ${metric.name} grew by: ${unreportedText(requireMetric(DEFAULT_METRIC), { node, fromMs, toMs })}.`
    : said;
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
  const points = composeFrame(frame, kernelRelease);
  const parts = UNRECLAIMABLE_BANDS.map((key) => {
    const values = points.map((composition) => composition?.bands[key] ?? null);
    return [key, values] as const;
  });
  return {
    whole: points.map((composition) => composition?.kernelUnreclaimableKib ?? null),
    // What the kernel of this window never reports is inside unaccounted, not a part of its own.
    parts: new Map(parts.filter(([, values]) => values.some((value) => value !== null))),
  };
}

/** `undefined` where no cache was read or slab is not reported. */
function decomposeSlab(
  frame: SeriesFrame,
  slab: Values | undefined,
  { caches, unreclaimable }: { caches: SlabHistory; unreclaimable: ReturnType<typeof sizesByName> },
  boots: readonly BootRow[],
): Decomposition | Insufficient | undefined {
  if (slab === undefined || caches.entries.length === 0) return undefined;
  const whole = onAxis(frame, slab, caches);
  const grown = unreclaimable
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
