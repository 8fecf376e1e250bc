import { solveLeastSquares } from "#lib/domain/statistics/least-squares.ts";
import { presentPoints, sliceSegment } from "#lib/domain/statistics/series.ts";
import type { BootSegment } from "./boot-segments.ts";
import { HOUR_MS } from "./boot-segments.ts";
import type { Trend } from "./trend.ts";
import type { Interval, LevelVerdict, Slope, SlopeVerdict } from "./vocabulary.ts";

/**
 * After how long an intervention is looked at, and how far back it is compared: never less than 6 h, which a verdict needs
 * on a noisy node, and 48 h where the window after holds whole days, so that the hour of the day weighs on neither side.
 */
export const HORIZONS = [
  { name: "1h", afterMs: HOUR_MS, beforeMs: 6 * HOUR_MS },
  { name: "6h", afterMs: 6 * HOUR_MS, beforeMs: 6 * HOUR_MS },
  { name: "24h", afterMs: 24 * HOUR_MS, beforeMs: 24 * HOUR_MS },
  { name: "7d", afterMs: 168 * HOUR_MS, beforeMs: 48 * HOUR_MS },
] as const;

export type Horizon = (typeof HORIZONS)[number];

/** The last samples of a window arrive up to a minute late, and their means are made each minute. */
const GRACE_MS = 3 * 60_000;
/** When it is looked whether data came late: a collector keeps what it could not send. */
const LATE_MS = [HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS] as const;
/** How long growth may still return. */
const WATCH_MS = 30 * 24 * HOUR_MS;
/** Least stretch in which a returned slope can be told. */
export const RETURN_LEAST_MS = 6 * HOUR_MS;

/** Whether a horizon is to be computed now: never was, or data may have come late since it was last checked. */
export function isDue(
  horizon: Horizon,
  settledMs: number,
  nowMs: number,
  checkedAtMs: number | undefined,
): boolean {
  const dueMs = settledMs + horizon.afterMs;
  if (nowMs < dueMs + GRACE_MS) return false;
  if (checkedAtMs === undefined) return true;
  return LATE_MS.some((lateMs) => dueMs + lateMs <= nowMs && checkedAtMs < dueMs + lateMs);
}

/**
 * The horizons that can say anything new: those beyond the next deed on the nodes would only repeat the one before.
 * @param closedMs when the next deed ended the window after, on the last of the treated nodes; undefined while it is open.
 */
export function openHorizons(settledMs: number, closedMs: number | undefined): Horizon[] {
  return HORIZONS.filter((_, index) => {
    const before = HORIZONS[index - 1];
    return before === undefined || closedMs === undefined || closedMs > settledMs + before.afterMs;
  });
}

/**
 * When to look at an experiment next; undefined when never again. While growth has stopped or slowed (`watching`), also each
 * hour for two days and each six hours for a month, for it may return.
 */
export function nextLookMs(
  settledMs: number,
  horizons: readonly Horizon[],
  nowMs: number,
  watching: boolean,
): number | undefined {
  const looks = horizons.flatMap(({ afterMs }) =>
    [GRACE_MS, ...LATE_MS].map((lateMs) => settledMs + afterMs + lateMs),
  );
  if (watching) {
    const ageMs = nowMs - settledMs;
    const everyMs = ageMs < 48 * HOUR_MS ? HOUR_MS : 6 * HOUR_MS;
    const next = settledMs + (Math.floor(ageMs / everyMs) + 1) * everyMs;
    if (next <= settledMs + WATCH_MS) looks.push(Math.max(next, settledMs + RETURN_LEAST_MS));
  }
  const coming = looks.filter((lookMs) => lookMs > nowMs);
  return coming.length === 0 ? undefined : Math.min(...coming);
}

/** What one look found, as far as the standing of an experiment depends on it. */
export interface Finding {
  readonly slopeVerdict: SlopeVerdict;
  readonly levelVerdict: LevelVerdict;
  readonly before: Slope | undefined;
  readonly after: Slope | undefined;
}

/** How steep a slope must be, at the lower end of its interval, to be the growth that an intervention had ended. */
export function returnThresholdPerHour({ slopeVerdict, before, after }: Finding): number | undefined {
  if (before === undefined || after === undefined) return undefined;
  // The measure of *stopped* the other way round.
  if (slopeVerdict === "stopped") return 0.2 * before.slopePerHour;
  if (slopeVerdict === "slowed" && before.slopePerHour > 0) {
    return Math.max(0.2 * before.slopePerHour, (before.slopePerHour + after.slopePerHour) / 2);
  }
  return undefined;
}

/** A working day of 100 MiB under noise of 20 MiB reopens a stopped leak of 50 MiB/h in 16 of 100 months with 1, in none with 1.5. */
const DAYS_OVER = 1.5;

/**
 * Whether a trend over the last hours is the growth that had ended: as steep as `thresholdPerHour` at the lower end, risen by
 * half as much again as a day is known to (`dailyRange`, in the unit of the values), persistent, and no warm-up of a boot. How often that is
 * wrong: docs/statistics.md.
 */
export function isReturnedGrowth(trend: Trend, thresholdPerHour: number, dailyRange = 0): boolean {
  const [leastPerHour] = trend.ci95;
  if (leastPerHour < thresholdPerHour) return false;
  // A morning that is as steep as the leak was rises no farther than mornings do.
  if ((leastPerHour * (trend.toMs - trend.fromMs)) / HOUR_MS <= DAYS_OVER * dailyRange) return false;
  if (trend.verdict === "leaking") return true;
  return trend.verdict === "growing" && trend.gates.persistent && trend.gates.beyondWarmUp;
}

/** Whether a later finding shows the growth again that an earlier one of `findings` (oldest first) saw stopped or slowed. */
export function hasReturned(findings: readonly Finding[]): boolean {
  let threshold: number | undefined;
  for (const finding of findings) {
    if (threshold !== undefined && finding.after !== undefined && finding.after.ci95[0] >= threshold) {
      return true;
    }
    threshold = returnThresholdPerHour(finding) ?? threshold;
  }
  return false;
}

/** Whether a finding says something: *unchanged* and *none* do. */
export function isTelling({
  slopeVerdict,
  levelVerdict,
}: Pick<Finding, "slopeVerdict" | "levelVerdict">): boolean {
  return (
    (slopeVerdict !== "inconclusive" && slopeVerdict !== "too-early") ||
    levelVerdict === "freed" ||
    levelVerdict === "added"
  );
}

/**
 * Where an experiment stands: *returned* once growth came back; else *following* while a look is to come; else *settled* with
 * a telling finding of any metric, *cannot-say* without.
 */
export function experimentStatus(state: {
  readonly returned: boolean;
  readonly moreToCome: boolean;
  readonly telling: boolean;
}): "following" | "settled" | "returned" | "cannot-say" {
  if (state.returned) return "returned";
  if (state.moreToCome) return "following";
  return state.telling ? "settled" : "cannot-say";
}

/**
 * When a series that was flat began to grow: the bend of two lines that fits the last boot in a window best, out of 48 places.
 * `undefined` where no bend upwards fits better than one line by a tenth, or there are fewer than 24 points: then it grew all
 * along. An estimate for the eye: it carries no interval. Cost: 49 least-squares fits, O(n) each.
 */
export function bendUpwardsMs(
  segments: readonly BootSegment[],
  [fromMs, toMs]: Interval,
): number | undefined {
  const boots = segments
    .map((segment) => sliceSegment(presentPoints(segment), fromMs, toMs))
    .filter(({ timesMs }) => timesMs.length > 0);
  const last = boots.at(-1);
  if (last === undefined || last.timesMs.length < 24) return undefined;
  const { timesMs, values } = last;
  const startMs = timesMs[0] ?? fromMs;
  const endMs = timesMs.at(-1) ?? toMs;
  const ones = new Float64Array(timesMs.length).fill(1);
  const hours = timesMs.map((timeMs) => (timeMs - startMs) / HOUR_MS);
  const line = solveLeastSquares([ones, hours], values);
  let best = { atMs: 0, squares: 0.9 * (line?.residualSquares ?? 0), found: false };
  for (let place = 3; place <= 45; place += 1) {
    const atMs = startMs + ((endMs - startMs) * place) / 48;
    const beyond = timesMs.map((timeMs) => Math.max(0, timeMs - atMs) / HOUR_MS);
    const fit = solveLeastSquares([ones, hours, beyond], values);
    if (fit === undefined || (fit.coefficients[2] ?? 0) <= 0 || fit.residualSquares >= best.squares) continue;
    best = { atMs, squares: fit.residualSquares, found: true };
  }
  return best.found ? best.atMs : undefined;
}
