import { insufficient, type Insufficient } from "./insufficient.ts";
import { normalQuantile } from "./normal-distribution.ts";
import { fitRandomEffects, type NodeEstimate } from "./random-effects.ts";
import { tQuantile } from "./t-distribution.ts";

/** A 95 % interval of a pooled estimate and what it rests on. */
export interface PooledEstimate {
  readonly value: number;
  readonly standardError: number;
  readonly ci95: readonly [number, number];
  /** Of Student's t in the interval: nodes less groups, at least 1. */
  readonly degreesOfFreedom: number;
}

/**
 * Difference in differences: what changed on the treated nodes less what changed meanwhile on nodes left alone.
 *
 * Takes one before-after change a node, with its standard error, so that the error within a node (serial correlation and
 * all) is the business of the regression it comes from; then compares the two groups with Student's t for as many degrees
 * of freedom as there are nodes beyond two. Few nodes make wide intervals: t is 12.7 with one treated node and two controls,
 * 4.3 with three, 3.2 with four, 2.4 with eight. No interval is narrower than the nodes' own errors allow.
 *
 * Assumes: without the treatment both groups would have changed alike, save for differences between nodes that are alike in
 * both groups; control nodes are untouched by the treatment (a job that moves from a drained node to a control is not).
 * Misleads: with one node on each side nothing tells how much nodes differ; the interval then takes t with one degree of
 * freedom on the nodes' own errors, which holds 95 % while that difference is up to about six times these errors. Where effects differ from node to node
 * the interval is that of their mean.
 * References: S. G. Donald and K. Lang, Review of Economics and Statistics 89 (2007) 221-233, for two steps and t; M. Bertrand,
 * E. Duflo and S. Mullainathan, Quarterly Journal of Economics 119 (2004) 249-275, for why the usual errors are too small;
 * {@link fitRandomEffects} for the variance. Cost: that of the variance, O(n) a bisection.
 *
 * @example differenceInDifferences(
 *   [{ value: -10, standardError: 1 }],
 *   [{ value: 0, standardError: 1 }, { value: 2, standardError: 1 }, { value: 4, standardError: 1 }],
 * ) // value -12, ci95 [-21.9366, -2.0634], degreesOfFreedom 2
 */
export function differenceInDifferences(
  treated: readonly NodeEstimate[],
  controls: readonly NodeEstimate[],
): PooledEstimate | Insufficient {
  if (treated.length === 0) return insufficient("treated nodes with an estimate", 1, 0);
  if (controls.length === 0) return insufficient("control nodes with an estimate", 1, 0);
  return contrast([treated, controls], [1, -1]);
}

/**
 * Mean over nodes that differ, with Student's t for their number less one.
 *
 * Assumes: the nodes are a fair sample of those the statement is about. Misleads: with two nodes t is 12.7.
 * Reference and cost: {@link fitRandomEffects}. {@link Insufficient} with fewer than two.
 *
 * @example poolEstimates([{ value: 1, standardError: 1 }, { value: 5, standardError: 1 }])
 * // value 3, ci95 [-22.4124, 28.4124], degreesOfFreedom 1
 */
export function poolEstimates(estimates: readonly NodeEstimate[]): PooledEstimate | Insufficient {
  return estimates.length < 2
    ? insufficient("nodes with an estimate", 2, estimates.length)
    : contrast([estimates], [1]);
}

function contrast(groups: readonly (readonly NodeEstimate[])[], signs: readonly number[]): PooledEstimate {
  const fit = fitRandomEffects(groups);
  const value = fit.groups.reduce((sum, { mean }, index) => sum + (signs[index] ?? 0) * mean, 0);
  const variance = fit.groups.reduce((sum, group) => sum + group.variance, 0);
  const ownVariance = fit.groups.reduce((sum, group) => sum + group.ownVariance, 0);
  const degreesOfFreedom = Math.max(1, fit.degreesOfFreedom);
  const halfWidth = Math.max(
    tQuantile(0.975, degreesOfFreedom) * Math.sqrt(variance),
    normalQuantile(0.975) * Math.sqrt(ownVariance),
  );
  return {
    value,
    standardError: Math.sqrt(Math.max(variance, ownVariance)),
    ci95: [value - halfWidth, value + halfWidth],
    degreesOfFreedom,
  };
}
