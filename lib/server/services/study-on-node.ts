import type { Metric } from "#lib/domain/memory/metrics.ts";
import { AppError } from "#lib/errors.ts";
import { listAnnotations, type AnnotationRow } from "#lib/server/data/annotations.ts";
import type { Database } from "#lib/server/data/client.ts";
import type { NodeNewest } from "#lib/server/data/nodes.ts";
import type { MetricWindow } from "./analyse-metric.ts";
import { readMarkWindows } from "./read-mark-windows.ts";
import { EFFECT_KINDS, REFERENCE_MS, studyMarks, type MarkStudy, type StudyOptions } from "./study-marks.ts";

const MAX_OWN_DEEDS = 1000;
/** Of all nodes: these decide which were left alone. */
const MAX_DEEDS = 5000;

/**
 * Deeds that bear on the study of marks within a range, oldest first: those on `nodeIds`, whose windows they end or whose
 * slope they are measured against, and those on other nodes, which tell who was left alone.
 */
export async function listDeedsAround(
  db: Database,
  { fromMs, toMs, nodeIds }: { fromMs: number; toMs: number; nodeIds: readonly number[] },
  { beforeMs, afterMs }: Pick<StudyOptions, "beforeMs" | "afterMs">,
): Promise<AnnotationRow[]> {
  const range = { fromMs: fromMs - REFERENCE_MS - beforeMs, toMs: toMs + afterMs, kinds: EFFECT_KINDS };
  const all = await listAnnotations(db.prisma, { ...range, limit: MAX_DEEDS });
  if (all.length < MAX_DEEDS) return all.sort(compareDeeds);
  const own = await listAnnotations(db.prisma, { ...range, nodeIds, limit: MAX_OWN_DEEDS });
  const byId = new Map([...own, ...all].map((mark) => [mark.annotationId, mark]));
  return [...byId.values()].sort(compareDeeds);
}

function compareDeeds(a: AnnotationRow, b: AnnotationRow): number {
  return a.atMs - b.atMs || a.annotationId - b.annotationId;
}

/** When a deed was over. */
export function settledMsOf({ atMs, endsAtMs }: Pick<AnnotationRow, "atMs" | "endsAtMs">): number {
  return Math.max(atMs, endsAtMs ?? atMs);
}

/** The study of one mark on one node, and what it was computed from. */
export async function studyOnNode(
  db: Database,
  {
    mark,
    node,
    metric,
    deeds,
    options,
  }: {
    mark: AnnotationRow;
    node: NodeNewest;
    metric: Metric;
    deeds: readonly AnnotationRow[];
    options: StudyOptions;
  },
): Promise<{ study: MarkStudy; window: MetricWindow }> {
  const own = deeds.filter(({ nodeIds }) => nodeIds.includes(node.nodeId));
  const earlier = own.filter(({ atMs }) => atMs >= mark.atMs - REFERENCE_MS && atMs < mark.atMs);
  const marks = [...earlier.filter(({ annotationId }) => annotationId !== mark.annotationId), mark];
  const windowOf = await readMarkWindows(db, { metric, node, marks, all: own, options });
  const study = studyMarks(marks, own, windowOf, options).at(-1);
  if (study === undefined) throw new AppError("internal", "A mark was not studied.");
  return { study, window: windowOf(mark) };
}
