import type { Insufficient } from "./insufficient.ts";
import { insufficient } from "./insufficient.ts";
import { normalQuantile } from "./normal-distribution.ts";
import { usualStepMs } from "./series.ts";

/** Two levels on one time axis, one stretch without a reboot. */
export interface LagSegment {
  /** Epoch milliseconds, strictly increasing. */
  readonly timesMs: Float64Array;
  readonly cause: Float64Array;
  readonly response: Float64Array;
}

/** How the two go together when the cause is that many steps earlier (later, where negative). */
export interface LagCorrelation {
  readonly steps: number;
  readonly coefficient: number;
  /** Pairs of differences. */
  readonly n: number;
}

/** The lag that fits best, and those that fit as well. */
export interface BestLag extends LagCorrelation {
  /** Ends of the run of neighbouring lags that the data cannot tell from it. */
  readonly fromSteps: number;
  readonly toSteps: number;
}

export interface LagScan {
  readonly stepMs: number;
  /** From the earliest lag to the latest. */
  readonly lags: readonly LagCorrelation[];
  /** `undefined` when no lag stands out: none is above chance, or all do about as well. */
  readonly best: BestLag | undefined;
}

/**
 * At which lag the changes of one series resemble the changes of another.
 *
 * Levels are differenced from step to step, so that two trends are not taken for a relation; a difference across a gap or
 * between segments is not taken. The coefficient at lag k is that of all pairs k steps apart. The largest positive one counts
 * when it is above what the greatest of so many would reach by chance (5 % in all), with the variance that two unrelated
 * series with these autocorrelations have. A neighbour counts as equal while it falls short by less than the error of a
 * difference between the two, which is small where the cause changes slowly from step to step. When that reaches from one
 * end of the scan to the other, no lag is better than another.
 *
 * {@link Insufficient} with fewer than three times as many differences as lags to one side, or where one side never changes.
 * Assumes: a relation of one lag, the same all the time.
 * Misleads: where the effect is spread over many steps; a common rhythm repeats its peak one period away.
 * References: G. E. P. Box and G. M. Jenkins, Time Series Analysis (1976), chapter 11; for the variance, M. S. Bartlett,
 * Journal of the Royal Statistical Society, Supplement 8 (1946) 27-41. Cost: O(n K) for K lags.
 *
 * @example scanLags([{ timesMs, cause: Float64Array.of(0, 1, 1, 4, 4, 4, 4), response: Float64Array.of(0, 0, 1, 1, 4, 4, 4) }], 1)
 * // lag 1 has the coefficient 1; with so few changes none is above chance
 */
export function scanLags(segments: readonly LagSegment[], reach: number): LagScan | Insufficient {
  const stepMs = usualStepMs(segments);
  const changes = stepMs === undefined ? [] : segments.map((segment) => changesOf(segment, stepMs));
  const cause = changes.map((each) => each.cause);
  const response = changes.map((each) => each.response);
  const n = response.flat().filter((value) => value !== undefined).length;
  const enough = Math.max(3, 3 * reach);
  if (stepMs === undefined || n < enough) return insufficient("changes from step to step", enough, n);
  const causes = centred(cause);
  const responses = centred(response);
  if (causes === undefined || responses === undefined)
    return insufficient("different changes on either side", 2, 1);

  const lags = Array.from({ length: 2 * reach + 1 }, (_, index) => index - reach).map((steps) => ({
    steps,
    ...crossCorrelation(causes, responses, steps),
  }));
  return { stepMs, lags, best: bestOf(lags, causes, responses) };
}

type Changes = readonly (number | undefined)[];

/** Changes by number of the step; `undefined` where the step before is missing. */
function changesOf({ timesMs, cause, response }: LagSegment, stepMs: number) {
  const out = { cause: [] as (number | undefined)[], response: [] as (number | undefined)[] };
  const originMs = timesMs[0] ?? 0;
  const last = Math.round(((timesMs.at(-1) ?? originMs) - originMs) / stepMs);
  // A stretch with few points over a long time would be an array of holes: what is so sparse has no steps.
  if (last > 20 * timesMs.length) return out;
  for (let i = 1; i < timesMs.length; i += 1) {
    const steps = ((timesMs[i] as number) - (timesMs[i - 1] as number)) / stepMs;
    const at = Math.round(((timesMs[i] as number) - originMs) / stepMs);
    while (out.cause.length <= at) {
      out.cause.push(undefined);
      out.response.push(undefined);
    }
    if (steps < 0.5 || steps > 1.5) continue;
    out.cause[at] = (cause[i] as number) - (cause[i - 1] as number);
    out.response[at] = (response[i] as number) - (response[i - 1] as number);
  }
  return out;
}

/** Less their mean; `undefined` where they never change. */
function centred(parts: readonly Changes[]): Changes[] | undefined {
  const present = parts.flat().filter((value) => value !== undefined);
  const mean = present.reduce((sum, value) => sum + value / present.length, 0);
  const variance = present.reduce((sum, value) => sum + (value - mean) ** 2 / present.length, 0);
  if (!(variance > (1e-12 * mean) ** 2) || !(variance < Infinity)) return undefined;
  return parts.map((part) => part.map((value) => (value === undefined ? undefined : value - mean)));
}

/** Of all pairs `steps` apart, from the means of the whole; by the pairs' own squares, so that it stays within -1 and 1. */
function crossCorrelation(
  a: readonly Changes[],
  b: readonly Changes[],
  steps: number,
): { coefficient: number; n: number } {
  let products = 0;
  let squaresA = 0;
  let squaresB = 0;
  let n = 0;
  b.forEach((part, index) => {
    const other = a[index] ?? [];
    for (let i = Math.max(0, steps); i < part.length; i += 1) {
      const value = part[i];
      const earlier = other[i - steps];
      if (value === undefined || earlier === undefined) continue;
      products += value * earlier;
      squaresA += earlier * earlier;
      squaresB += value * value;
      n += 1;
    }
  });
  const scale = Math.sqrt(squaresA) * Math.sqrt(squaresB);
  return { coefficient: scale > 0 ? products / scale : 0, n };
}

function bestOf(
  lags: readonly LagCorrelation[],
  causes: readonly Changes[],
  responses: readonly Changes[],
): BestLag | undefined {
  const best = lags.reduce((most, lag) => (lag.coefficient > most.coefficient ? lag : most));
  const memory = lags.map((_, k) => crossCorrelation(causes, causes, k).coefficient);
  const shared = memory.reduce(
    (sum, own, k) => (k === 0 ? sum : sum + 2 * own * crossCorrelation(responses, responses, k).coefficient),
    1,
  );
  const error = Math.sqrt(Math.max(1, shared) / Math.max(1, best.n));
  if (best.coefficient < normalQuantile(1 - 0.025 / lags.length) * error) return undefined;
  const asGood = ({ steps, coefficient }: LagCorrelation) => {
    const alike = memory[Math.abs(steps - best.steps)] ?? 0;
    const differs = error * Math.sqrt(2 * Math.max(0, 1 - alike));
    return best.coefficient - coefficient <= normalQuantile(0.975) * differs;
  };
  const at = lags.indexOf(best);
  let from = at;
  let to = at;
  while (from > 0 && asGood(lags[from - 1] as LagCorrelation)) from -= 1;
  while (to < lags.length - 1 && asGood(lags[to + 1] as LagCorrelation)) to += 1;
  if (from === 0 && to === lags.length - 1) return undefined;
  return {
    ...best,
    fromSteps: (lags[from] as LagCorrelation).steps,
    toSteps: (lags[to] as LagCorrelation).steps,
  };
}
