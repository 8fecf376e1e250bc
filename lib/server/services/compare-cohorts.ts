import type { CohortComparison, CohortQuery } from "#lib/contracts/cohort.ts";
import { attributeSentence, cohortsSentence } from "#lib/domain/analysis/cohort-sentence.ts";
import {
  analyseCohorts,
  slopeShift,
  type AttributeCohorts,
  type CohortNode,
  type ValueCohort,
} from "#lib/domain/analysis/cohorts.ts";
import { attributesOfEach, describeAttribute } from "#lib/domain/analysis/node-attributes.ts";
import { isSimulated } from "#lib/domain/scenarios/simulated-label.ts";
import { noNodeInCluster } from "#lib/domain/analysis/ranking.ts";
import { quantile } from "#lib/domain/statistics/robust.ts";
import { readNodeTrends } from "#lib/server/data/node-trends.ts";
import { listNodesNewest, type NodeNewest } from "#lib/server/data/nodes.ts";
import type { Context } from "./context.ts";
import { requireAttribute, wrongAttribute } from "./require-attribute.ts";
import { mayBeSeenBy } from "./resolve-scope.ts";
import { requireStoredMetric } from "./stored-trends.ts";

/** A node that has been silent for so long keeps a trend that says nothing of it now. */
const STALE_MS = 24 * 3_600_000;

/**
 * What leaking nodes have in common, from the stored trends of one metric over one window; with an attribute also its nodes by
 * value, each value against all others. Corrections are over all attributes whichever is asked for.
 * @throws AppError `invalid` that names the attribute or metric that is wrong.
 */
export async function compareCohorts({
  ctx,
  input,
}: {
  ctx: Context;
  /** `orBest`: where no attribute is asked for, the one that separates best. */
  input: CohortQuery & { orBest?: boolean };
}): Promise<CohortComparison> {
  const metric = requireStoredMetric(input.metric);
  const wanted = input.attribute === undefined ? undefined : requireAttribute(input.attribute);
  const isVisible = mayBeSeenBy(ctx);
  const [all, trends] = await Promise.all([
    listNodesNewest(ctx.db),
    readNodeTrends(ctx.db, { metric: metric.key, window: input.window }),
  ]);
  const nodes = all.filter(
    (node) => isVisible(node) && (input.cluster === undefined || node.cluster === input.cluster),
  );
  const current = new Map(
    trends.flatMap((trend) => (ctx.now() - trend.computedAtMs < STALE_MS ? [[trend.nodeId, trend]] : [])),
  );
  const attributes = attributesOfEach(nodes);
  const cohorts = analyseCohorts(
    nodes.map((node): CohortNode => {
      const trend = current.get(node.nodeId);
      return {
        nodeId: node.nodeId,
        verdict: trend?.verdict ?? null,
        slopePerHour: trend?.slopePerHour ?? null,
        attributes: attributes.get(node) ?? new Map<string, string>(),
      };
    }),
  );
  const selected =
    wanted === undefined
      ? input.orBest === true
        ? cohorts.attributes[0]
        : undefined
      : cohorts.attributes.find(({ attribute }) => attribute === wanted.key);
  if (wanted !== undefined && selected === undefined) {
    throw wrongAttribute(`no node reports ${wanted.label}`);
  }
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const computedAt = Math.max(...nodes.map(({ nodeId }) => current.get(nodeId)?.computedAtMs ?? -Infinity));
  return {
    metric: metric.key,
    label: metric.label,
    unit: metric.unit,
    window: input.window,
    cluster: input.cluster ?? null,
    computedAt: Number.isFinite(computedAt) ? Math.round(computedAt) : null,
    counts: cohorts.counts,
    simulated: nodes.filter(isSimulated).length,
    text:
      nodes.length === 0 && all.length > 0 && input.cluster !== undefined
        ? noNodeInCluster(input.cluster)
        : cohortsSentence(cohorts),
    attributes: cohorts.attributes.map((each) => ({
      ...describeCohorts(each),
      values: each.values.filter(({ value }) => value !== null).length,
    })),
    selected: selected
      ? {
          ...describeCohorts(selected),
          values: selected.values.map((cohort) => describeValue(selected, cohort, byId)),
        }
      : null,
  };
}

function describeCohorts(cohorts: AttributeCohorts) {
  return {
    attribute: cohorts.attribute,
    label: describeAttribute(cohorts.attribute)?.label ?? cohorts.attribute,
    verdict: cohorts.verdict,
    text: attributeSentence(cohorts),
    separation: cohorts.separation ?? null,
    pValue: cohorts.pValue ?? null,
    sameAs: [...cohorts.sameAs],
  };
}

type DescribedValue = NonNullable<CohortComparison["selected"]>["values"][number];

function describeValue(
  cohorts: AttributeCohorts,
  cohort: ValueCohort,
  nodes: ReadonlyMap<number, NodeNewest>,
): DescribedValue {
  const { leaking, slopes } = cohort.comparison ?? {};
  const shift = slopes && slopeShift(cohorts, cohort);
  const own = cohort.nodes.flatMap(({ slopePerHour }) => (slopePerHour === null ? [] : [slopePerHour]));
  const [lower, middle, upper] = [0.25, 0.5, 0.75].map((p) => quantile(own, p));
  return {
    value: cohort.value,
    counts: cohort.counts,
    leaking: leaking
      ? { difference: leaking.difference, ci95: [...leaking.ci95], pValue: leaking.pValue }
      : null,
    slopes:
      slopes && shift
        ? {
            superiority: slopes.superiority.probability,
            superiorityCi95: [...slopes.superiority.ci95],
            shiftPerHour: shift.shift,
            shiftCi95: [...shift.ci95],
            pValue: slopes.pValue,
          }
        : null,
    quartilesPerHour:
      lower === undefined || middle === undefined || upper === undefined ? null : [lower, middle, upper],
    nodes: cohort.nodes.map(({ nodeId, verdict, slopePerHour }) => {
      const node = nodes.get(nodeId);
      return { nodeId, name: node?.name ?? "", cluster: node?.cluster ?? "", verdict, slopePerHour };
    }),
  };
}
