import type { Metric } from "#lib/domain/memory/metrics.ts";
import type { AnnotationRow } from "#lib/server/data/annotations.ts";
import type { Database } from "#lib/server/data/client.ts";
import type { NodeNewest } from "#lib/server/data/nodes.ts";
import type { MetricWindow } from "./analyse-metric.ts";
import { readMetricWindow } from "./read-metric-window.ts";
import { stepOf, type StudyOptions } from "./study-marks.ts";

/**
 * The window that each of some marks is studied on: one reading for all marks that want means of the same width.
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
    const fromMs = Math.min(...own.map(({ atMs }) => atMs)) - options.beforeMs;
    const endMs = Math.max(...own.map(({ atMs, endsAtMs }) => Math.max(atMs, endsAtMs ?? atMs)));
    const toMs = Math.max(fromMs + 1, Math.min(options.nowMs, endMs + options.afterMs));
    windows.set(stepMs, await readMetricWindow(db, { metric, node, fromMs, toMs, stepMs }));
  }
  return ({ annotationId }) => {
    const window = windows.get(steps.get(annotationId) ?? 0);
    if (window === undefined) throw new RangeError(`mark ${annotationId} was not among those read`);
    return window;
  };
}
