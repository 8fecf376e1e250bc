import { DEFAULT_METRIC } from "#lib/domain/memory/metrics.ts";
import type { Effect as EffectAnswer } from "#lib/contracts/annotation.ts";
import {
  bendUpwardsMs,
  isReturnedGrowth,
  RETURN_LEAST_MS,
  returnThresholdPerHour,
  type Finding,
} from "#lib/domain/analysis/experiment.ts";
import { returnSentence } from "#lib/domain/analysis/effect-sentence.ts";
import type { Effect } from "#lib/domain/analysis/event-study.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import type { AnnotationRow } from "#lib/server/data/annotations.ts";
import type { NodeNewest } from "#lib/server/data/nodes.ts";
import { memTotalOf, scaleOf, trendOf, type MetricWindow } from "./analyse-metric.ts";
import type { Context } from "./context.ts";
import { requireMetric } from "./get-series.ts";
import { readMetricWindow } from "./read-metric-window.ts";
import { momentText } from "./describe-moment.ts";
import { describeEffect, neighboursOf, studyMark } from "./study-marks.ts";

const LONGEST_LOOK_MS = 24 * 3_600_000;
/** How far back the bend is looked for. */
const BEND_MS = 48 * 3_600_000;

/**
 * Growth of a treated node that had stopped or slowed and is there again: over the last hours, as many as it took to see that
 * it stopped (at least 6, at most 24, none before the last deed), a persistent trend whose lower end is as steep as
 * `returnThresholdPerHour` asks, and which is no warm-up of a boot.
 * @returns since about when, and slope and level before and after that.
 */
export async function findReturnedGrowth(
  ctx: Context,
  {
    mark,
    node,
    deeds,
    settledMs,
    finding,
    lookBackMs,
  }: {
    mark: AnnotationRow;
    node: NodeNewest;
    deeds: readonly AnnotationRow[];
    settledMs: number;
    finding: Finding;
    lookBackMs: number;
  },
): Promise<
  | {
      atMs: number;
      effect: EffectAnswer;
      /** What it was computed from. */
      used: { nodeId: number; effect: Effect; window: MetricWindow }[];
    }
  | undefined
> {
  const threshold = returnThresholdPerHour(finding);
  if (threshold === undefined) return undefined;
  const nowMs = ctx.now();
  const metric = requireMetric(DEFAULT_METRIC);
  const lookMs = Math.min(LONGEST_LOOK_MS, Math.max(RETURN_LEAST_MS, lookBackMs));
  const own = deeds.filter(({ nodeIds }) => nodeIds.includes(node.nodeId));
  const lastDeedMs = Math.max(
    settledMs,
    ...neighboursOf(mark, own).filter((timeMs) => timeMs > settledMs && timeMs <= nowMs),
  );
  const fromMs = Math.max(lastDeedMs, nowMs - lookMs);
  if (nowMs - fromMs < RETURN_LEAST_MS) return undefined;
  const recent = await readMetricWindow(ctx.db, { metric, node, fromMs, toMs: nowMs });
  const trend = trendOf(recent);
  if (isInsufficient(trend) || !isReturnedGrowth(trend, threshold, recent.dailyRange?.range))
    return undefined;

  const sinceMs = Math.max(lastDeedMs, nowMs - BEND_MS);
  const window = await readMetricWindow(ctx.db, { metric, node, fromMs: sinceMs, toMs: nowMs });
  const bend = bendUpwardsMs(window.segments, [sinceMs, nowMs]);
  const atMs = Math.round(bend ?? fromMs);
  const bent: AnnotationRow = { ...mark, atMs, endsAtMs: null };
  const effect = studyMark(bent, [], window, { beforeMs: atMs - sinceMs, afterMs: nowMs - atMs, nowMs });
  const answer = describeEffect({ mark: bent, effect }, window, { zone: "utc", nowMs: 0 });
  const { words } = scaleOf(metric, memTotalOf(node));
  return {
    atMs,
    effect: {
      ...answer,
      text: returnSentence({
        metric: words,
        // The bend is an estimate: a minute would say more than it knows.
        since: momentText(Math.round(atMs / 600_000) * 600_000, "utc", 0),
        now: { slopePerHour: trend.slopePerHour, ci95: trend.ci95 },
        ended: finding.after,
      }),
    },
    used: isInsufficient(effect) ? [] : [{ nodeId: node.nodeId, effect, window }],
  };
}
