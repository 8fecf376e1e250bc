import { dynamicRegression, type DynamicFit } from "#lib/domain/statistics/dynamic-regression.ts";
import type { Insufficient } from "#lib/domain/statistics/insufficient.ts";
import { insufficient, isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import { linearCombination } from "#lib/domain/statistics/linear-combination.ts";
import { scanLags, type BestLag } from "#lib/domain/statistics/lag-scan.ts";
import { pearson, type Correlation } from "#lib/domain/statistics/pearson.ts";
import { spearman } from "#lib/domain/statistics/spearman.ts";
import { tQuantile } from "#lib/domain/statistics/t-distribution.ts";
import type { BootSegment } from "./boot-segments.ts";
import { coveredMs, HOUR_MS } from "./boot-segments.ts";
import { settledStretches, type ContainerStretch } from "./container-stretches.ts";
import { cycleColumns } from "./cycles.ts";
import { materialSlopeKibPerHour } from "../memory/materiality.ts";
import { chooseWindowMs, growthWindows, type GrowthWindow } from "./growth-windows.ts";
import type { CorrelationVerdict, Estimate, SeparationObstacle } from "./vocabulary.ts";

/** Least data that is related to containers. */
export const CORRELATION_MINIMUM = { points: 24, spanMs: HOUR_MS / 2, containers: 10 } as const;

/** A rate whose windows spread by less than this part of their mean says nothing about what a container does. */
const LEAST_RATE_SPREAD = 0.1;
/**
 * By how much the error of KiB per container may grow because time and containers alive are fitted beside it. Beyond, what
 * tells the count from a straight line is so little that the slightest curve of anything else passes for it.
 */
const MOST_INFLATION = 30;
/** *In use* says that a node is well: surer than an interval for reading, so that wandering memory is not explained by it. */
const IN_USE_CONFIDENCE = 0.99;
/** Most steps by which creation may come before growth, or after it. */
const LAG_REACH = 12;
const LINE_POINTS = 17;

/** One boot: the metric, and beside each value what is known of containers at the time; `null` where it is not. */
export interface ContainerBoot extends BootSegment {
  /** Containers started since boot, or since anything: only differences count. */
  readonly created: readonly (number | null)[];
  /** Containers alive. */
  readonly live: readonly (number | null)[];
}

export interface CorrelationInput {
  /** The window's boots in order of time. */
  readonly boots: readonly ContainerBoot[];
  /** MemTotal; sets the least growth that counts when `materialPerHour` is not given. */
  readonly memTotalKib: number;
  /** Least growth that counts, per hour in the unit of the values. Needed for anything that is not KiB. */
  readonly materialPerHour?: number | undefined;
  /** Width of the windows of the scatter; chosen by the data when not given. */
  readonly windowMs?: number | undefined;
}

/** A place on the line of the scatter with its band. */
export interface LinePoint {
  readonly containersPerHour: number;
  readonly slopePerHour: number;
  readonly ci95: readonly [number, number];
}

/** What memory has to do with containers. Numbers unrounded, in the unit of the values (KiB for memory). */
export interface ContainerCorrelation {
  readonly kind: "correlation";
  readonly verdict: Exclude<CorrelationVerdict, "insufficient">;
  /** With *cannot-separate*. */
  readonly obstacle: SeparationObstacle | undefined;
  /** Left behind by each container that is created. `undefined` where it cannot be said. */
  readonly perContainer: Estimate | undefined;
  /** Held by each container while it lives. `undefined` also where their number is not known or never changed. */
  readonly perLiveContainer: Estimate | undefined;
  /** Growth that goes with neither. */
  readonly backgroundPerHour: Estimate | undefined;
  /** Mean rate of creation over the time that boots cover. */
  readonly containersPerHour: number;
  /** Of slope against rate, window by window. `undefined` with fewer than 3 windows, or where one of them never changes. */
  readonly pearson: Correlation | undefined;
  readonly spearman: Correlation | undefined;
  /** `undefined` when no lag is better than another. */
  readonly bestLag: (BestLag & { readonly stepMs: number }) | undefined;
  readonly windowMs: number;
  readonly points: readonly GrowthWindow[];
  /** Growth at a rate of creation while the number alive stays; empty where it cannot be said. */
  readonly line: readonly LinePoint[];
  /** Points of the regression, and the first and last of them. */
  readonly n: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether 48 h of data allowed to fit the daily rhythm too. */
  readonly withRhythm: boolean;
  readonly method: string;
}

/**
 * Relates the growth of a metric to the creation of containers.
 *
 * Memory is regressed on the cumulative number of containers created (what each leaves behind), on the number alive now (what
 * each holds while it lives) and on time (growth that goes with neither); every boot has a level of its own, the first 2 h of
 * a boot are left out, and with 48 h of data the daily rhythm is fitted too (dynamic-regression.ts). Beside it the picture: slope
 * against rate of creation, both as the least-squares slope of the same points of a window, so that what is proportional
 * stays so; levels are never correlated with levels.
 *
 * Verdict, first that holds:
 * - *cannot-separate*, `live-unknown`: the number alive is not known for four fifths of the points; what containers hold
 *   would pass for what they leave behind.
 * - *cannot-separate*, `steady-rate`: the windows' rates spread by less than 10 % of their mean.
 * - *cannot-separate*, `collinear`: count, number alive and time are nearly or exactly the same line (or the same rhythm).
 * - *leaves-behind*: the interval of KiB per container lies above 0, and the estimate times the rate is growth that counts.
 * - *cannot-separate*, `wide-interval`: memory grew by something that counts, and the interval holds both nothing and all of it.
 * - *in-use*: the 99 % interval of KiB per live container lies above 0.
 * - *unrelated*: neither.
 *
 * {@link Insufficient} with fewer than 24 points, under 30 min, fewer than 10 containers started, or where the metric never moved.
 * Misleads: where something else goes with creation (the same job, the hour of the day within one day of data): it is a
 * correlation. What settles it is to stop the job and to mark that.
 */
export function correlateWithContainers(input: CorrelationInput): ContainerCorrelation | Insufficient {
  const { stretches, liveKnown, pointsKnown, lacking } = settledStretches(input.boots);
  const spannedMs = coveredMs(stretches);
  const n = stretches.reduce((sum, { timesMs }) => sum + timesMs.length, 0);
  if (n < CORRELATION_MINIMUM.points) {
    return insufficient(
      lacking,
      CORRELATION_MINIMUM.points,
      pointsKnown < CORRELATION_MINIMUM.points ? pointsKnown : n,
    );
  }
  if (spannedMs < CORRELATION_MINIMUM.spanMs) {
    return insufficient("minutes of data", CORRELATION_MINIMUM.spanMs / 60_000, spannedMs / 60_000);
  }
  const started = stretches.reduce(
    (sum, { created }) => sum + (created.at(-1) as number) - (created[0] as number),
    0,
  );
  if (!(started >= CORRELATION_MINIMUM.containers)) {
    return insufficient("containers started in this window", CORRELATION_MINIMUM.containers, started);
  }

  if (stretches.every(({ values }) => values.every((value) => value === values[0]))) {
    return insufficient("different values in this window", 2, 1);
  }

  const rate = (started * HOUR_MS) / spannedMs;
  const windowMs = chooseWindowMs(stretches, spannedMs, input.windowMs);
  const points = growthWindows(stretches, windowMs);
  const rates = points.map(({ containersPerHour }) => containersPerHour);
  const slopes = points.map(({ slopePerHour }) => slopePerHour);
  const material = input.materialPerHour ?? materialSlopeKibPerHour(input.memTotalKib);
  const regression = liveKnown ? regress(stretches) : undefined;
  const judged = judge(regression, liveKnown, rates, rate, material);
  const said = judged.obstacle === undefined || judged.obstacle === "wide-interval" ? regression : undefined;
  const reach = Math.max(1, Math.min(LAG_REACH, Math.floor(n / 12)));
  const scan = scanLags(
    stretches.map(({ timesMs, values, created }) => ({ timesMs, cause: created, response: values })),
    reach,
  );
  const withRhythm = cycleColumns(stretches)(EMPTY).length > 0;
  return {
    kind: "correlation",
    ...judged,
    perContainer: said?.perContainer,
    perLiveContainer: said?.perLiveContainer,
    backgroundPerHour: said?.backgroundPerHour,
    containersPerHour: rate,
    pearson: known(pearson(rates, slopes)),
    spearman: known(spearman(rates, slopes)),
    bestLag:
      isInsufficient(scan) || scan.best === undefined ? undefined : { ...scan.best, stepMs: scan.stepMs },
    windowMs,
    points,
    line: said === undefined ? [] : lineOf(said.fit, rates),
    n,
    fromMs: stretches[0]?.timesMs[0] as number,
    toMs: stretches.at(-1)?.timesMs.at(-1) as number,
    withRhythm,
    method: methodText(stretches.length, withRhythm, said),
  };
}

const EMPTY = { timesMs: new Float64Array(0), values: new Float64Array(0) };
/** Weights of one driver alone. */
const TIME = [1];
const CREATED = [0, 1];
const LIVE = [0, 0, 1];
/** Growth at a rate of creation. */
const growthAt = (containersPerHour: number) => [1, containersPerHour];

interface Regression {
  readonly fit: DynamicFit;
  readonly perContainer: Estimate;
  readonly perLiveContainer: Estimate | undefined;
  readonly backgroundPerHour: Estimate;
}

/** `undefined` where the columns are linearly dependent. */
function regress(stretches: readonly ContainerStretch[]): Regression | undefined {
  const originMs = stretches[0]?.timesMs[0] ?? 0;
  const waves = cycleColumns(stretches);
  const liveVaries = stretches.some(({ live }) => live.some((count) => count !== live[0]));
  const fit = dynamicRegression(
    stretches.map((stretch) => ({
      timesMs: stretch.timesMs,
      values: stretch.values,
      drivers: [
        stretch.timesMs.map((timeMs) => (timeMs - originMs) / HOUR_MS),
        stretch.created,
        ...(liveVaries ? [stretch.live] : []),
        ...waves(stretch),
      ],
    })),
  );
  if (isInsufficient(fit)) return undefined;
  const estimates = {
    fit,
    perContainer: combination(fit, CREATED),
    perLiveContainer: liveVaries ? combination(fit, LIVE) : undefined,
    backgroundPerHour: combination(fit, TIME),
  };
  return [...estimates.perContainer.ci95, ...estimates.backgroundPerHour.ci95].every(Number.isFinite)
    ? estimates
    : undefined;
}

/** A sum of coefficients with weights, in the order of the drivers, with its interval. */
function combination(fit: DynamicFit, weights: readonly number[], confidence = 0.95): Estimate {
  const { value, standardError } = linearCombination(fit, weights);
  const half = tQuantile(0.5 + confidence / 2, fit.degreesOfFreedom) * standardError;
  return { value, ci95: [value - half, value + half] };
}

function judge(
  regression: Regression | undefined,
  liveKnown: boolean,
  rates: readonly number[],
  rate: number,
  material: number,
): Pick<ContainerCorrelation, "verdict" | "obstacle"> {
  const cannot = (obstacle: SeparationObstacle) => ({ verdict: "cannot-separate", obstacle }) as const;
  if (!liveKnown) return cannot("live-unknown");
  if (rates.length >= 3 && spreadOf(rates) < LEAST_RATE_SPREAD) return cannot("steady-rate");
  if (regression === undefined || (regression.fit.inflation[1] ?? Infinity) > MOST_INFLATION) {
    return cannot("collinear");
  }
  const { perContainer, perLiveContainer, fit } = regression;
  if (perContainer.ci95[0] > 0 && perContainer.value * rate >= material) {
    return { verdict: "leaves-behind", obstacle: undefined };
  }
  const growth = combination(fit, growthAt(rate));
  const holdsAll =
    growth.ci95[0] > 0 && growth.value >= material && perContainer.ci95[1] * rate >= growth.value;
  if (holdsAll) return cannot("wide-interval");
  const inUse = perLiveContainer !== undefined && combination(fit, LIVE, IN_USE_CONFIDENCE).ci95[0] > 0;
  return { verdict: inUse ? "in-use" : "unrelated", obstacle: undefined };
}

/** Standard deviation over mean. */
function spreadOf(rates: readonly number[]): number {
  const mean = rates.reduce((sum, rate) => sum + rate / rates.length, 0);
  const variance = rates.reduce((sum, rate) => sum + (rate - mean) ** 2 / (rates.length - 1), 0);
  return mean > 0 ? Math.sqrt(variance) / mean : 0;
}

function lineOf(fit: DynamicFit, rates: readonly number[]): LinePoint[] {
  const low = Math.min(...rates);
  const high = Math.max(...rates);
  if (!(high > low)) return [];
  return Array.from({ length: LINE_POINTS }, (_, k) => {
    const containersPerHour = low + ((high - low) * k) / (LINE_POINTS - 1);
    const { value, ci95 } = combination(fit, growthAt(containersPerHour));
    return { containersPerHour, slopePerHour: value, ci95 };
  });
}

function known(result: Correlation | Insufficient): Correlation | undefined {
  return isInsufficient(result) ? undefined : result;
}

function methodText(stretches: number, withRhythm: boolean, said: Regression | undefined): string {
  if (said === undefined) return "slopes by window; no regression separates containers here";
  const drivers =
    said.perLiveContainer === undefined
      ? "containers created and time"
      : "containers created, containers alive and time";
  return [
    `regression on ${drivers}`,
    "noise averaged over AR(1) and two-part models by restricted likelihood",
    ...(stretches > 1 ? [`${stretches} stretches pooled, a level for each`] : []),
    ...(withRhythm ? ["daily rhythm fitted"] : []),
  ].join("; ");
}
