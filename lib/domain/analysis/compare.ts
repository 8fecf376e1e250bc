import { insufficient, isInsufficient, type Insufficient } from "#lib/domain/statistics/insufficient.ts";
import { linearCombination } from "#lib/domain/statistics/linear-combination.ts";
import { praisWinsten } from "#lib/domain/statistics/prais-winsten.ts";
import { median } from "#lib/domain/statistics/robust.ts";
import { sliceSegment, thinByBucketMedians } from "#lib/domain/statistics/series.ts";
import {
  intervalOf,
  meanEstimate,
  pooledDifference,
  welchDifference,
  type EstimatedDifference,
  type EstimatedValue,
} from "#lib/domain/statistics/welch.ts";
import {
  coveredMs,
  HOUR_MS,
  lineColumns,
  usableBoots,
  type BootSegment,
  type UsableBoot,
} from "./boot-segments.ts";
import type { Interval } from "./vocabulary.ts";

/** Least data of a node in the stretch that both sides share; `percent` is the part of it that the node must cover. */
export const COMPARE_MINIMUM = { points: 24, spanMs: 5 * 60_000, percent: 50 } as const;

/**
 * Half the KiB that the kernel counts in. A difference that lies with all of its interval below it, for a slope over the whole
 * stretch, is none: two constants differ by 1e-11 KiB in floating point, and their fits have next to no noise to hide that in.
 */
const LEAST_KIB = 0.5;

/** Points that a node is thinned to: of one node against one the errors matter, of a cohort only the values. */
const MAX_POINTS = 600;
const MAX_POINTS_OF_MANY = 200;

/** One metric of one node, with the moment that its relative clock calls zero. */
export interface ComparedNode {
  readonly nodeId: number;
  /** Epoch ms: the start of the window, a boot, a mark. */
  readonly originMs: number;
  /** Boots in order of time; times in epoch ms, values in KiB, `null` where a sample has none. */
  readonly boots: readonly BootSegment[];
}

/** Two sides on one relative clock. */
export interface ComparedSides {
  readonly a: readonly ComparedNode[];
  readonly b: readonly ComparedNode[];
}

/** A stretch of the relative clock, ms after its zero. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * How the interval was found: `nodes` from the noise of two series; `pairs` from what each of the same nodes changed;
 * `cohorts` from the spread between the nodes of each side; `shared-spread` from that of both sides together, where one has too
 * few nodes to tell its own.
 */
export type CompareDesign = "nodes" | "pairs" | "cohorts" | "shared-spread";

/** A value of one side: of its node, or the mean over its nodes. */
export interface SideEstimate {
  readonly nodes: number;
  readonly value: number;
  readonly ci95: Interval;
}

/** Side B less side A. */
export interface Contrast extends EstimatedDifference {
  readonly a: SideEstimate;
  readonly b: SideEstimate;
}

/** A node that a comparison could not use, and what it lacks. */
export interface LeftOut {
  readonly side: "a" | "b";
  readonly nodeId: number;
  readonly why: Insufficient;
}

/** How one metric differs between two sides. Numbers unrounded. */
export interface MetricDifference {
  readonly kind: "difference";
  readonly design: CompareDesign;
  /** Mean over the common stretch, KiB. */
  readonly level: Contrast;
  /** KiB per hour. */
  readonly slopePerHour: Contrast;
  readonly leftOut: readonly LeftOut[];
}

/** A side without a usable node; what each node lacks stands beside. */
export interface DifferenceInsufficient extends Insufficient {
  readonly side: "a" | "b";
  readonly leftOut: readonly LeftOut[];
}

/**
 * The stretch of the relative clock that both sides have samples of, from `fromMs` on. A side reaches from the median of its
 * nodes' first samples to the median of their last ones, so that one node that came late does not shorten all others.
 * The first `warmUpMs` of each boot do not count.
 */
export function commonStretch(
  { a, b }: ComparedSides,
  { fromMs = -Infinity, warmUpMs }: { fromMs?: number; warmUpMs: number },
): Stretch | Insufficient {
  const sides = [a, b].map((nodes) => {
    const reaches = nodes.flatMap((node) => {
      const segments = relativeBoots(node, warmUpMs).map(({ segment }) => segment);
      const timesMs = segments.flatMap((segment) => [...sliceSegment(segment, fromMs, Infinity).timesMs]);
      const [first, last] = [timesMs[0], timesMs.at(-1)];
      return first === undefined || last === undefined ? [] : [{ first, last }];
    });
    return {
      first: median(reaches.map(({ first }) => first)) ?? Infinity,
      last: median(reaches.map(({ last }) => last)) ?? -Infinity,
    };
  });
  const stretch = {
    fromMs: Math.max(...sides.map(({ first }) => first)),
    toMs: Math.min(...sides.map(({ last }) => last)),
  };
  const sharedMs = stretch.toMs - stretch.fromMs;
  return sharedMs >= COMPARE_MINIMUM.spanMs
    ? stretch
    : insufficient(
        "minutes of the relative clock with samples on both sides",
        COMPARE_MINIMUM.spanMs / 60_000,
        Number.isFinite(sharedMs) ? Math.max(0, sharedMs / 60_000) : 0,
      );
}

/**
 * How one metric differs between two sides over a stretch of one relative clock: mean level and slope of side B less side A.
 *
 * Each node gives one level and one slope, by a line with an intercept for each boot and AR(1) errors (Prais-Winsten): no
 * difference is taken across a reboot, and the slope does not count as noise of the level. The level is that of the line
 * in the middle of the stretch, for both sides at the same relative time, so that a gap on one side does not move it. Then
 * - one node against one: variances of the two fits add, Student's t with Welch's degrees of freedom, of which each fit has
 *   its effective number of observations;
 * - the same nodes on both sides: mean of each node's own difference, t for the number of nodes less one;
 * - several against several: each node is one observation, Welch's t;
 * - one or two against more: both sides are taken to spread alike (Student's t, pooled variance). Two nodes happen to agree
 *   too often: Welch's interval of two against eight holds 91 % of the time, this one 95 %.
 *
 * What is smaller than half a KiB over the stretch, interval and all, is no difference (`LEAST_KIB`).
 *
 * Nodes that lack points, or cover less than half of the stretch, are left out and named.
 *
 * Assumes: what a line leaves over has a memory of one step. Misleads: where growth bends, a slope is that of the middle; a
 * daily wave at two times of the day differs in slope without a leak (compare the same hours); two windows that overlap
 * share samples, and the interval is too wide; a cohort of two nodes has a t of 12.7.
 */
export function compareMetric(
  sides: ComparedSides,
  stretch: Stretch,
  { warmUpMs }: { warmUpMs: number },
): MetricDifference | DifferenceInsufficient {
  const leftOut: LeftOut[] = [];
  const maxPoints = sides.a.length === 1 && sides.b.length === 1 ? MAX_POINTS : MAX_POINTS_OF_MANY;
  const estimatesOf = (side: "a" | "b") => {
    const found = new Map<number, NodeFit>();
    for (const node of sides[side]) {
      const fit = fitNode(node, stretch, warmUpMs, maxPoints);
      if (isInsufficient(fit)) leftOut.push({ side, nodeId: node.nodeId, why: fit });
      else found.set(node.nodeId, fit);
    }
    return found;
  };
  const [a, b] = [estimatesOf("a"), estimatesOf("b")];
  for (const [side, fits] of [["a", a] as const, ["b", b] as const]) {
    if (fits.size > 0) continue;
    const only = leftOut.filter((each) => each.side === side);
    const why =
      only.length === 1 && only[0] !== undefined
        ? only[0].why
        : insufficient("nodes with enough samples in the common stretch", 1, 0);
    return { ...why, side, leftOut };
  }
  const design = designOf(sides, a, b);
  const contrast = (pick: (fit: NodeFit) => EstimatedValue, floor: number) =>
    aboveFloor(contrastOf(design, a, b, pick), floor);
  const stretchHours = (stretch.toMs - stretch.fromMs) / HOUR_MS;
  return {
    kind: "difference",
    design,
    level: contrast(({ level }) => level, LEAST_KIB),
    slopePerHour: contrast(({ slopePerHour }) => slopePerHour, LEAST_KIB / stretchHours),
    leftOut,
  };
}

/** A difference below the floor with all of its interval is none. */
function aboveFloor(contrast: Contrast, floor: number): Contrast {
  const { value, ci95 } = contrast;
  const largest = Math.max(Math.abs(value), Math.abs(ci95[0]), Math.abs(ci95[1]));
  return largest < floor ? { ...contrast, value: 0, standardError: 0, ci95: [0, 0] } : contrast;
}

interface NodeFit {
  readonly level: EstimatedValue;
  readonly slopePerHour: EstimatedValue;
}

type Fits = ReadonlyMap<number, NodeFit>;

function relativeBoots({ originMs, boots }: ComparedNode, warmUpMs: number): UsableBoot[] {
  const relative = boots.map((boot) => ({
    ...boot,
    bootedAtMs: boot.bootedAtMs === undefined ? undefined : boot.bootedAtMs - originMs,
    timesMs: boot.timesMs.map((timeMs) => timeMs - originMs),
  }));
  return usableBoots(relative, Infinity, warmUpMs);
}

function fitNode(
  node: ComparedNode,
  stretch: Stretch,
  warmUpMs: number,
  maxPoints: number,
): NodeFit | Insufficient {
  const within = relativeBoots(node, warmUpMs)
    .map(({ segment }) => sliceSegment(segment, stretch.fromMs, stretch.toMs + 1))
    // A lone point of a boot is taken up by its own intercept and says nothing.
    .filter(({ timesMs }) => timesMs.length > 1);
  const points = within.reduce((sum, { timesMs }) => sum + timesMs.length, 0);
  if (points < COMPARE_MINIMUM.points) {
    return insufficient("points in the common stretch", COMPARE_MINIMUM.points, points);
  }
  const percent = (100 * coveredMs(within)) / (stretch.toMs - stretch.fromMs);
  if (percent < COMPARE_MINIMUM.percent) {
    return insufficient("percent of the common stretch with samples", COMPARE_MINIMUM.percent, percent);
  }
  const segments = thinByBucketMedians(within, maxPoints);
  const fit = praisWinsten(lineColumns(segments, (stretch.fromMs + stretch.toMs) / 2));
  if (isInsufficient(fit)) return fit;
  const total = segments.reduce((sum, { timesMs }) => sum + timesMs.length, 0);
  const estimate = (weights: readonly number[]): EstimatedValue => ({
    ...linearCombination(fit, weights),
    degreesOfFreedom: fit.degreesOfFreedom,
  });
  return {
    level: estimate([...segments.map(({ timesMs }) => timesMs.length / total), 0]),
    slopePerHour: estimate([...segments.map(() => 0), 1]),
  };
}

function designOf(sides: ComparedSides, a: Fits, b: Fits): CompareDesign {
  const asked = [sides.a, sides.b].map((nodes) => nodes.map(({ nodeId }) => nodeId).sort((x, y) => x - y));
  const same = JSON.stringify(asked[0]) === JSON.stringify(asked[1]);
  if (same && pairsOf(a, b).length > 1) return "pairs";
  if (a.size === 1 && b.size === 1) return "nodes";
  return a.size === b.size || Math.min(a.size, b.size) > 2 ? "cohorts" : "shared-spread";
}

function pairsOf(a: Fits, b: Fits): { a: NodeFit; b: NodeFit }[] {
  return [...a].flatMap(([nodeId, fit]) => {
    const other = b.get(nodeId);
    return other === undefined ? [] : [{ a: fit, b: other }];
  });
}

function contrastOf(
  design: CompareDesign,
  a: Fits,
  b: Fits,
  pick: (fit: NodeFit) => EstimatedValue,
): Contrast {
  const pairs = design === "pairs" ? pairsOf(a, b) : [];
  const valuesOf = (side: "a" | "b", fits: Fits) =>
    (design === "pairs" ? pairs.map((pair) => pair[side]) : [...fits.values()]).map(pick);
  const [ofA, ofB] = [valuesOf("a", a), valuesOf("b", b)];
  const [meanA, meanB] = [meanOf(ofA), meanOf(ofB)];
  return {
    ...differenceOf(design, ofA, ofB),
    a: { nodes: ofA.length, value: meanA.value, ci95: intervalOf(meanA) },
    b: { nodes: ofB.length, value: meanB.value, ci95: intervalOf(meanB) },
  };
}

function differenceOf(
  design: CompareDesign,
  a: readonly EstimatedValue[],
  b: readonly EstimatedValue[],
): EstimatedDifference {
  switch (design) {
    case "pairs": {
      const mean = meanOf(b.map((each, pair) => ({ ...each, value: each.value - (a[pair]?.value ?? NaN) })));
      return { ...mean, ci95: intervalOf(mean) };
    }
    case "shared-spread": {
      // Unweighted: a node whose fit is doubtful, such as one with a step, must not hand the answer to the others.
      const pooled = pooledDifference(valuesIn(a), valuesIn(b));
      if (isInsufficient(pooled)) throw new RangeError("one side has two nodes");
      return pooled;
    }
    default:
      return welchDifference(meanOf(a), meanOf(b));
  }
}

const valuesIn = (estimates: readonly EstimatedValue[]) => estimates.map(({ value }) => value);

/** A node's own estimate, or the mean over several with their spread. */
function meanOf(values: readonly EstimatedValue[]): EstimatedValue {
  const [only] = values;
  const mean = meanEstimate(valuesIn(values));
  if (!isInsufficient(mean)) return mean;
  if (only === undefined) throw new RangeError("a side has a node");
  return only;
}
