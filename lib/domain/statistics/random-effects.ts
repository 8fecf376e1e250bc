/** One estimate with its own standard error, in the unit of the estimate. */
export interface NodeEstimate {
  readonly value: number;
  readonly standardError: number;
}

/** Means of groups of estimates that differ by more than their own errors. */
export interface RandomEffects {
  /** Weighted mean of each group, and its variance by {@link betweenVariance} and `scale`. */
  readonly groups: readonly {
    readonly mean: number;
    readonly variance: number;
    readonly ownVariance: number;
  }[];
  /** Variance between members of a group beyond their own errors; 0 where the spread does not ask for any. */
  readonly betweenVariance: number;
  /** Members less groups: how much the spread is known. 0 when each group has one member. */
  readonly degreesOfFreedom: number;
}

/**
 * Random-effects means: what several nodes show on average when each has its own error and nodes also differ by themselves.
 *
 * Each member of a group is taken as the group's mean, plus a deviation of the node (one variance for all groups), plus the
 * estimate's own error. The variance between nodes is found after Paule and Mandel: such that the weighted squares around
 * the group means are as large as their degrees of freedom. Where they are smaller even without it, variances shrink in
 * proportion, which with a Student t of `degreesOfFreedom` gives the coverage of Hartung and Knapp.
 * `ownVariance` is that of the mean if nodes did not differ: no interval should be narrower than it allows.
 *
 * Assumes: nodes are independent given the mean; own errors are roughly right; groups vary alike.
 * Misleads: one member in each group says nothing about how nodes differ (0 degrees of freedom, no variance between them).
 * References: R. C. Paule and J. Mandel, J. Res. Natl. Bur. Stand. 87 (1982) 377-385; J. Hartung and G. Knapp, Statistics
 * in Medicine 20 (2001) 3875-3889. Cost: O(n) for each of about 100 bisections.
 *
 * @example fitRandomEffects([[{ value: 1, standardError: 1 }, { value: 5, standardError: 1 }]])
 * // groups [{ mean: 3, variance: 4, ownVariance: 0.5 }], betweenVariance 7, degreesOfFreedom 1
 */
export function fitRandomEffects(groups: readonly (readonly NodeEstimate[])[]): RandomEffects {
  const members = groups.flat();
  // An exact fit has no error; with weights without bound nothing could be weighed.
  const least = Math.max(1e-30, ...members.map(({ value }) => 1e-18 * value * value));
  const own = groups.map((group) =>
    group.map(({ value, standardError }) => ({ value, variance: Math.max(standardError ** 2, least) })),
  );
  const degreesOfFreedom = members.length - groups.length;
  const largest = Math.max(...own.flat().map(({ variance }) => variance));
  const spreadAtZero = weightedSquares(own, 0);
  let betweenVariance = 0;
  if (degreesOfFreedom > 0 && spreadAtZero > degreesOfFreedom) {
    let high = largest;
    while (weightedSquares(own, high) > degreesOfFreedom) high *= 2;
    let low = 0;
    for (let i = 0; i < 200 && high - low > 1e-14 * high; i += 1) {
      const middle = (low + high) / 2;
      if (weightedSquares(own, middle) > degreesOfFreedom) low = middle;
      else high = middle;
    }
    betweenVariance = (low + high) / 2;
  }
  const scale = betweenVariance > 0 || degreesOfFreedom === 0 ? 1 : spreadAtZero / degreesOfFreedom;
  return {
    groups: own.map((group) => {
      const { mean, weight } = weightedMean(group, betweenVariance);
      return { mean, variance: scale / weight, ownVariance: 1 / weightedMean(group, 0).weight };
    }),
    betweenVariance,
    degreesOfFreedom,
  };
}

type Weighed = readonly { readonly value: number; readonly variance: number }[];

function weightedMean(group: Weighed, between: number): { mean: number; weight: number } {
  let weight = 0;
  let sum = 0;
  for (const { value, variance } of group) {
    weight += 1 / (variance + between);
    sum += value / (variance + between);
  }
  return { mean: sum / weight, weight };
}

/** Squares around the means of the groups, each over its variance: falls as the variance between grows. */
function weightedSquares(groups: readonly Weighed[], between: number): number {
  let sum = 0;
  for (const group of groups) {
    const { mean } = weightedMean(group, between);
    for (const { value, variance } of group) sum += (value - mean) ** 2 / (variance + between);
  }
  return sum;
}
