import type { DirectoryGrowth } from "#lib/contracts/directory.ts";
import type { Trend } from "#lib/contracts/trend.ts";
import { metricKey, type MetricSource } from "#lib/domain/memory/metrics.ts";
import type { BootRow, NodeNewest } from "#lib/server/data/nodes.ts";
import { readArraySeries, type ArrayEntry, type SeriesAxis } from "#lib/server/data/series.ts";
import { describeTrend, memTotalOf, scaleOf, segmentsOf, trendOf } from "./analyse-metric.ts";
import type { Context } from "./context.ts";
import { findVisibleNode } from "./find-visible-node.ts";
import { requireMetric } from "./get-series.ts";
import { pointsOfEach, readCoveredRange } from "./read-metric-window.ts";

/** A node of Kubernetes has a tmpfs for each secret of each pod; those that nothing is in are not worth a row. */
const MOST_MOUNTS = 40;

type Values = readonly (number | null)[];

/**
 * Watched directories and tmpfs mounts of a node over a window: how full, how fast they grow, when inodes run out.
 * @throws AppError `not_found`.
 */
export async function getDirectoryGrowth({
  ctx,
  input,
}: {
  ctx: Context;
  input: { nodeId: number; fromMs: number; toMs: number };
}): Promise<DirectoryGrowth> {
  const { nodeId, fromMs, toMs } = input;
  const node = await findVisibleNode(ctx, nodeId);
  const covered = await readCoveredRange(ctx.db, { node, fromMs, toMs });
  const { boots } = covered;
  const range = { nodeId, fromMs: covered.fromMs, toMs: covered.toMs, points: pointsOfEach(covered) };
  const [watch, tmpfs] = await Promise.all([
    readArraySeries(ctx.db, { ...range, kind: "watch", fields: ["files", "atLeast"] }),
    readArraySeries(ctx.db, {
      ...range,
      kind: "tmpfs",
      fields: ["sizeKib", "usedKib", "inodes", "inodesUsed"],
    }),
  ]);
  const trendOn = (axis: SeriesAxis, source: MetricSource, values: Values) =>
    describeGrowth({ node, fromMs, toMs, boots, axis, source, values });
  const mounts = tmpfs.entries.toSorted((a, b) => fullness(b) - fullness(a) || (a.name < b.name ? -1 : 1));
  return {
    nodeId,
    from: fromMs,
    to: toMs,
    watch: watch.entries
      .toSorted((a, b) => (newest(b.values.files) ?? 0) - (newest(a.values.files) ?? 0))
      .map(({ name, values }) => ({
        path: name,
        files: newest(values.files),
        atLeast: newest(values.atLeast) === 1,
        growth: trendOn(watch, { family: "watch", directory: name, measure: "files" }, values.files),
      })),
    tmpfs: mounts.slice(0, MOST_MOUNTS).map(({ name: mount, values }) => ({
      mount,
      sizeKib: newest(values.sizeKib),
      usedKib: newest(values.usedKib),
      inodes: newest(values.inodes),
      inodesUsed: newest(values.inodesUsed),
      usedGrowth: trendOn(tmpfs, { family: "tmpfs", mount, measure: "usedKib" }, values.usedKib),
      inodeGrowth: trendOn(tmpfs, { family: "tmpfs", mount, measure: "inodes" }, values.inodesUsed),
    })),
    tmpfsTotal: mounts.length,
  };
}

function newest(values: Values): number | null {
  return values.at(-1) ?? null;
}

/** How near a mount is to the nearer of its two limits, 0 to 1; one without limits by what it holds, below all that have some. */
function fullness({ values }: ArrayEntry<"sizeKib" | "usedKib" | "inodes" | "inodesUsed">): number {
  const share = (used: Values, limit: Values) => {
    const most = newest(limit);
    return most !== null && most > 0 ? (newest(used) ?? 0) / most : 0;
  };
  const nearest = Math.max(share(values.usedKib, values.sizeKib), share(values.inodesUsed, values.inodes));
  return nearest > 0 ? nearest : (newest(values.usedKib) ?? 0) * 1e-15;
}

function describeGrowth({
  node,
  fromMs,
  toMs,
  boots,
  axis,
  source,
  values,
}: {
  node: NodeNewest;
  fromMs: number;
  toMs: number;
  boots: readonly BootRow[];
  axis: SeriesAxis;
  source: MetricSource;
  values: Values;
}): Trend {
  const metric = requireMetric(metricKey(source));
  const { unitsPerStep } = scaleOf(metric, memTotalOf(node));
  const window = { metric, node, fromMs, toMs, segments: segmentsOf(axis, values, boots, unitsPerStep) };
  return describeTrend(trendOf(window), window);
}
