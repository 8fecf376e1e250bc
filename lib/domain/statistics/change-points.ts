import { effectiveObservations } from "./ar1-variance.ts";
import { lagOneAutocorrelation, PHI_LIMIT } from "./autocorrelation.ts";
import type { Break, BreakProblem } from "./break-scan.ts";
import {
  bendGainsBetween,
  breakDesign,
  hasRoomForBend,
  hasRoomForStep,
  likeliestBendPair,
  scanBreaks,
} from "./break-scan.ts";
import type { Insufficient } from "./insufficient.ts";
import { insufficient } from "./insufficient.ts";
import type { LeastSquares } from "./least-squares.ts";
import { solveLeastSquares } from "./least-squares.ts";
import { memoryAt, whiten } from "./prais-winsten.ts";
import type { Segment } from "./series.ts";
import { usualStepMs } from "./series.ts";
import { tQuantile, tUpperTail } from "./t-distribution.ts";

const HOUR_MS = 3_600_000;

/** Fewest points that bends are looked for in: with fewer, strong correlation alone looks like one too often. */
export const CHANGE_POINT_MINIMUM = 48;

/** Price of a coefficient, in multiples of the logarithm of n; dearer for short series, whose phi is least sure. */
const PRICE = 1.25;
const SHORT_PRICE_POINTS = 60;
/** Level at which each break must differ from none, at the place that was chosen for it. */
const LEVEL = 5e-4;
/** Most coefficients that breaks may have: four bends with a step each. */
const MOST_COEFFICIENTS = 8;
/** The search goes on for so many additions that do not pay, because two together may. */
const PATIENCE = 3;
/** Strengths of memory that a next break is looked for under, beside the current one: before a bend is in, the line's own is far too high. */
const SEARCH_PHIS = [0.2, 0.6, 0.9] as const;
const PAIR_PHI = 0.6;
/** Factor on the variance behind all intervals: phi and variance come from the very model that was chosen to fit best. */
const CHOSEN_MODEL_SLACK = 1.5;
/** A bend must fit better than a step in its place by this much of -2 log L. */
const CLEARLY = 4;
/** Places that a bend is tried at from one point to the next when its moment is told. */
const PARTS_OF_STEP = 8;
/** When phi has settled: the likelihood is flat around its own, and the search asks for it hundreds of times. */
const SETTLED = { raw: 1e-2, corrected: 1e-3 } as const;
/** Residuals below this share of the values are rounding. */
const ROUNDING = 1e-20;

/** A slope with its 95 % interval, in the unit of the values per hour. */
export interface StretchSlope {
  readonly perHour: number;
  readonly ci95: readonly [number, number];
}

/** A moment at which the slope changed. */
export interface SlopeChange {
  /** Where the bend explains most, epoch ms. */
  readonly atMs: number;
  /** 95 % interval of that moment, epoch ms. */
  readonly ci95Ms: readonly [number, number];
  readonly before: StretchSlope;
  readonly after: StretchSlope;
  /** After less before. */
  readonly change: StretchSlope;
}

/** A moment at which the level changed at once; no change of slope. */
export interface LevelStep {
  /** Middle between the last point before and the first after, epoch ms. */
  readonly atMs: number;
  /** Unit of the values. */
  readonly value: number;
}

/** A line with bends and steps. Numbers unrounded. */
export interface PiecewiseLine {
  readonly kind: "piecewise-line";
  /** In order of time; empty when one slope will do. */
  readonly changes: readonly SlopeChange[];
  readonly steps: readonly LevelStep[];
  /** Slopes between bends: one more than `changes`. */
  readonly slopes: readonly StretchSlope[];
  /** Lag-1 autocorrelation of the residuals, corrected for bias. */
  readonly phi: number;
  readonly n: number;
}

export interface SlopeChangeOptions {
  /** Columns that are fitted beside the line, a value a point: the daily rhythm. */
  readonly columns?: readonly Float64Array[];
  /** A change of slope smaller than this is none worth reporting; default 0. */
  readonly leastChangePerHour?: number;
  /** The same as a part of the steeper of both slopes; default 0. */
  readonly leastChangeShare?: number;
}

/**
 * When the slope of a series changed: a piecewise line with bends and steps, errors AR(1).
 *
 * A bend changes the slope and keeps the level, a step changes the level and keeps the slope, and both may happen at one
 * point. Each is a term of its own because the question is about slopes: with continuous pieces alone a step would have to be
 * drawn as two bends, and with a free level and slope for each piece a bend could hardly be placed (its place would be
 * as unsure as that of a step, and twice the coefficients would have to be paid for). Steps are found and kept aside.
 *
 * Search: one break after the other (or two bends together), each where it takes most off the likelihood, looked for under
 * several strengths of memory, the others then moved again; from the longest model back by dropping the least certain
 * coefficient. Of all models on the way the one with the least -2 log L + 1.25 (1 + 60 / n) ln n a coefficient and a place is
 * taken, phi being each model's own: without that a bend passes for slow noise, or slow noise for a bend. Then bends
 * that a step explains nearly as well become steps, and breaks that do not hold at 0.05 % with the bias-corrected phi are dropped.
 * Intervals of slopes count the place of each bend as a further coefficient; the interval of a place holds all points at which
 * the bend would fit nearly as well (likelihood ratio). Both take the variance half as large again, because the model was chosen.
 *
 * Assumes: AR(1) errors, straight stretches of at least six points. Misleads: on curves, which become a few bends; on random
 * walks, whose turns are bends as far as a window can tell (see docs/statistics.md).
 * References: J. Bai and P. Perron, Econometrica 66 (1998) 47-78, for several breaks and their penalty; V. M. R. Muggeo,
 * Statistics in Medicine 22 (2003) 3055-3071, for the place of a bend as a coefficient.
 * Cost: some 100 passes of O(n p^2); 15 to 30 ms for 300 points. Thin longer series first.
 *
 * @example on 0, 0, …, 0, 1, 2, …, 30 (30 zeros, hourly): one change at the last zero, from 0 to 1 per hour
 */
export function findSlopeChanges(
  { timesMs, values }: Segment,
  { columns = [], leastChangePerHour = 0, leastChangeShare = 0 }: SlopeChangeOptions = {},
): PiecewiseLine | Insufficient {
  const n = values.length;
  const least = CHANGE_POINT_MINIMUM + 4 * columns.length;
  const stepMs = usualStepMs([{ timesMs }]);
  if (n < least || stepMs === undefined) return insufficient("points", least, n);
  const originMs = timesMs[0] ?? 0;
  const hours = timesMs.map((timeMs) => (timeMs - originMs) / HOUR_MS);
  let mean = 0;
  values.forEach((value) => (mean += value / n));
  const problem: BreakProblem = {
    timesMs,
    hours,
    values: values.map((value) => value - mean),
    base: [new Float64Array(n).fill(1), hours, ...columns],
    stepMs,
  };
  const grown = grow(problem);
  const models = [...grown, ...shrink(problem, grown.at(-1))];
  const best = models.reduce((one, other) => (other.cost < one.cost ? other : one));
  return describe(
    problem,
    settle(problem, preferSteps(problem, best), { leastChangePerHour, leastChangeShare }),
  );
}

/** Breaks with the phi that fits them best, and what they cost: minus twice the log-likelihood, and the price. */
interface Model {
  readonly breaks: readonly Break[];
  readonly phi: number;
  readonly cost: number;
}

interface Fit {
  readonly phi: number;
  readonly solution: LeastSquares;
  readonly errorVariance: number;
  readonly degreesOfFreedom: number;
}

/**
 * Generalised least squares with the phi that its own residuals show: `raw` as computed, which is what the likelihood
 * wants, `corrected` for bias, which is what intervals want.
 */
function fitBreaks(
  problem: BreakProblem,
  breaks: readonly Break[],
  startPhi: number,
  kind: "raw" | "corrected",
): Fit | undefined {
  const { timesMs, values, stepMs } = problem;
  const columns = breakDesign(problem, breaks);
  const n = values.length;
  const parameters = columns.length + breaks.length;
  let phi = startPhi;
  for (let iteration = 0; ; iteration += 1) {
    const solution = solveLeastSquares(
      columns.map((column) => whiten(timesMs, column, stepMs, phi)),
      whiten(timesMs, values, stepMs, phi),
    );
    if (solution === undefined) return undefined;
    const residuals = values.slice();
    columns.forEach((column, c) => {
      const coefficient = solution.coefficients[c] as number;
      for (let i = 0; i < n; i += 1)
        residuals[i] = (residuals[i] as number) - coefficient * (column[i] as number);
    });
    const shown = lagOneAutocorrelation([{ timesMs, values: residuals }], stepMs, parameters)[kind];
    const next = Math.min(PHI_LIMIT, Math.max(0, shown));
    if (Math.abs(next - phi) < SETTLED[kind] || iteration === 12) {
      const freedom = Math.max(1, n - parameters);
      return {
        phi,
        solution,
        errorVariance: solution.residualSquares / freedom,
        degreesOfFreedom: Math.min(freedom, effectiveObservations(n, phi)),
      };
    }
    phi = next;
  }
}

function modelOf(problem: BreakProblem, breaks: readonly Break[], startPhi: number): Model {
  const { timesMs, values, stepMs } = problem;
  const n = values.length;
  const fit = fitBreaks(problem, breaks, startPhi, "raw");
  if (fit === undefined) return { breaks, phi: startPhi, cost: Infinity };
  const least = ROUNDING * squares(values);
  let cost = n * Math.log(Math.max(fit.solution.residualSquares, least, Number.MIN_VALUE) / n);
  for (let i = 1; i < n; i += 1) {
    const memory = memoryAt(timesMs, i, stepMs, fit.phi);
    cost += Math.log(1 - memory * memory);
  }
  const price = PRICE * (1 + SHORT_PRICE_POINTS / n) * Math.log(n);
  return { breaks, phi: fit.phi, cost: cost + price * (coefficients(breaks) + breaks.length) };
}

function squares(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value * value;
  return sum;
}

function coefficients(breaks: readonly Break[]): number {
  return breaks.reduce((sum, { step, bend }) => sum + Number(step) + Number(bend), 0);
}

/** Adds what pays most, again and again; all models on the way, the bare line first. */
function grow(problem: BreakProblem): readonly Model[] {
  const n = problem.values.length;
  const most = Math.min(MOST_COEFFICIENTS, Math.floor((n - problem.base.length) / 10));
  let model = modelOf(problem, [], 0.5);
  const path = [model];
  let lowest = model.cost;
  for (let idle = 0; idle < PATIENCE && coefficients(model.breaks) < most; idle += 1) {
    const additions = [...SEARCH_PHIS, model.phi].flatMap((phi) => additionsUnder(problem, model, phi));
    const different = new Map(additions.map((breaks) => [JSON.stringify(breaks), breaks]));
    if (different.size === 0) break;
    const best = [...different.values()]
      .map((breaks) => modelOf(problem, breaks, model.phi))
      .reduce((one, other) => (other.cost < one.cost ? other : one));
    model = modelOf(problem, moveBreaks(problem, best.breaks, best.phi), best.phi);
    path.push(model);
    if (model.cost < lowest) {
      lowest = model.cost;
      idle = -1;
    }
  }
  return path;
}

/** The best step, bend, both at once and pair of bends to add, at one strength of memory. */
function additionsUnder(problem: BreakProblem, { breaks }: Model, phi: number): (readonly Break[])[] {
  const gains = scanBreaks(problem, breaks, phi);
  if (!(gains.residualSquares > ROUNDING * squares(problem.values))) return [];
  // A pair is a broad shape: one strength of memory finds it, and its places are moved once it is chosen.
  const pair = phi === PAIR_PHI ? likeliestBendPair(problem, breaks, phi) : undefined;
  return [
    ...(["step", "bend", "both"] as const).flatMap((kind) => {
      const index = likeliestPlace(gains[kind], breaks, kind);
      if (index === undefined) return [];
      return [[...breaks, { index, step: kind !== "bend", bend: kind !== "step" }]];
    }),
    ...(pair === undefined ? [] : [[...breaks, ...pair]]),
  ];
}

function likeliestPlace(
  gains: Float64Array,
  others: readonly Break[],
  kind: "step" | "bend" | "both",
): number | undefined {
  let best: number | undefined;
  for (let i = 1; i < gains.length - 1; i += 1) {
    if (kind !== "step" && !hasRoomForBend(gains.length, others, i)) continue;
    if (kind !== "bend" && !hasRoomForStep(gains.length, others, i)) continue;
    if ((gains[i] as number) > (best === undefined ? 0 : (gains[best] as number))) best = i;
  }
  return best;
}

function kindOf({ step, bend }: Break): "step" | "bend" | "both" {
  return step && bend ? "both" : step ? "step" : "bend";
}

/** Moves each break in turn, the others held, to where it explains most. */
function moveBreaks(problem: BreakProblem, breaks: readonly Break[], phi: number): readonly Break[] {
  return breaks.reduce((moved, own, position) => {
    const others = moved.filter((_, other) => other !== position);
    const kind = kindOf(own);
    const index = likeliestPlace(scanBreaks(problem, others, phi)[kind], others, kind) ?? own.index;
    return moved.with(position, { ...own, index });
  }, breaks);
}

/** A coefficient of a break: which, and how sure. */
interface Term {
  readonly position: number;
  readonly part: "step" | "bend";
  readonly value: number;
  /** Its size over its error. */
  readonly t: number;
}

function termsOf(problem: BreakProblem, breaks: readonly Break[], fit: Fit | undefined): Term[] {
  const parts = breaks.flatMap(({ step, bend }, position) => [
    ...(step ? [{ position, part: "step" as const }] : []),
    ...(bend ? [{ position, part: "bend" as const }] : []),
  ]);
  return parts.map((each, order) => {
    const column = problem.base.length + order;
    const value = fit?.solution.coefficients[column] ?? 0;
    const error = Math.sqrt((fit?.errorVariance ?? 0) * (fit?.solution.inverse[column]?.[column] ?? 0));
    return { ...each, value, t: value === 0 ? 0 : Math.abs(value) / error };
  });
}

function withoutTerm(breaks: readonly Break[], { position, part }: Term): Break[] {
  return breaks.flatMap((each, index) => {
    const left = index === position ? { ...each, [part]: false } : each;
    return left.step || left.bend ? [left] : [];
  });
}

/** Drops the least certain coefficient, again and again, down to the bare line. */
function shrink(problem: BreakProblem, from: Model | undefined): Model[] {
  const models: Model[] = [];
  for (let model = from; model !== undefined && model.breaks.length > 0;) {
    const fit = fitBreaks(problem, model.breaks, model.phi, "raw");
    const worst = termsOf(problem, model.breaks, fit).reduce((a, b) => (b.t < a.t ? b : a));
    const left = moveBreaks(problem, withoutTerm(model.breaks, worst), model.phi);
    model = modelOf(problem, left, model.phi);
    models.push(model);
  }
  return models;
}

/** Turns into a step each bend that a step would explain nearly as well: the question is about slopes, and a step is none. */
function preferSteps(problem: BreakProblem, from: Model): Model {
  return from.breaks.reduce((model, _, position) => {
    const own = model.breaks[position];
    if (own === undefined || own.step) return model;
    const others = model.breaks.filter((each) => each !== own);
    const index = likeliestPlace(scanBreaks(problem, others, model.phi).step, others, "step");
    if (index === undefined) return model;
    const stepped = modelOf(
      problem,
      model.breaks.with(position, { index, step: true, bend: false }),
      model.phi,
    );
    return stepped.cost < model.cost + CLEARLY ? stepped : model;
  }, from);
}

/** Drops what does not hold, or does not count, one coefficient at a time. */
function settle(
  problem: BreakProblem,
  from: Model,
  least: Required<Pick<SlopeChangeOptions, "leastChangePerHour" | "leastChangeShare">>,
): readonly Break[] {
  let { breaks } = from;
  while (breaks.length > 0) {
    const fit = fitBreaks(problem, breaks, from.phi, "corrected");
    const small = smallBends(breaks, termsOf(problem, breaks, fit), fit, least);
    const doubtful = termsOf(problem, breaks, fit)
      .filter(
        ({ part, position, t }) =>
          fit === undefined ||
          2 * tUpperTail(t, fit.degreesOfFreedom) >= LEVEL ||
          (part === "bend" && small.has(position)),
      )
      .sort((a, b) => a.t - b.t)[0];
    if (doubtful === undefined) break;
    breaks = moveBreaks(problem, withoutTerm(breaks, doubtful), fit?.phi ?? from.phi);
  }
  return breaks.toSorted((a, b) => a.index - b.index);
}

/** Positions of bends whose change of slope is too small to count, beside the slopes on both sides. */
function smallBends(
  breaks: readonly Break[],
  terms: readonly Term[],
  fit: Fit | undefined,
  { leastChangePerHour, leastChangeShare }: { leastChangePerHour: number; leastChangeShare: number },
): ReadonlySet<number> {
  const small = new Set<number>();
  let before = fit?.solution.coefficients[1] ?? 0;
  const inOrder = terms
    .filter(({ part }) => part === "bend")
    .toSorted((a, b) => (breaks[a.position]?.index ?? 0) - (breaks[b.position]?.index ?? 0));
  for (const { position, value } of inOrder) {
    const after = before + value;
    const steeper = Math.max(Math.abs(before), Math.abs(after));
    if (Math.abs(value) < Math.max(leastChangePerHour, leastChangeShare * steeper)) small.add(position);
    before = after;
  }
  return small;
}

function describe(problem: BreakProblem, breaks: readonly Break[]): PiecewiseLine | Insufficient {
  const { timesMs, base } = problem;
  const fit = fitBreaks(problem, breaks, 0.5, "corrected");
  if (fit === undefined)
    return insufficient("independent columns in the design", base.length, base.length - 1);
  const inverse = inverseWithPlaces(problem, breaks, fit.phi) ?? fit.solution.inverse;
  const t = tQuantile(0.975, fit.degreesOfFreedom);
  const sumOf = (columns: readonly number[]): StretchSlope => {
    const perHour = columns.reduce((sum, column) => sum + (fit.solution.coefficients[column] as number), 0);
    const square = columns.reduce(
      (sum, a) => sum + columns.reduce((row, b) => row + (inverse[a]?.[b] ?? 0), 0),
      0,
    );
    const half = t * Math.sqrt(Math.max(0, CHOSEN_MODEL_SLACK * fit.errorVariance * square));
    return { perHour, ci95: [perHour - half, perHour + half] };
  };
  const slopeColumns = [1];
  const slopes = [sumOf(slopeColumns)];
  const changes: SlopeChange[] = [];
  const steps: LevelStep[] = [];
  let column = base.length;
  for (const own of breaks) {
    if (own.step) {
      const atMs = ((timesMs[own.index - 1] as number) + (timesMs[own.index] as number)) / 2;
      steps.push({ atMs, value: fit.solution.coefficients[column] as number });
      column += 1;
    }
    if (own.bend) {
      const before = sumOf(slopeColumns);
      slopeColumns.push(column);
      const after = sumOf(slopeColumns);
      const others = breaks.filter((each) => each !== own);
      changes.push({ ...placeOf(problem, others, own, fit), before, after, change: sumOf([column]) });
      slopes.push(after);
      column += 1;
    }
  }
  return { kind: "piecewise-line", changes, steps, slopes, phi: fit.phi, n: timesMs.length };
}

/**
 * Inverse of X'X with the place of each bend as a coefficient. Moving a bend a little adds a little step from there on, so
 * the columns of steps are what a place is worth. Rows and columns beyond those of `breaks` are the places.
 */
function inverseWithPlaces(
  problem: BreakProblem,
  breaks: readonly Break[],
  phi: number,
): LeastSquares["inverse"] | undefined {
  const { timesMs, values, base, stepMs } = problem;
  const places = breaks
    .filter(({ step }) => !step)
    .map(({ index }) => ({ index, step: true, bend: false }) as const);
  const columns = [...breakDesign(problem, breaks), ...breakDesign(problem, places).slice(base.length)];
  return solveLeastSquares(
    columns.map((column) => whiten(timesMs, column, stepMs, phi)),
    whiten(timesMs, values, stepMs, phi),
  )?.inverse;
}

function placeOf(
  problem: BreakProblem,
  others: readonly Break[],
  own: Break,
  { phi, errorVariance, degreesOfFreedom }: Fit,
): Pick<SlopeChange, "atMs" | "ci95Ms"> {
  const { timesMs } = problem;
  const last = timesMs.length - 1;
  const gains = scanBreaks(problem, others, phi)[kindOf(own)];
  const likely = CHOSEN_MODEL_SLACK * errorVariance * tQuantile(0.975, degreesOfFreedom) ** 2;
  const enough = (gains[own.index] as number) - likely;
  let low = own.index;
  let high = own.index;
  gains.forEach((gain, i) => {
    if (i < 1 || i >= last || gain < enough) return;
    low = Math.min(low, i);
    high = Math.max(high, i);
  });
  const timeOf = (i: number) => timesMs[Math.min(last, Math.max(0, i))] as number;
  if (own.step) {
    // A step lies somewhere between two points, and takes the bend along.
    return {
      atMs: (timeOf(own.index - 1) + timeOf(own.index)) / 2,
      ci95Ms: [timeOf(low - 1), timeOf(high)],
    };
  }
  // A bend lies anywhere, mostly between two points.
  const momentsMs: number[] = [];
  for (let i = Math.max(0, low - 1); i < Math.min(last, high + 1); i += 1) {
    for (let part = 0; part < PARTS_OF_STEP; part += 1) {
      momentsMs.push(timeOf(i) + (part / PARTS_OF_STEP) * (timeOf(i + 1) - timeOf(i)));
    }
  }
  momentsMs.push(timeOf(high + 1));
  const originMs = timesMs[0] ?? 0;
  const fine = bendGainsBetween(
    problem,
    others,
    phi,
    momentsMs.map((timeMs) => (timeMs - originMs) / HOUR_MS),
  );
  const most = fine.reduce((best, gain) => Math.max(best, gain), 0);
  const inside = momentsMs.filter((_, k) => (fine[k] as number) >= most - likely);
  const partMs = (timeOf(high) - timeOf(high - 1)) / PARTS_OF_STEP;
  return {
    atMs: momentsMs[fine.indexOf(most)] ?? timeOf(own.index),
    ci95Ms: [
      Math.max(originMs, (inside[0] ?? timeOf(low)) - partMs),
      Math.min(timeOf(last), (inside.at(-1) ?? timeOf(high)) + partMs),
    ],
  };
}
