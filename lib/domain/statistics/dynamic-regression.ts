import type { Insufficient } from "./insufficient.ts";
import { insufficient } from "./insufficient.ts";
import { solveNormalEquations } from "./least-squares.ts";
import type { Segment } from "./series.ts";
import { usualStepMs } from "./series.ts";

/** One segment with what drives it: `drivers[d][i]` belongs to point i. Its level is a coefficient of its own. */
export interface DrivenSegment extends Segment {
  readonly drivers: readonly Float64Array[];
}

/** A regression on drivers, averaged over what the noise may be like. */
export interface DynamicFit {
  /** One a driver, in units of value per unit of the driver. */
  readonly coefficients: readonly number[];
  /** Covariance of the coefficients, with what is not known of the noise. */
  readonly covariance: readonly (readonly number[])[];
  /**
   * For each driver: by how much its error grows because the others are there too (the square root of the variance
   * inflation), under the noise that fits best. 1: they have nothing to do with it.
   */
  readonly inflation: readonly number[];
  /** Of the slow part of the noise from one step to the next, averaged likewise. */
  readonly phi: number;
  readonly degreesOfFreedom: number;
  readonly n: number;
}

/** Noise: a slow AR(1) part with innovations of variance 1, and a fast one of variance `fastVariance`. */
interface NoiseModel {
  readonly slowPhi: number;
  readonly fastPhi: number;
  readonly fastVariance: number;
  readonly weight: number;
}

const SLOW = [0.3, 0.5, 0.65, 0.8, 0.9, 0.95, 0.975, 0.99, 0.996, 0.999];
const FAST_VARIANCES = [0.5, 2, 8, 32, 128, 512];

const withFastPart = (fastPhi: number, slowerThan: number) =>
  SLOW.filter((phi) => phi >= slowerThan).flatMap((slowPhi) =>
    FAST_VARIANCES.map((fastVariance) => ({ slowPhi, fastPhi, fastVariance })),
  );

/** Memory of kernels often wanders: nearly a random walk is taken for three times as likely beforehand as any other noise. */
const NEARLY_WALK = 0.99;
const NEARLY_WALK_WEIGHT = 3;

/** Half of the weight for AR(1) alone, the rest for AR(1) beside a part that is white, or AR(1) with 0.5 or 0.8. */
const NOISE_MODELS: readonly NoiseModel[] = [
  { share: 1 / 2, models: [0, ...SLOW].map((slowPhi) => ({ slowPhi, fastPhi: 0, fastVariance: 0 })) },
  { share: 1 / 6, models: withFastPart(0, 0) },
  { share: 1 / 6, models: withFastPart(0.5, 0.8) },
  { share: 1 / 6, models: withFastPart(0.8, 0.95) },
].flatMap(({ share, models }) =>
  models.map((model) => ({
    ...model,
    weight: (share / models.length) * (model.slowPhi >= NEARLY_WALK ? NEARLY_WALK_WEIGHT : 1),
  })),
);

/**
 * Least squares on drivers that change with time, an own level a segment, with noise that remembers.
 *
 * Prais-Winsten takes one lag-1 coefficient as if it were known. Where drivers are themselves slow (a count that only rises)
 * the interval hangs on how slow the noise is, and one coefficient can be wrong both ways: a random walk is taken for 0.98,
 * and fast noise over a slow one for fast alone. So the noise here is the sum of a slow AR(1) part, up to nearly a random
 * walk, and a fast one; for each of a fixed set of such noises the regression is whitened by its one-step prediction errors
 * (Kalman filter; with the slow part alone that is Prais-Winsten) and weighed by its restricted likelihood. Estimate and
 * covariance are those of the mixture, so that what the data do not say about the noise widens the interval. A gap of k steps
 * remembers phi^k; segments begin anew.
 *
 * Assumes: effects that are proportional and at once, noise of the same kind in all segments.
 * Misleads: where something that is not among the drivers goes with one of them; with a slow curve beside a driver that is
 * nearly a straight line (see `inflation`).
 * References: R. H. Jones, Technometrics 22 (1980) 389-395 for the filter with gaps; D. A. Harville, JASA 72 (1977) 320-338 for the
 * restricted likelihood; J. A. Hoeting et al., Statistical Science 14 (1999) 382-401 for averaging over models.
 * Cost: O(n p^2) for each of 143 noises, about 10 ms for 600 points and 7 drivers.
 *
 * @example dynamicRegression([{ timesMs: Float64Array.of(0, 1, 2, 3), values: Float64Array.of(7, 9, 11, 13), drivers: [Float64Array.of(0, 1, 2, 3)] }])
 * // coefficients [2]
 */
export function dynamicRegression(segments: readonly DrivenSegment[]): DynamicFit | Insufficient {
  const used = segments.filter(({ timesMs }) => timesMs.length >= 2);
  const drivers = used[0]?.drivers.length ?? 0;
  const parameters = used.length + drivers;
  const n = used.reduce((sum, { values }) => sum + values.length, 0);
  const stepMs = usualStepMs(used);
  if (stepMs === undefined || n < parameters + 3) {
    return insufficient("points for the regression", parameters + 3, n);
  }
  const rows = used.map((segment) => rowsOf(segment, stepMs));
  const fits = NOISE_MODELS.flatMap((model) => {
    const fit = fitUnder(model, rows, drivers, n - parameters);
    return fit === undefined ? [] : [fit];
  });
  if (fits.length < NOISE_MODELS.length) {
    return insufficient("independent drivers", drivers, Math.max(0, drivers - 1));
  }
  const noiseless = fits.some(({ logLikelihood }) => logLikelihood === undefined);
  const likelihood = (fit: NoiseFit) => (noiseless ? 0 : (fit.logLikelihood ?? 0));
  const likeliest = fits.reduce((best, fit) => (likelihood(fit) > likelihood(best) ? fit : best));
  const weights = fits.map((fit) => fit.model.weight * Math.exp(likelihood(fit) - likelihood(likeliest)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const average = (of: (fit: NoiseFit) => number) =>
    fits.reduce((sum, fit, k) => sum + ((weights[k] ?? 0) / total) * of(fit), 0);
  const each = Array.from({ length: drivers }, (_, d) => d);
  const coefficients = each.map((d) => average((fit) => fit.coefficients[d] ?? 0));
  const covariance = each.map((a) =>
    each.map((b) =>
      average(
        (fit) =>
          fit.variance * (fit.inverse[a]?.[b] ?? 0) +
          ((fit.coefficients[a] ?? 0) - (coefficients[a] ?? 0)) *
            ((fit.coefficients[b] ?? 0) - (coefficients[b] ?? 0)),
      ),
    ),
  );
  return {
    coefficients,
    covariance,
    inflation: each.map((d) => Math.sqrt((likeliest.inverse[d]?.[d] ?? 0) * (likeliest.squares[d] ?? 0))),
    phi: average(({ model }) => model.slowPhi),
    degreesOfFreedom: n - parameters,
    n,
  };
}

/** A segment row by row: its drivers and its value, less their means, and the steps since the row before. */
interface Rows {
  readonly cells: Float64Array;
  readonly steps: Float64Array;
  readonly count: number;
}

function rowsOf({ timesMs, values, drivers }: DrivenSegment, stepMs: number): Rows {
  const columns = [...drivers, values];
  const count = timesMs.length;
  const cells = new Float64Array(count * columns.length);
  columns.forEach((column, c) => {
    const mean = column.reduce((sum, value) => sum + value / count, 0);
    column.forEach((value, i) => (cells[i * columns.length + c] = value - mean));
  });
  const steps = timesMs.map((timeMs, i) => (i === 0 ? 0 : (timeMs - (timesMs[i - 1] as number)) / stepMs));
  return { cells, steps, count };
}

interface NoiseFit {
  readonly model: NoiseModel;
  readonly coefficients: readonly number[];
  readonly inverse: readonly (readonly number[])[];
  /** Of each driver alone, whitened, levels taken out. */
  readonly squares: readonly number[];
  /** Of the innovations. */
  readonly variance: number;
  /** `undefined` when nothing is left that could tell one noise from another. */
  readonly logLikelihood: number | undefined;
}

function fitUnder(
  model: NoiseModel,
  segments: readonly Rows[],
  drivers: number,
  degreesOfFreedom: number,
): NoiseFit | undefined {
  const width = drivers + 1;
  const products = new Float64Array(width * width);
  let logVariances = 0;
  for (const rows of segments) logVariances += addSegment(model, rows, width, products);
  const driverProducts = new Float64Array(drivers * drivers);
  const cross = new Float64Array(drivers);
  for (let a = 0; a < drivers; a += 1) {
    cross[a] = products[drivers * width + a] as number;
    for (let b = 0; b <= a; b += 1) driverProducts[a * drivers + b] = products[a * width + b] as number;
  }
  const solution = solveNormalEquations(driverProducts, cross);
  if (solution === undefined) return undefined;
  const { coefficients, inverse, logDeterminant } = solution;
  const valueSquares = products[drivers * width + drivers] as number;
  const explained = coefficients.reduce((sum, value, d) => sum + value * (cross[d] as number), 0);
  // Where the drivers explain everything, rounding is what is left.
  const rounding = 1e-13 * valueSquares;
  const squaresLeft = Math.max(valueSquares - explained, rounding);
  const variance = squaresLeft / degreesOfFreedom;
  return {
    model,
    coefficients,
    inverse,
    squares: coefficients.map((_, d) => driverProducts[d * drivers + d] as number),
    variance,
    logLikelihood:
      squaresLeft > rounding
        ? -0.5 * (degreesOfFreedom * Math.log(variance) + logVariances + logDeterminant)
        : undefined,
  };
}

/**
 * Adds the cross products (lower triangle) of one segment's prediction errors to `products`, its level taken out; gives the
 * sum of the logarithms of their variances, with that of the level's own square.
 */
function addSegment(
  { slowPhi, fastPhi, fastVariance }: NoiseModel,
  { cells, steps, count }: Rows,
  width: number,
  products: Float64Array,
): number {
  const slowVariance = 1 / (1 - slowPhi * slowPhi);
  // State of the filter for each column, the last being the constant 1 of the level.
  const slow = new Float64Array(width + 1);
  const fast = new Float64Array(width + 1);
  const errors = new Float64Array(width + 1);
  const own = new Float64Array(width * width);
  const withLevel = new Float64Array(width);
  let levelSquares = 0;
  let logVariances = 0;
  let varSlow = slowVariance;
  let varBoth = 0;
  let varFast = fastVariance;
  for (let i = 0; i < count; i += 1) {
    if (i > 0) {
      const apart = steps[i] as number;
      const keepSlow = apart === 1 ? slowPhi : slowPhi ** apart;
      const keepFast = apart === 1 ? fastPhi : fastPhi ** apart;
      for (let c = 0; c <= width; c += 1) {
        slow[c] = (slow[c] as number) * keepSlow;
        fast[c] = (fast[c] as number) * keepFast;
      }
      varSlow = keepSlow * keepSlow * varSlow + (1 - keepSlow * keepSlow) * slowVariance;
      varBoth *= keepSlow * keepFast;
      varFast = keepFast * keepFast * varFast + (1 - keepFast * keepFast) * fastVariance;
    }
    const variance = varSlow + 2 * varBoth + varFast;
    const scale = 1 / Math.sqrt(variance);
    const gainSlow = (varSlow + varBoth) / variance;
    const gainFast = (varBoth + varFast) / variance;
    logVariances += Math.log(variance);
    for (let c = 0; c <= width; c += 1) {
      const seen = c === width ? 1 : (cells[i * width + c] as number);
      const error = seen - (slow[c] as number) - (fast[c] as number);
      errors[c] = error * scale;
      slow[c] = (slow[c] as number) + gainSlow * error;
      fast[c] = (fast[c] as number) + gainFast * error;
    }
    const level = errors[width] as number;
    levelSquares += level * level;
    for (let a = 0; a < width; a += 1) {
      const error = errors[a] as number;
      withLevel[a] = (withLevel[a] as number) + error * level;
      for (let b = 0; b <= a; b += 1)
        own[a * width + b] = (own[a * width + b] as number) + error * (errors[b] as number);
    }
    const slowCovariance = varSlow + varBoth;
    const fastCovariance = varBoth + varFast;
    varSlow -= gainSlow * slowCovariance;
    varBoth -= gainSlow * fastCovariance;
    varFast -= gainFast * fastCovariance;
  }
  for (let a = 0; a < width; a += 1) {
    for (let b = 0; b <= a; b += 1) {
      const taken = ((withLevel[a] as number) * (withLevel[b] as number)) / levelSquares;
      products[a * width + b] = (products[a * width + b] as number) + (own[a * width + b] as number) - taken;
    }
  }
  return logVariances + Math.log(levelSquares);
}
