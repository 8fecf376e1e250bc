import type { Metric } from "#lib/domain/memory/metrics.ts";
import type { AnnotationRow } from "#lib/server/data/annotations.ts";
import type { Database } from "#lib/server/data/client.ts";
import type { NodeNewest } from "#lib/server/data/nodes.ts";
import type { MetricWindow } from "./analyse-metric.ts";
import { readMetricWindow } from "./read-metric-window.ts";
import { stepOf, type StudyOptions } from "./study-marks.ts";

/** Most points of one reading; one mark alone may ask for more, and then gets wider means. */
const MAX_POINTS = 3600;

interface Stretch {
  fromMs: number;
  toMs: number;
  readonly annotationIds: number[];
}

/** Joins the windows of marks, oldest first, into readings of at most {@link MAX_POINTS} means each. */
function stretchesOf(
  marks: readonly AnnotationRow[],
  stepMs: number,
  { beforeMs, afterMs, nowMs }: StudyOptions,
): Stretch[] {
  const stretches: Stretch[] = [];
  for (const { annotationId, atMs, endsAtMs } of [...marks].sort((a, b) => a.atMs - b.atMs)) {
    // On the edge of a mean, so that the same samples make the same means in every reading.
    const fromMs = Math.floor((atMs - beforeMs) / stepMs) * stepMs;
    const toMs = Math.max(fromMs + 1, Math.min(nowMs, Math.max(atMs, endsAtMs ?? atMs) + afterMs));
    const last = stretches.at(-1);
    if (last !== undefined && Math.max(last.toMs, toMs) - last.fromMs <= MAX_POINTS * stepMs) {
      last.toMs = Math.max(last.toMs, toMs);
      last.annotationIds.push(annotationId);
    } else stretches.push({ fromMs, toMs, annotationIds: [annotationId] });
  }
  return stretches;
}

/**
 * The window that each of some marks is studied on: few readings, in each marks that lie near and want means of the same
 * width. How far apart the others lie never widens the means of a mark: its verdict would depend on its company.
 * @param all every mark of the node around them: windows end at neighbours, so these decide the width too.
 */
export async function readMarkWindows(
  db: Database,
  {
    metric,
    node,
    marks,
    all,
    options,
  }: {
    metric: Metric;
    node: NodeNewest;
    marks: readonly AnnotationRow[];
    all: readonly AnnotationRow[];
    options: StudyOptions;
  },
): Promise<(mark: AnnotationRow) => MetricWindow> {
  const steps = new Map(marks.map((mark) => [mark.annotationId, stepOf(mark, all, options, node)]));
  const windows = new Map<number, MetricWindow>();
  for (const stepMs of new Set(steps.values())) {
    const own = marks.filter(({ annotationId }) => steps.get(annotationId) === stepMs);
    for (const { fromMs, toMs, annotationIds } of stretchesOf(own, stepMs, options)) {
      const window = await readMetricWindow(db, { metric, node, fromMs, toMs, stepMs });
      for (const annotationId of annotationIds) windows.set(annotationId, window);
    }
  }
  return ({ annotationId }) => {
    const window = windows.get(annotationId);
    if (window === undefined) throw new RangeError(`mark ${annotationId} was not among those read`);
    return window;
  };
}
