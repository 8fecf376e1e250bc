import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import type { Metric } from "#lib/domain/memory/metrics.ts";
import { CREATED_PREFIX } from "#lib/domain/memory/section-metrics.ts";
import type { NodeNewest } from "#lib/server/data/nodes.ts";
import { memTotalOf, scaleOf, type MetricWindow } from "./analyse-metric.ts";

type Values = ArrayLike<number | null>;

/** Whether a window holds no value of a metric at all. */
export function isUnreported(boots: readonly { readonly values: Values }[]): boolean {
  return boots.every(({ values }) => Array.from(values).every((value) => value === null));
}

/**
 * Why a window may hold no value of a metric, inside a sentence: that the node sent nothing then, or that it has nothing of that
 * name, which is most often a name that was typed. Pure.
 *
 * @example "w02 reported no such slab cache in this window"
 */
export function unreportedText(
  metric: Metric,
  { node, fromMs, toMs }: { node: NodeNewest; fromMs: number; toMs: number },
): string {
  const name = isolatedText(node.name);
  const silent = node.atMs < fromMs || node.firstSeenAtMs >= toMs;
  return `${name} ${silent ? "sent nothing" : lackOf(metric)} in this window`;
}

/** The sentence of a trend whose window holds no value. Pure. */
export function unreportedTrend(window: MetricWindow): string {
  const { words } = scaleOf(window.metric, memTotalOf(window.node));
  return `Cannot say whether ${words.name} grows: ${unreportedText(window.metric, window)}.`;
}

function lackOf({ key, source }: Metric): string {
  switch (source.family) {
    case "slab":
      return "reported no such slab cache";
    case "watch":
      return "watched no such directory";
    case "tmpfs":
      return "reported no such tmpfs";
    case "meminfo":
    case "vmstat":
      return "reported no such counter";
    default:
      return key.startsWith(CREATED_PREFIX) ? "reported no such creator of containers" : "did not report it";
  }
}
