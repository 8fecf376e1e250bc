import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import type { AutoregressiveFit } from "#lib/domain/statistics/prais-winsten.ts";
import { fitWhitened, praisWinsten } from "#lib/domain/statistics/prais-winsten.ts";
import type { Segment } from "#lib/domain/statistics/series.ts";
import { usualStepMs } from "#lib/domain/statistics/series.ts";
import { coveredMs, HOUR_MS, lineColumns } from "./boot-segments.ts";

const DAY_HOURS = 24;
const WEEK_HOURS = 168;

/** Series with their daily (and weekly) rhythm taken out, and what that costs the slope. */
export interface Decycled {
  readonly segments: readonly Segment[];
  /**
   * Columns of the rhythm, for a fit that adds something else to line and rhythm; none when no wave stands out of the noise.
   */
  readonly waves: (segment: Segment) => Float64Array[];
  /** Coefficients that were fitted for the rhythm. */
  readonly parameters: number;
  /** Factor on the variance of the slope: a slope and a slow wave are partly the same. */
  readonly inflation: number;
}

/** Level at which one wave and its overtone are told from noise. */
const SEEN_LEVEL = 0.05;

/**
 * Columns of the rhythm that so much data can show: with 48 h of points the daily wave and its first overtone, with 14 days also
 * the weekly pair; with less none, for a wave that was seen once cannot be told from a slope.
 */
export function cycleColumns(segments: readonly Segment[]): (segment: Segment) => Float64Array[] {
  const coveredHours = coveredMs(segments) / HOUR_MS;
  const periods = [
    ...(coveredHours >= 2 * DAY_HOURS * 0.99 ? [DAY_HOURS, DAY_HOURS / 2] : []),
    ...(coveredHours >= 2 * WEEK_HOURS * 0.99 ? [WEEK_HOURS, WEEK_HOURS / 2] : []),
  ];
  const originMs = segments[0]?.timesMs[0] ?? 0;
  return ({ timesMs }) =>
    periods.flatMap((period) =>
      [Math.sin, Math.cos].map((wave) =>
        timesMs.map((timeMs) => wave((2 * Math.PI * (timeMs - originMs)) / (period * HOUR_MS))),
      ),
    );
}

/**
 * Fits rhythm and slope together and takes the rhythm out; nothing where {@link cycleColumns} has none.
 *
 * The slope always pays for the rhythm. What judges the shape of a rise is given its columns only where some wave is
 * significant at 5 %: over two days, one step beside four free waves imitates a straight line, and a leak of
 * 2 MiB/h was called stepped in a third of cases. A wave that does not stand out is too small to look like a leak.
 */
export function removeCycles(segments: readonly Segment[]): Decycled {
  const unchanged: Decycled = { segments, waves: () => [], parameters: 0, inflation: 1 };
  const originMs = segments[0]?.timesMs[0];
  const stepMs = usualStepMs(segments);
  if (originMs === undefined || stepMs === undefined) return unchanged;
  const waves = cycleColumns(segments);
  const parameters = waves({ timesMs: new Float64Array(0), values: new Float64Array(0) }).length;
  if (parameters === 0) return unchanged;

  const design = lineColumns(segments, originMs, waves);
  const fit = praisWinsten(design);
  if (isInsufficient(fit)) return unchanged;
  const slope = segments.length;
  const alone = fitWhitened(lineColumns(segments, originMs), stepMs, fit.phi)?.inverse[slope]?.[slope];
  const together = fitWhitened(design, stepMs, fit.phi)?.inverse[slope]?.[slope];
  if (alone === undefined || together === undefined) return unchanged;
  return {
    segments: design.map(({ timesMs, values, columns }) => ({
      timesMs,
      values: values.map((value, i) =>
        columns
          .slice(slope + 1)
          .reduce(
            (rest, column, c) => rest - (fit.coefficients[slope + 1 + c] as number) * (column[i] as number),
            value,
          ),
      ),
    })),
    waves: isSeen(fit, slope + 1) ? waves : () => [],
    parameters,
    inflation: Math.max(1, together / alone),
  };
}

/** Whether some pair of sine and cosine is significant: an F test with two degrees of freedom, whose tail has a closed form. */
function isSeen({ coefficients, covariance, degreesOfFreedom }: AutoregressiveFit, first: number): boolean {
  for (let sine = first; sine + 1 < coefficients.length; sine += 2) {
    const [a, b] = [coefficients[sine] as number, coefficients[sine + 1] as number];
    const entry = (row: number, column: number) => covariance[row]?.[column] as number;
    const [aa, ab, bb] = [entry(sine, sine), entry(sine, sine + 1), entry(sine + 1, sine + 1)];
    const statistic = (a * a * bb - 2 * a * b * ab + b * b * aa) / (aa * bb - ab * ab);
    if ((1 + statistic / degreesOfFreedom) ** (-degreesOfFreedom / 2) < SEEN_LEVEL) return true;
  }
  return false;
}
