import type { Trend } from "./trend.ts";

const HOUR_MS = 3_600_000;

/** Beyond this a straight line says nothing about a node. */
export const FORECAST_HORIZON_MS = 5 * 365 * 24 * HOUR_MS;

/** kubelet's default `memory.available` threshold for hard eviction: 100 MiB. */
export const EVICTION_THRESHOLD_KIB = 100 * 1024;

/** When something runs out. */
export interface Exhaustion {
  /** What runs out: "memory", "memory-cgroup ids", "inodes of /run". */
  readonly what: string;
  readonly atMs: number;
  /** Earliest and latest; the far end is `undefined` (open) when the slope may be too small to get there at all. */
  readonly ci95: readonly [number, number | undefined];
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

/**
 * When a trend has used up `headroom` (unit of the trend's values) that is left at `nowMs`. Silent (`undefined`) when the
 * trend is not significant, does not rise, or needs longer than five years: then there is nothing to say.
 *
 * The interval is that of the slope: headroom over its upper end, and over its lower end. Assumes that growth goes on as in
 * the window and that nothing else moves.
 */
export function forecastExhaustion(
  trend: Trend,
  { what, headroom, nowMs }: { readonly what: string; readonly headroom: number; readonly nowMs: number },
): Exhaustion | undefined {
  const rises = trend.verdict === "leaking" || trend.verdict === "growing";
  if (!rises || !trend.gates.significant || !(trend.ci95[0] > 0) || headroom < 0) return undefined;
  const reach = (slopePerHour: number) => (headroom / slopePerHour) * HOUR_MS;
  const inMs = reach(trend.slopePerHour);
  if (inMs > FORECAST_HORIZON_MS) return undefined;
  const latestMs = reach(trend.ci95[0]);
  return {
    what,
    atMs: nowMs + inMs,
    ci95: [nowMs + reach(trend.ci95[1]), latestMs > FORECAST_HORIZON_MS ? undefined : nowMs + latestMs],
  };
}
