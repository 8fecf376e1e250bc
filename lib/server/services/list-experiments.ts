import type { Experiment, ExperimentList, ExperimentListQuery } from "#lib/contracts/experiment.ts";
import { experiment, followUp } from "#lib/contracts/experiment.ts";
import { isSimulated } from "#lib/domain/scenarios/simulated-label.ts";
import { AppError } from "#lib/errors.ts";
import { findAnnotations, type AnnotationRow } from "#lib/server/data/annotations.ts";
import {
  findExperiments,
  listExperimentMarks,
  listFollowUps,
  type ExperimentRow,
  type FollowUpRow,
} from "#lib/server/data/experiments.ts";
import type { NodeName } from "#lib/server/data/nodes.ts";
import type { Context } from "./context.ts";
import { describeAnnotation } from "./describe-annotation.ts";
import { findVisibleAnnotation } from "./find-editable-annotation.ts";
import { FOLLOWED_KINDS } from "./resolve-controls.ts";
import { narrowNodeIds } from "./narrow-list.ts";
import { isConfined, listVisibleNodes } from "./resolve-scope.ts";

const MAX_NAMES = 50;

/** The log of what was done over the fleet and what came of it, newest first; what the actor may see. */
export async function listExperiments({
  ctx,
  input,
}: {
  ctx: Context;
  input: ExperimentListQuery;
}): Promise<ExperimentList> {
  const visible = await listVisibleNodes(ctx);
  const own = isConfined(ctx) ? visible.map(({ nodeId }) => nodeId) : undefined;
  const { annotationIds, total } = await listExperimentMarks(ctx.db, {
    kinds: input.kind === undefined ? FOLLOWED_KINDS : [input.kind],
    status: input.status,
    search: input.search === "" ? undefined : input.search,
    nodeIds: narrowNodeIds(own, input.nodeId),
    limit: input.limit,
    offset: input.offset,
  });
  const [marks, rows, followUps] = await Promise.all([
    findAnnotations(ctx.db.prisma, annotationIds),
    findExperiments(ctx.db.prisma, annotationIds),
    listFollowUps(ctx.db.prisma, annotationIds),
  ]);
  return {
    total,
    experiments: annotationIds.flatMap((annotationId) => {
      const mark = marks.get(annotationId);
      if (mark === undefined) return [];
      const found = followUps.filter((each) => each.annotationId === annotationId);
      return [describeExperiment(mark, rows.get(annotationId), found, visible)];
    }),
  };
}

/**
 * One experiment with everything that was ever found, also what no longer holds, oldest first.
 * @throws AppError `not_found` for a mark that is not there, or of a kind that is not followed.
 */
export async function getFollowUps({
  ctx,
  input: { annotationId },
}: {
  ctx: Context;
  input: { annotationId: number };
}): Promise<Experiment> {
  const mark = await findVisibleAnnotation(ctx, annotationId);
  if (!FOLLOWED_KINDS.some((kind) => kind === mark.kind)) {
    throw new AppError(
      "not_found",
      `Annotation ${annotationId} is of kind ${mark.kind}; only ${FOLLOWED_KINDS.join(" and ")} are followed.`,
    );
  }
  const [rows, followUps, visible] = await Promise.all([
    findExperiments(ctx.db.prisma, [annotationId]),
    listFollowUps(ctx.db.prisma, [annotationId], { superseded: true }),
    listVisibleNodes(ctx),
  ]);
  return describeExperiment(mark, rows.get(annotationId), followUps, visible);
}

/** An experiment as the contract has it; nodes that the actor may not see are counted, not named. Pure. */
function describeExperiment(
  mark: AnnotationRow,
  row: ExperimentRow | undefined,
  followUps: readonly FollowUpRow[],
  visible: readonly NodeName[],
): Experiment {
  const { annotationId, at, endsAt, kind, title, text, author, nodeIds, controls, controlNodeIds } =
    describeAnnotation(mark);
  const named = (ids: readonly number[]) => {
    const wanted = new Set(ids);
    return visible
      .filter(({ nodeId }) => wanted.has(nodeId))
      .slice(0, MAX_NAMES)
      .map(({ nodeId, cluster, name, labels }) => ({
        nodeId,
        cluster,
        name,
        simulated: isSimulated({ labels }),
      }));
  };
  const seen = new Set(visible.map(({ nodeId }) => nodeId));
  const compared = followUps.findLast(
    ({ controlNodeIds: ids, supersededAtMs }) => ids.length > 0 && supersededAtMs === null,
  );
  return {
    annotationId,
    at,
    endsAt,
    kind,
    title,
    text,
    author,
    treated: named(nodeIds),
    treatedCount: nodeIds.length,
    controls,
    controlNodes: named(compared?.controlNodeIds ?? controlNodeIds),
    status: experiment.shape.status.parse(row?.status ?? "following"),
    statusAt: row?.statusAtMs ?? mark.createdAtMs,
    returnedAt: row?.returnedAtMs ?? null,
    metrics: row?.metrics ?? [],
    nextLookAt: row === undefined ? mark.atMs : row.nextLookAtMs,
    followUps: followUps
      .filter(({ nodeId }) => nodeId === null || seen.has(nodeId))
      .map((each) => ({
        followUpId: each.followUpId,
        nodeId: each.nodeId,
        metric: each.metric,
        horizon: followUp.shape.horizon.parse(each.horizon),
        dueAt: each.dueAtMs,
        computedAt: each.computedAtMs,
        checkedAt: each.checkedAtMs,
        supersededAt: each.supersededAtMs,
        treatedNodeIds: each.treatedNodeIds.filter((nodeId) => seen.has(nodeId)),
        controlNodeIds: each.controlNodeIds.filter((nodeId) => seen.has(nodeId)),
        dataHash: each.dataHash,
        effect: followUp.shape.effect.parse(each.effect),
      })),
  };
}
