import type { Effect } from "#lib/domain/analysis/event-study.ts";
import type { Metric } from "#lib/domain/memory/metrics.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import type { AnnotationRow } from "#lib/server/data/annotations.ts";
import type { Database } from "#lib/server/data/client.ts";
import { findNodes, type NodeHeard } from "#lib/server/data/nodes.ts";
import type { MetricWindow } from "./analyse-metric.ts";
import { describeAnnotation } from "./describe-annotation.ts";
import { readMarkWindows } from "./read-mark-windows.ts";
import { studyMark, type StudyOptions } from "./study-marks.ts";

/** More control nodes make the comparison hardly narrower: their spread is what limits it. */
const MAX_CONTROLS = 8;

/** What decides whether a node can be a control. */
type Candidate = Pick<NodeHeard, "nodeId" | "clusterId" | "firstSeenAtMs" | "atMs">;

/** The study of a mark on a node that it does not concern. */
export interface ControlStudy {
  nodeId: number;
  effect: Effect;
  window: MetricWindow;
}

/**
 * The same studies on nodes that were left alone: for each mark those that it names; or of the clusters of the treated nodes
 * up to eight that no deed in its windows concerns, by name. Windows end where those of the treated nodes end.
 * @param deeds deeds on any node around the marks.
 * @returns the studies of a mark; those that the data do not allow are not there.
 */
export async function studyControls(
  db: Database,
  {
    marks,
    deeds,
    treated,
    nodes,
    metric,
    options,
  }: {
    marks: readonly AnnotationRow[];
    deeds: readonly AnnotationRow[];
    treated: readonly Candidate[];
    /** The fleet, out of which controls are taken; by cluster and name. */
    nodes: readonly Candidate[];
    metric: Metric;
    options: StudyOptions;
  },
): Promise<(mark: AnnotationRow) => ControlStudy[]> {
  const chosen = new Map(
    marks.map((mark) => [mark.annotationId, controlsOf(mark, deeds, treated, nodes, options)]),
  );
  const byMark = new Map<number, ControlStudy[]>(marks.map(({ annotationId }) => [annotationId, []]));
  const treatedIds = treated.map(({ nodeId }) => nodeId);
  const wanted = new Set([...chosen.values()].flatMap((nodeIds) => [...nodeIds]));
  // One node after the other: eight reads at once would take the pool from everybody else.
  for (const node of wanted.size === 0 ? [] : await findNodes(db, [...wanted])) {
    const own = marks.filter(({ annotationId }) => chosen.get(annotationId)?.has(node.nodeId) === true);
    const around = deeds.filter(({ nodeIds }) =>
      nodeIds.some((nodeId) => nodeId === node.nodeId || treatedIds.includes(nodeId)),
    );
    const windowOf = await readMarkWindows(db, { metric, node, marks: own, all: around, options });
    for (const mark of own) {
      const window = windowOf(mark);
      const effect = studyMark(mark, around, window, options);
      if (isInsufficient(effect) || effect.slopeChange === undefined) continue;
      byMark.get(mark.annotationId)?.push({ nodeId: node.nodeId, effect, window });
    }
  }
  return ({ annotationId }) => byMark.get(annotationId) ?? [];
}

/** Ids of the nodes that a mark is compared with. Pure. */
function controlsOf(
  mark: AnnotationRow,
  deeds: readonly AnnotationRow[],
  treated: readonly Candidate[],
  nodes: readonly Candidate[],
  { beforeMs, afterMs }: StudyOptions,
): Set<number> {
  const { controls } = describeAnnotation(mark);
  if (controls === "none") return new Set();
  const isConcerned = new Set([...mark.nodeIds, ...treated.map(({ nodeId }) => nodeId)]);
  const there = nodes
    .filter(({ nodeId }) => !isConcerned.has(nodeId))
    .filter(({ firstSeenAtMs, atMs }) => firstSeenAtMs < mark.atMs && atMs > mark.atMs);
  if (controls !== "auto") {
    const named = new Set(mark.controlNodeIds);
    return new Set(
      there.flatMap(({ nodeId }) => (named.has(nodeId) ? [nodeId] : [])).slice(0, 2 * MAX_CONTROLS),
    );
  }
  const fromMs = mark.atMs - beforeMs;
  const toMs = Math.max(mark.atMs, mark.endsAtMs ?? mark.atMs) + afterMs;
  const touched = new Set(
    deeds
      .filter(({ atMs, endsAtMs }) => atMs <= toMs && (endsAtMs ?? atMs) >= fromMs)
      .flatMap(({ nodeIds }) => nodeIds),
  );
  const clusters = new Set(treated.map(({ clusterId }) => clusterId));
  return new Set(
    there
      .filter(({ clusterId, nodeId }) => clusters.has(clusterId) && !touched.has(nodeId))
      .slice(0, MAX_CONTROLS)
      .map(({ nodeId }) => nodeId),
  );
}
