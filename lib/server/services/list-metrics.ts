import type { MetricList } from "#lib/contracts/series.ts";
import { METRIC_FAMILIES, METRICS } from "#lib/domain/memory/metrics.ts";

/** Names, units and kinds of all series; a part in angle brackets stands for what a node reports. Pure. */
export function listMetrics(): MetricList {
  return {
    metrics: [...METRICS, ...METRIC_FAMILIES].map(({ key, label, unit, kind, description }) => ({
      key,
      label,
      unit,
      kind,
      description,
    })),
  };
}
