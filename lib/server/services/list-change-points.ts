import type { ChangePoint, ChangePointList } from "#lib/contracts/change-point.ts";
import { changePointSentence } from "#lib/domain/analysis/change-point-sentence.ts";
import { findChangePoints, type BootChanges } from "#lib/domain/analysis/change-points.ts";
import { lackingText } from "#lib/domain/analysis/lacking-text.ts";
import { nearbyMarks } from "#lib/domain/analysis/nearby-marks.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import { listAnnotations, type AnnotationRow } from "#lib/server/data/annotations.ts";
import { memTotalOf, scaledEnds, scaleOf, type MetricScale } from "./analyse-metric.ts";
import type { Context } from "./context.ts";
import { describeAnnotation } from "./describe-annotation.ts";
import { clockBeside, momentText } from "./describe-moment.ts";
import { findVisibleNode } from "./find-visible-node.ts";
import { requireMetric } from "./get-series.ts";
import { readAnalysisWindow } from "./read-metric-window.ts";
import { isUnreported, unreportedText } from "./unreported.ts";

/** Marks further outside a window cannot be near anything in it. */
const MARKS_REACH_MS = 4 * 3_600_000;
const MAX_MARKS = 500;

/**
 * When the slope of a metric of a node changed in a window, and which marks stand near.
 * @throws AppError `not_found`, or `invalid` for a metric that no node can have.
 */
export async function listChangePoints({
  ctx,
  input,
}: {
  ctx: Context;
  input: { nodeId: number; metric: string; fromMs: number; toMs: number; zone: string };
}): Promise<ChangePointList> {
  const { nodeId, fromMs, toMs, zone } = input;
  const metric = requireMetric(input.metric);
  const node = await findVisibleNode(ctx, nodeId);
  const [window, marks] = await Promise.all([
    readAnalysisWindow(ctx.db, { metric, node, fromMs, toMs }),
    listAnnotations(ctx.db.prisma, {
      fromMs: Math.max(0, fromMs - MARKS_REACH_MS),
      toMs: toMs + MARKS_REACH_MS,
      nodeIds: [nodeId],
      limit: MAX_MARKS,
    }),
  ]);
  const scale = scaleOf(metric, memTotalOf(node));
  const found = findChangePoints({ segments: window.segments, materialPerHour: scale.materialPerHour });
  const shared = { nodeId, metric: metric.key, unit: metric.unit, from: fromMs, to: toMs };
  if (isInsufficient(found)) {
    const lack = isUnreported(window.segments) ? unreportedText(metric, window) : lackingText(found);
    const text = `Cannot say whether the growth of ${scale.words.name} changed: ${lack}.`;
    return { ...shared, verdict: "insufficient", text, method: "", changePoints: [], stretches: [] };
  }
  const changePoints = found.boots.flatMap((boot) =>
    describeChanges(boot, { scale, marks, zone, nowMs: ctx.now() }),
  );
  return {
    ...shared,
    verdict: changePoints.length > 0 ? "changed" : "unchanged",
    text: summary(changePoints.length, scale),
    method: found.method,
    changePoints,
    stretches: found.boots.flatMap(({ bootId, stretches }) =>
      stretches.map(({ fromMs: from, toMs: to, slope }) => ({
        bootId,
        from: Math.round(from),
        to: Math.round(to),
        slopePerHour: slope.perHour * scale.unitsPerStep,
        ci95: scaledEnds(slope.ci95, scale.unitsPerStep),
      })),
    ),
  };
}

function summary(count: number, { words }: MetricScale): string {
  if (count === 0) return `The growth of ${words.name} did not change within a boot of this window.`;
  return `The growth of ${words.name} changed ${count === 1 ? "once" : `${count} times`} in this window.`;
}

function describeChanges(
  { bootId, changes }: BootChanges,
  {
    scale,
    marks,
    zone,
    nowMs,
  }: { scale: MetricScale; marks: readonly AnnotationRow[]; zone: string; nowMs: number },
): ChangePoint[] {
  return changes.map((each) => ({
    bootId,
    at: Math.round(each.atMs),
    ci95: [Math.round(each.ci95Ms[0]), Math.round(each.ci95Ms[1])],
    slopePerHourBefore: each.before.perHour * scale.unitsPerStep,
    ci95Before: scaledEnds(each.before.ci95, scale.unitsPerStep),
    slopePerHourAfter: each.after.perHour * scale.unitsPerStep,
    ci95After: scaledEnds(each.after.ci95, scale.unitsPerStep),
    slopeChangePerHour: each.change.perHour * scale.unitsPerStep,
    ci95Change: scaledEnds(each.change.ci95, scale.unitsPerStep),
    text: changePointSentence(each, scale.words, {
      at: momentText(each.atMs, zone, nowMs),
      from: clockBeside(each.ci95Ms[0], each.atMs, zone),
      to: clockBeside(each.ci95Ms[1], each.atMs, zone),
    }),
    nearby: nearbyMarks(each, marks).map(({ mark, offsetMs, when }) => ({
      annotation: describeAnnotation(mark),
      offsetMs: Math.round(offsetMs),
      text: `${mark.title}, ${when}`,
    })),
  }));
}
