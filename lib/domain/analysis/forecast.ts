import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import { sinceWords } from "./newest-stretch.ts";
import type { BandPoint } from "./trend-line.ts";
import type { Trend } from "./trend.ts";

const HOUR_MS = 3_600_000;

/** Beyond this a straight line says nothing about a node. */
export const FORECAST_HORIZON_MS = 5 * 365 * 24 * HOUR_MS;

/** kubelet's default `memory.available` threshold for hard eviction: 100 MiB. */
export const EVICTION_THRESHOLD_KIB = 100 * 1024;

/** Standard deviations that the last reading may lie off its line, 95 %. */
const START_DEVIATES = 1.96;

/** When something runs out. */
export interface Exhaustion {
  /** What runs out: "memory", "memory-cgroup ids", "inodes of /run". */
  readonly what: string;
  readonly atMs: number;
  /** Earliest and latest; the far end is `undefined` (open) when the slope may be too small to get there at all. */
  readonly ci95: readonly [number, number | undefined];
  /** Since when the growth goes on that this rests on, epoch ms: not the window's, where that holds older growth too. */
  readonly sinceMs: number;
}

/**
 * Memory that can still be taken before the node evicts: MemTotal less what cannot be reclaimed (unreclaimable kernel memory,
 * anonymous, shmem) less the eviction threshold. KiB, never below 0. Not MemAvailable: that counts pinned slab as free.
 */
export function memoryHeadroomKib(memory: {
  readonly memTotalKib: number;
  readonly unreclaimableKernelKib: number;
  readonly anonymousKib: number;
  readonly shmemKib: number;
  readonly evictionThresholdKib?: number | undefined;
}): number {
  const held = memory.unreclaimableKernelKib + memory.anonymousKib + memory.shmemKib;
  return Math.max(0, memory.memTotalKib - held - (memory.evictionThresholdKib ?? EVICTION_THRESHOLD_KIB));
}

/** Where a forecast starts. */
export interface ForecastStart {
  readonly what: string;
  /** What is left at `nowMs`, unit of the trend's values. */
  readonly headroom: number;
  readonly nowMs: number;
}

/** The growth that goes on, and since when: the newest stretch where a window holds several. */
function ongoing(trend: Trend): { readonly growth: Trend; readonly sinceMs: number } | undefined {
  const { newest } = trend;
  if (newest === undefined) return { growth: trend, sinceMs: trend.fromMs };
  return isInsufficient(newest.trend) ? undefined : { growth: newest.trend, sinceMs: newest.sinceMs };
}

/**
 * Why there is no forecast, as words that can end a sentence. Where growth changed within the window, or the node booted, only
 * what came after counts: it must rise significantly, and where the window as a whole does not, be a leak by itself.
 */
export function whyNoForecast(trend: Trend, { what, headroom }: ForecastStart): string | undefined {
  const base = ongoing(trend);
  const last = trend.newest && ` ${sinceWords(trend.newest, trend.toMs)}`;
  if (base === undefined) return `there is too little data${last ?? ""}`;
  const { growth } = base;
  const rises = isRising(growth) && (growth.verdict === "leaking" || growth === trend || isRising(trend));
  if (!rises) {
    if (growth.verdict === "stepped") return "the level changed by steps, which do not go on by a rate";
    if (growth.verdict === "levelling-off") return "the growth is levelling off";
    return growth.ci95[1] < 0
      ? `it is shrinking${last ?? ""}`
      : `there is no significant growth${last ?? " in this window"}`;
  }
  if (!(headroom >= 0)) return `it is not known how much ${what} is left`;
  if ((headroom / growth.slopePerHour) * HOUR_MS > FORECAST_HORIZON_MS)
    return "at this rate the end lies more than five years away";
  return undefined;
}

function isRising({ verdict, gates, ci95 }: Trend): boolean {
  return (verdict === "leaking" || verdict === "growing") && gates.significant && ci95[0] > 0;
}

/**
 * When a trend has used up `headroom` that is left at `nowMs`. Silent (`undefined`) when the trend is not significant, does
 * not rise, or needs longer than five years: then there is nothing to say.
 *
 * Earliest and latest are where the edges of the fan meet the end: the interval of the slope, and the noise of the last
 * reading that the forecast starts from, in quadrature. Assumes that growth goes on as in the newest stretch of the window and
 * that nothing else moves; a change of slope is not foreseen.
 */
export function forecastExhaustion(trend: Trend, start: ForecastStart): Exhaustion | undefined {
  const base = ongoing(trend);
  if (base === undefined || whyNoForecast(trend, start) !== undefined) return undefined;
  const { what, headroom, nowMs } = start;
  const { slopePerHour: slope, ci95, noiseSd } = base.growth;
  const noise = START_DEVIATES * noiseSd;
  // An edge of the fan meets the end where (headroom - slope h)^2 = (half h)^2 + noise^2: the two roots of that.
  const root = (half: number) =>
    Math.sqrt(Math.max(0, (headroom * half) ** 2 + (slope * slope - half * half) * noise * noise));
  const earliest = (headroom * headroom - noise * noise) / (headroom * slope + root(ci95[1] - slope));
  const half = slope - ci95[0];
  const latestMs = ((headroom * slope + root(half)) / (slope * slope - half * half)) * HOUR_MS;
  return {
    what,
    sinceMs: base.sinceMs,
    atMs: nowMs + (headroom / slope) * HOUR_MS,
    ci95: [
      nowMs + Math.max(0, headroom > noise ? earliest : 0) * HOUR_MS,
      latestMs > FORECAST_HORIZON_MS ? undefined : nowMs + latestMs,
    ],
  };
}

/** A forecast to be drawn: the way from the last reading to the end. */
export interface ForecastFan {
  readonly end: Exhaustion;
  /** From the last reading to the latest end, or to twice the way to the point where that is open; unit of the values. */
  readonly points: readonly BandPoint[];
  /** Value at which it runs out. */
  readonly limit: number;
}

const FAN_POINTS = 25;

/**
 * The fan of a forecast: from the last reading `level` on, the line that goes on, and the edges between which 95 % of such
 * continuations lie. `undefined` exactly where {@link forecastExhaustion} is; its ends are where line and edges meet the limit.
 */
export function forecastFan(
  trend: Trend,
  start: ForecastStart & { readonly level: number },
): ForecastFan | undefined {
  const end = forecastExhaustion(trend, start);
  const base = ongoing(trend);
  if (end === undefined || base === undefined) return undefined;
  const { nowMs, level } = start;
  const { slopePerHour, ci95, noiseSd } = base.growth;
  const toMs = Math.max(end.ci95[1] ?? nowMs + 2 * (end.atMs - nowMs), nowMs + HOUR_MS / 2);
  const points = Array.from({ length: FAN_POINTS }, (_, k): BandPoint => {
    const timeMs = nowMs + (k / (FAN_POINTS - 1)) * (toMs - nowMs);
    const hours = (timeMs - nowMs) / HOUR_MS;
    const value = level + slopePerHour * hours;
    const edge = (perHour: number) => Math.hypot(START_DEVIATES * noiseSd, (perHour - slopePerHour) * hours);
    return { timeMs, value, low: value - edge(ci95[0]), high: value + edge(ci95[1]) };
  });
  return { end, points, limit: level + start.headroom };
}
