import type { MetricSeries } from "#lib/contracts/series.ts";
import { parseMetric, type Metric } from "#lib/domain/memory/metrics.ts";
import { AppError } from "#lib/errors.ts";
import type { SeriesRequest } from "#lib/server/data/series.ts";
import type { Context } from "./context.ts";
import { describeAxis } from "./describe-axis.ts";
import { findVisibleNode } from "./find-visible-node.ts";
import { readMetricSeries } from "./read-metric-series.ts";
import { isUnreported, unreportedText } from "./unreported.ts";

/**
 * Any metrics of a node over a window, on one time axis. A metric that the node did not report is there, all null,
 * and says why.
 * @throws AppError `not_found`; `invalid` for a name that no node can have.
 */
export async function getSeries({
  ctx,
  input,
}: {
  ctx: Context;
  input: SeriesRequest & { metrics: readonly string[] };
}): Promise<MetricSeries> {
  const metrics = [...new Set(input.metrics)].map(requireMetric);
  const node = await findVisibleNode(ctx, input.nodeId);
  const { axis, series } = await readMetricSeries(ctx.db, {
    ...input,
    metrics,
    kernelRelease: node.kernelRelease,
    withExtremes: true,
  });
  return {
    ...describeAxis(axis, input),
    series: series.map(({ metric, values, extremes }) => ({
      metric: metric.key,
      label: metric.label,
      unit: metric.unit,
      kind: metric.kind,
      values,
      ...extremes,
      ...(isUnreported([{ values }]) && {
        reason: `${unreportedText(metric, { node, fromMs: input.fromMs, toMs: input.toMs })}.`,
      }),
    })),
  };
}

/** @throws AppError `invalid` for a name that no node can have. */
export function requireMetric(name: string): Metric {
  const metric = parseMetric(name);
  if (metric !== undefined) return metric;
  throw new AppError(
    "invalid",
    `There is no metric ${JSON.stringify(name.slice(0, 100))}; see /api/v1/metrics.`,
    {
      issues: [{ path: "metric", message: "expected a name of /api/v1/metrics" }],
    },
  );
}
