import { fisherExactTest } from "#lib/domain/statistics/fisher-exact.ts";
import type { Shift } from "#lib/domain/statistics/hodges-lehmann.ts";
import { hodgesLehmannShift } from "#lib/domain/statistics/hodges-lehmann.ts";
import { holm } from "#lib/domain/statistics/multiple-testing.ts";
import { rankSumTest } from "#lib/domain/statistics/rank-sum.ts";
import type { RiskDifference } from "#lib/domain/statistics/risk-difference.ts";
import { riskDifference } from "#lib/domain/statistics/risk-difference.ts";
import { signTest } from "#lib/domain/statistics/sign-test.ts";
import type { Superiority } from "#lib/domain/statistics/superiority.ts";
import { probabilityOfSuperiority } from "#lib/domain/statistics/superiority.ts";
import type { TrendVerdict } from "./vocabulary.ts";

/** Least nodes on either side of a comparison. */
export const COHORT_MINIMUM = 3;

/** Level of the corrected p value below which an attribute is said to separate leaking nodes from healthy ones. */
export const COHORT_LEVEL = 0.05;

/** A node, its trend and what it is made of. */
export interface CohortNode {
  readonly nodeId: number;
  /** `null`: there is no trend. */
  readonly verdict: TrendVerdict | null;
  /** In the unit of the metric an hour; `null` where there was too little data for one. */
  readonly slopePerHour: number | null;
  /** Value by attribute; what the node does not report is not there. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** Which side of a comparison a node stands on; *undecided* and *unknown* ones stand on neither. */
export type CohortState = "leaking" | "healthy" | "undecided" | "unknown";

const STATES: Readonly<Record<TrendVerdict, CohortState>> = {
  leaking: "leaking",
  growing: "undecided",
  stepped: "undecided",
  "levelling-off": "undecided",
  flat: "healthy",
  shrinking: "healthy",
  insufficient: "unknown",
};

/**
 * Only *flat* and *shrinking* are healthy: a node that was just rebooted, is silent or still grows without proof is none.
 */
export function cohortStateOf(verdict: TrendVerdict | null): CohortState {
  return verdict === null ? "unknown" : STATES[verdict];
}

/** How many nodes are in which state. */
export interface CohortCounts {
  readonly nodes: number;
  readonly leaking: number;
  readonly healthy: number;
  /** Growing, stepped or levelling off: not certain either way. */
  readonly undecided: number;
  /** Too little data, or no trend at all. */
  readonly unknown: number;
}

/** Nodes of one value against all nodes that report another one. */
export interface CohortComparison {
  readonly others: CohortCounts;
  /** Share that leaks here less share that leaks elsewhere, of leaking and healthy ones. */
  readonly leaking: (RiskDifference & { readonly pValue: number }) | undefined;
  /** Slopes of all nodes that have one. `shift` in the unit of the metric an hour. */
  readonly slopes: { readonly superiority: Superiority; readonly pValue: number } | undefined;
}

/** All nodes of one value of an attribute. */
export interface ValueCohort {
  /** `null`: nodes that do not report the attribute; they are shown and compared with nothing. */
  readonly value: string | null;
  readonly counts: CohortCounts;
  readonly nodes: readonly CohortNode[];
  readonly comparison: CohortComparison | undefined;
}

/** Whether an attribute tells leaking nodes from healthy ones. */
export type CohortVerdict = "separates" | "no-difference" | "cannot-say";

/** One attribute, its values, and how well it separates. */
export interface AttributeCohorts {
  readonly attribute: string;
  readonly verdict: CohortVerdict;
  /** Why nothing can be said; `undefined` otherwise. */
  readonly reason: CohortReason | undefined;
  /**
   * How well the value foretells the state of a node from all others of that value: share of leaking nodes foretold right plus
   * share of healthy ones less 1. 1: always; 0 or less: not at all. `undefined` where nothing can be said.
   */
  readonly separation: number | undefined;
  /** The smallest of its values, corrected for all values of all attributes that were tried. */
  readonly pValue: number | undefined;
  /** The value that stands out most; its nodes against all others are the evidence. */
  readonly standsOut: ValueCohort | undefined;
  /** Attributes that separate as well: the nodes in which they disagree with this one do not show which it is. */
  readonly sameAs: readonly string[];
  /** Values, the largest share of leaking nodes first, *not reported* last. */
  readonly values: readonly ValueCohort[];
}

/** What keeps an attribute from being judged. */
export type CohortReason = "none-leaks" | "all-leak" | "one-value" | "too-few";

/** Every attribute that some node reports, the best separating first. */
export interface Cohorts {
  readonly counts: CohortCounts;
  readonly attributes: readonly AttributeCohorts[];
}

/**
 * What leaking nodes have in common: for every attribute the nodes by value, each value against all other values, and
 * which attribute separates leaking nodes from healthy ones best.
 *
 * The share of leaking nodes is compared by Fisher's exact test and Newcombe's interval, the slopes by the rank sum test, the
 * probability of superiority and the Hodges-Lehmann shift. p values are corrected by Holm over all comparisons of all
 * attributes; comparisons that divide the nodes which they look at in the same way are one. Whichever attribute is looked at, all are in
 * the family, because the reader looks for the one that shows something.
 *
 * Attributes are ordered by how well they foretell a node's state from the other nodes of its value (each node left out once,
 * so that a name that every node has for itself foretells nothing). Two that separate alike are told apart by the nodes in
 * which they disagree (sign test at 5 %); else they are named together.
 *
 * Misleads: nodes are not drawn at random; what separates need not be the cause. A change on a few nodes shows it.
 */
export function analyseCohorts(nodes: readonly CohortNode[]): Cohorts {
  const keys = [...new Set(nodes.flatMap(({ attributes }) => [...attributes.keys()]))].sort();
  const drafts = keys.map((attribute) => draftOf(attribute, nodes));
  correct(drafts.flatMap(({ values }) => values));
  const all = countsOf(nodes);
  const judged = drafts.map((draft) => judge(draft, all));
  judged.sort(
    (a, b) =>
      ORDER[a.verdict] - ORDER[b.verdict] ||
      (b.separation ?? 0) - (a.separation ?? 0) ||
      (a.pValue ?? 1) - (b.pValue ?? 1) ||
      (a.attribute < b.attribute ? -1 : 1),
  );
  const separating = judged.filter(({ verdict }) => verdict === "separates");
  return {
    counts: all,
    attributes: judged.map((each) => ({
      ...each,
      sameAs:
        each.verdict === "separates"
          ? separating
              .filter((other) => other !== each && !toldApart(each, other))
              .map((other) => other.attribute)
          : [],
    })),
  };
}

const ORDER: Readonly<Record<CohortVerdict, number>> = { separates: 0, "no-difference": 1, "cannot-say": 2 };

/** Counts of nodes by state. */
function countsOf(nodes: readonly CohortNode[]): CohortCounts {
  const counts = { nodes: nodes.length, leaking: 0, healthy: 0, undecided: 0, unknown: 0 };
  for (const { verdict } of nodes) counts[cohortStateOf(verdict)] += 1;
  return counts;
}

const decided = ({ leaking, healthy }: CohortCounts) => leaking + healthy;
const shareOf = (counts: CohortCounts) => ({ count: counts.leaking, of: decided(counts) });
const slopesOf = (nodes: readonly CohortNode[]) =>
  nodes.flatMap(({ slopePerHour }) => (slopePerHour === null ? [] : [slopePerHour]));

interface DraftValue {
  readonly value: string | null;
  readonly counts: CohortCounts;
  readonly nodes: readonly CohortNode[];
  readonly others: CohortCounts | undefined;
  /**
   * Names how a test divides the nodes that it looks at, the same for a value and for the rest of it; empty where it is not made. Nodes that no test looks at
   * are no part of it: they would make two questions of one.
   */
  readonly divisions: Readonly<Record<"leakingP" | "slopesP", string>>;
  readonly leaking: RiskDifference | undefined;
  readonly superiority: Superiority | undefined;
  leakingP: number | undefined;
  slopesP: number | undefined;
}

function draftOf(
  attribute: string,
  nodes: readonly CohortNode[],
): { attribute: string; values: DraftValue[] } {
  const byValue = new Map<string | null, CohortNode[]>();
  for (const node of nodes) {
    const value = node.attributes.get(attribute) ?? null;
    const group = byValue.get(value);
    if (group) group.push(node);
    else byValue.set(value, [node]);
  }
  const values = [...byValue].map(([value, own]) => {
    const rest =
      value === null ? [] : nodes.filter((node) => (node.attributes.get(attribute) ?? value) !== value);
    return compare(value, own, rest);
  });
  return { attribute, values };
}

function compare(value: string | null, own: readonly CohortNode[], rest: readonly CohortNode[]): DraftValue {
  const counts = countsOf(own);
  const others = countsOf(rest);
  const [slopes, otherSlopes] = [slopesOf(own), slopesOf(rest)];
  const enough = Math.min(decided(counts), decided(others)) >= COHORT_MINIMUM;
  const enoughSlopes = Math.min(slopes.length, otherSlopes.length) >= COHORT_MINIMUM;
  const ranks = enoughSlopes ? rankSumTest(slopes, otherSlopes) : undefined;
  return {
    value,
    counts,
    nodes: own,
    others: rest.length > 0 ? others : undefined,
    divisions: {
      leakingP: enough ? divisionOf([own, rest], isDecided) : "",
      slopesP: enoughSlopes ? divisionOf([own, rest], ({ slopePerHour }) => slopePerHour !== null) : "",
    },
    leaking: enough ? riskDifference(shareOf(counts), shareOf(others)) : undefined,
    superiority: ranks && probabilityOfSuperiority(slopes, otherSlopes, ranks.u),
    leakingP: enough ? fisherExactTest(shareOf(counts), shareOf(others)) : undefined,
    slopesP: ranks?.pValue,
  };
}

function isDecided({ verdict }: CohortNode): boolean {
  const state = cohortStateOf(verdict);
  return state === "leaking" || state === "healthy";
}

function divisionOf(
  sides: readonly (readonly CohortNode[])[],
  isTested: (node: CohortNode) => boolean,
): string {
  return sides
    .map((side) =>
      Float64Array.from(side.filter(isTested), ({ nodeId }) => nodeId)
        .sort()
        .join(" "),
    )
    .sort()
    .join("|");
}

/**
 * By how much the nodes of one value grow faster than those that report another, unit of the metric an hour. `undefined` with
 * fewer than {@link COHORT_MINIMUM} slopes on either side. Apart from the analysis, because it looks at every pair.
 */
export function slopeShift({ values }: AttributeCohorts, cohort: ValueCohort): Shift | undefined {
  const rest = values.flatMap((other) =>
    other.value === null || other === cohort ? [] : slopesOf(other.nodes),
  );
  const own = slopesOf(cohort.nodes);
  if (cohort.value === null || Math.min(own.length, rest.length) < COHORT_MINIMUM) return undefined;
  return hodgesLehmannShift(own, rest);
}

/** Replaces p values by those corrected over all divisions of the nodes that were tried. */
function correct(values: readonly DraftValue[]): void {
  for (const which of ["leakingP", "slopesP"] as const) {
    const family = new Map<string, number>();
    for (const value of values) {
      const p = value[which];
      if (p !== undefined) family.set(value.divisions[which], p);
    }
    const adjusted = holm([...family.values()]);
    const byDivision = new Map([...family.keys()].map((division, i) => [division, adjusted[i] ?? 1]));
    for (const value of values) {
      if (value[which] !== undefined) value[which] = byDivision.get(value.divisions[which]);
    }
  }
}

function judge(
  { attribute, values }: { attribute: string; values: readonly DraftValue[] },
  all: CohortCounts,
): Omit<AttributeCohorts, "sameAs"> {
  const cohorts = values
    .map((draft): ValueCohort => {
      const { value, counts, nodes, others, leaking, superiority, leakingP, slopesP } = draft;
      return {
        value,
        counts,
        nodes,
        comparison: others && {
          others,
          leaking: leaking && { ...leaking, pValue: leakingP ?? 1 },
          slopes: superiority && { superiority, pValue: slopesP ?? 1 },
        },
      };
    })
    .sort(compareValues);
  const tested = cohorts.flatMap((cohort) => {
    const leaking = cohort.comparison?.leaking;
    return leaking === undefined ? [] : [{ cohort, leaking }];
  });
  const reason = whyNot(all, cohorts, tested.length);
  // The larger difference where p values are alike; of two values that divide alike, the one that leaks.
  const [first] = tested.toSorted(
    (a, b) =>
      a.leaking.pValue - b.leaking.pValue ||
      Math.abs(b.leaking.difference) - Math.abs(a.leaking.difference) ||
      b.leaking.difference - a.leaking.difference,
  );
  if (reason !== undefined || first === undefined) {
    return {
      attribute,
      verdict: "cannot-say",
      reason: reason ?? "too-few",
      separation: undefined,
      pValue: undefined,
      standsOut: undefined,
      values: cohorts,
    };
  }
  const separation = separationOf(cohorts);
  return {
    attribute,
    verdict: first.leaking.pValue < COHORT_LEVEL && separation > 0 ? "separates" : "no-difference",
    reason: undefined,
    separation,
    pValue: first.leaking.pValue,
    standsOut: first.cohort,
    values: cohorts,
  };
}

function whyNot(
  all: CohortCounts,
  cohorts: readonly ValueCohort[],
  tested: number,
): CohortReason | undefined {
  if (all.leaking === 0) return "none-leaks";
  if (all.healthy === 0) return "all-leak";
  if (cohorts.filter(({ value }) => value !== null).length < 2) return "one-value";
  return tested === 0 ? "too-few" : undefined;
}

/** The largest share of leaking nodes first, then most nodes, then by name; *not reported* last. */
function compareValues(a: ValueCohort, b: ValueCohort): number {
  if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
  const share = ({ counts }: ValueCohort) => (decided(counts) > 0 ? counts.leaking / decided(counts) : -1);
  return share(b) - share(a) || b.counts.nodes - a.counts.nodes || (a.value < b.value ? -1 : 1);
}

/** Leaning of a value, the node in hand left out: towards leaking above 0, towards healthy below. */
function leaningOf(own: CohortCounts, all: CohortCounts, leftOut?: CohortState): number {
  const less = (state: CohortState) => Number(leftOut === state);
  const rate = (count: number, of: number) => (of > 0 ? count / of : 0);
  return (
    rate(own.leaking - less("leaking"), all.leaking - less("leaking")) -
    rate(own.healthy - less("healthy"), all.healthy - less("healthy"))
  );
}

function reported(cohorts: readonly ValueCohort[]): CohortCounts {
  return countsOf(cohorts.flatMap(({ value, nodes }) => (value === null ? [] : nodes)));
}

/** Youden's J, each node foretold from the others of its value; one that leans nowhere counts half. */
function separationOf(cohorts: readonly ValueCohort[]): number {
  const all = reported(cohorts);
  let leaking = 0;
  let healthy = 0;
  for (const { value, counts } of cohorts) {
    if (value === null) continue;
    leaking += counts.leaking * right(Math.sign(leaningOf(counts, all, "leaking")));
    healthy += counts.healthy * right(-Math.sign(leaningOf(counts, all, "healthy")));
  }
  if (all.leaking === 0 || all.healthy === 0) return 0;
  return leaking / all.leaking + healthy / all.healthy - 1;
}

const right = (sign: number) => (sign + 1) / 2;

/** Whether the nodes on which two attributes disagree show that one of them is right more often. */
function toldApart(a: { values: readonly ValueCohort[] }, b: { values: readonly ValueCohort[] }): boolean {
  const [rightA, rightB] = [foretellings(a.values), foretellings(b.values)];
  let onlyA = 0;
  let onlyB = 0;
  for (const [nodeId, byA] of rightA) {
    const byB = rightB.get(nodeId);
    if (byB === undefined || byA === byB) continue;
    if (byA) onlyA += 1;
    else onlyB += 1;
  }
  return signTest(onlyA, onlyB) < COHORT_LEVEL;
}

/** Whether each decided node is as its value leans. */
function foretellings(cohorts: readonly ValueCohort[]): Map<number, boolean> {
  const all = reported(cohorts);
  return new Map(
    cohorts.flatMap(({ value, counts, nodes }) => {
      if (value === null) return [];
      const leaks = leaningOf(counts, all) > 0;
      return nodes
        .filter(isDecided)
        .map(({ nodeId, verdict }) => [nodeId, (cohortStateOf(verdict) === "leaking") === leaks] as const);
    }),
  );
}
