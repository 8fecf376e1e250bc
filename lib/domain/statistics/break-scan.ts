import { memoryAt, whiten } from "./prais-winsten.ts";

/** A place where a line may break: by a step, a bend (change of slope), or both at once. */
export interface Break {
  /** First point after the step; point at which the bend begins. */
  readonly index: number;
  readonly step: boolean;
  readonly bend: boolean;
}

/** Points of one segment with everything that is fitted in any case. */
export interface BreakProblem {
  /** Epoch milliseconds, strictly increasing. */
  readonly timesMs: Float64Array;
  /** The same in hours since the first point. */
  readonly hours: Float64Array;
  readonly values: Float64Array;
  /** Columns beside the breaks: level, slope, rhythm. */
  readonly base: readonly Float64Array[];
  /** Usual distance of points, in which phi is meant. */
  readonly stepMs: number;
}

/** What one further break at each point would take off the whitened residual squares; 0 where there can be none. */
export interface BreakGains {
  readonly step: Float64Array;
  readonly bend: Float64Array;
  /** Step and bend at the same point. */
  readonly both: Float64Array;
  readonly residualSquares: number;
}

/** Fewest points between two bends, and between a bend and an end: a slope over fewer is noise. */
const LEAST_POINTS = 6;
/** Places at which pairs of bends are tried: 780 pairs. */
const PAIR_PLACES = 40;
/** A column of which less than this share is new is one that is there already. */
const NOTHING_NEW = 1e-9;

/** Columns of a design: what is fitted in any case, then for each break its step and its bend. */
export function breakDesign({ hours, base }: BreakProblem, breaks: readonly Break[]): Float64Array[] {
  return [
    ...base,
    ...breaks.flatMap(({ index, step, bend }) => [
      ...(step ? [hours.map((_, i) => (i >= index ? 1 : 0))] : []),
      ...(bend ? [hinge(hours, index)] : []),
    ]),
  ];
}

/** Whether a bend may begin at a point: far enough from the ends and from the other bends. */
export function hasRoomForBend(n: number, breaks: readonly Break[], index: number): boolean {
  if (index < LEAST_POINTS - 1 || index > n - 1 - LEAST_POINTS) return false;
  return breaks.every((each) => !each.bend || Math.abs(each.index - index) >= LEAST_POINTS);
}

/** Whether a step may lie at a point: between two points, and where there is none yet. */
export function hasRoomForStep(n: number, breaks: readonly Break[], index: number): boolean {
  return index >= 1 && index < n - 1 && breaks.every((each) => !each.step || each.index !== index);
}

/**
 * Gain of one further break at every point at once, errors AR(1) with a phi that is given.
 *
 * A step and a hinge, whitened, are a lone entry followed by the whitened column of ones and of hours; their products with
 * any other column are therefore running sums from the last point to the first. What the columns that are there already
 * explain is taken off by an orthonormal basis of them. Exact, not an approximation of refitting at each place.
 * Reference: for least squares by adding a column, Å. Björck, Numerical Methods for Least Squares Problems (1996), 3.2.
 * Cost: O(n p^2) for the basis and O(n p) for all places.
 *
 * @example the largest `bend` of 0, 0, 0, 1, 2, 3 with base [1, hours] and phi 0 is at index 2 and equals all residual squares
 */
export function scanBreaks(problem: BreakProblem, breaks: readonly Break[], phi: number): BreakGains {
  const { timesMs, hours, stepMs } = problem;
  const n = hours.length;
  const { basis, rest } = whitenedBasis(problem, breaks, phi);
  const against = [rest, ...basis];
  const laterOnes = new Float64Array(against.length);
  const laterHours = new Float64Array(against.length);
  let onesOnes = 0;
  let onesHours = 0;
  let hoursHours = 0;
  const gains = { step: new Float64Array(n), bend: new Float64Array(n), both: new Float64Array(n) };
  for (let i = n - 1; i >= 1; i -= 1) {
    const memory = memoryAt(timesMs, i, stepMs, phi);
    const onset = 1 / Math.sqrt(1 - memory * memory);
    const hour = hours[i] as number;
    const wholeStep = onset * onset + onesOnes;
    const wholeBend = hoursHours - 2 * hour * onesHours + hour * hour * onesOnes;
    let stepSquare = wholeStep;
    let bendSquare = wholeBend;
    let cross = onesHours - hour * onesOnes;
    let stepRest = 0;
    let bendRest = 0;
    for (let c = 0; c < against.length; c += 1) {
      const ones = laterOnes[c] as number;
      const onStep = onset * ((against[c] as Float64Array)[i] as number) + ones;
      const onBend = (laterHours[c] as number) - hour * ones;
      if (c === 0) {
        stepRest = onStep;
        bendRest = onBend;
      } else {
        stepSquare -= onStep * onStep;
        bendSquare -= onBend * onBend;
        cross -= onStep * onBend;
      }
    }
    const stepIsNew = stepSquare > NOTHING_NEW * wholeStep;
    const bendIsNew = i < n - 1 && bendSquare > NOTHING_NEW * wholeBend;
    if (stepIsNew) gains.step[i] = (stepRest * stepRest) / stepSquare;
    if (bendIsNew) gains.bend[i] = (bendRest * bendRest) / bendSquare;
    if (stepIsNew && bendIsNew) {
      gains.both[i] = jointGain(
        { on: stepRest, square: stepSquare },
        { on: bendRest, square: bendSquare },
        cross,
      );
    }
    const ones = (1 - memory) * onset;
    const time = (hour - memory * (hours[i - 1] as number)) * onset;
    for (let c = 0; c < against.length; c += 1) {
      const entry = (against[c] as Float64Array)[i] as number;
      laterOnes[c] = (laterOnes[c] as number) + ones * entry;
      laterHours[c] = (laterHours[c] as number) + time * entry;
    }
    onesOnes += ones * ones;
    onesHours += ones * time;
    hoursHours += time * time;
  }
  return { ...gains, residualSquares: dot(rest, rest) };
}

/**
 * What a bend would take off the whitened residual squares at any moments, `atHours` hours after the first point: as `bend` of
 * {@link scanBreaks}, but between points too. Where noise is small the best place lies between two points, and neither of them
 * fits nearly as well. Cost: O(n p) a moment.
 */
export function bendGainsBetween(
  problem: BreakProblem,
  breaks: readonly Break[],
  phi: number,
  atHours: readonly number[],
): number[] {
  const { timesMs, hours, stepMs } = problem;
  const { basis, rest } = whitenedBasis(problem, breaks, phi);
  return atHours.map((at) => {
    const vector = whiten(timesMs, hingeAt(hours, at), stepMs, phi);
    const whole = dot(vector, vector);
    for (const unit of basis) takeOut(vector, unit);
    const square = dot(vector, vector);
    return square > NOTHING_NEW * whole ? dot(vector, rest) ** 2 / square : 0;
  });
}

/**
 * Two bends that explain most together, on a coarse grid of places. A rise that begins and ends hides from whoever looks for
 * one bend at a time: each alone explains little. `undefined` where there is no room. Cost: O(40^2 n).
 */
export function likeliestBendPair(
  problem: BreakProblem,
  breaks: readonly Break[],
  phi: number,
): readonly [Break, Break] | undefined {
  const { timesMs, hours, stepMs } = problem;
  const n = hours.length;
  const { basis, rest } = whitenedBasis(problem, breaks, phi);
  const places: { index: number; vector: Float64Array; square: number; on: number }[] = [];
  for (let index = LEAST_POINTS; index < n; index += Math.max(1, Math.ceil(n / PAIR_PLACES))) {
    if (!hasRoomForBend(n, breaks, index)) continue;
    const vector = whiten(timesMs, hinge(hours, index), stepMs, phi);
    const whole = dot(vector, vector);
    for (const unit of basis) takeOut(vector, unit);
    const square = dot(vector, vector);
    if (square > NOTHING_NEW * whole) places.push({ index, vector, square, on: dot(vector, rest) });
  }
  let most = 0;
  let best: readonly [Break, Break] | undefined;
  places.forEach((first, position) => {
    for (const second of places.slice(position + 1)) {
      if (second.index - first.index < LEAST_POINTS) continue;
      const gain = jointGain(first, second, dot(first.vector, second.vector));
      if (gain <= most) continue;
      most = gain;
      best = [bendAt(first.index), bendAt(second.index)];
    }
  });
  return best;
}

function bendAt(index: number): Break {
  return { index, step: false, bend: true };
}

function hinge(hours: Float64Array, index: number): Float64Array {
  return hingeAt(hours, hours[index] ?? 0);
}

function hingeAt(hours: Float64Array, from: number): Float64Array {
  return hours.map((hour) => Math.max(0, hour - from));
}

interface Projected {
  /** Product with the residuals. */
  readonly on: number;
  readonly square: number;
}

/** What two columns take off together; 0 when they are one. */
function jointGain(a: Projected, b: Projected, cross: number): number {
  const determinant = a.square * b.square - cross * cross;
  if (!(determinant > NOTHING_NEW * a.square * b.square)) return 0;
  return (a.on * a.on * b.square - 2 * a.on * b.on * cross + b.on * b.on * a.square) / determinant;
}

/** Orthonormal basis of the whitened columns, and what they leave of the whitened values. */
function whitenedBasis(problem: BreakProblem, breaks: readonly Break[], phi: number) {
  const { timesMs, values, stepMs } = problem;
  const basis: Float64Array[] = [];
  for (const column of breakDesign(problem, breaks)) {
    const vector = whiten(timesMs, column, stepMs, phi);
    const before = dot(vector, vector);
    for (const unit of basis) takeOut(vector, unit);
    let length = Math.sqrt(dot(vector, vector));
    // Where little is left it is full of rounding of what was taken out; once more is enough.
    if (length * length < 0.01 * before) {
      for (const unit of basis) takeOut(vector, unit);
      length = Math.sqrt(dot(vector, vector));
    }
    if (length * length > 1e-12 * before) basis.push(vector.map((entry) => entry / length));
  }
  const rest = whiten(timesMs, values, stepMs, phi);
  for (const unit of basis) takeOut(rest, unit);
  return { basis, rest };
}

function takeOut(vector: Float64Array, unit: Float64Array): void {
  const share = dot(vector, unit);
  for (let i = 0; i < vector.length; i += 1) vector[i] = (vector[i] as number) - share * (unit[i] as number);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
