import { DEFAULT_METRIC } from "#lib/domain/memory/metrics.ts";

/** Windows that trends are kept current for. */
export const TREND_WINDOWS = ["6h", "24h", "7d"] as const;

/** One of {@link TREND_WINDOWS}. */
export type TrendWindow = (typeof TREND_WINDOWS)[number];

const HOUR_MS = 3_600_000;

/** How long a window is, and how far apart its points are. It ends when it is computed. */
export const TREND_WINDOW_SHAPE: Readonly<Record<TrendWindow, { spanMs: number; stepMs: number }>> = {
  "6h": { spanMs: 6 * HOUR_MS, stepMs: HOUR_MS / 12 },
  "24h": { spanMs: 24 * HOUR_MS, stepMs: HOUR_MS / 12 },
  "7d": { spanMs: 7 * 24 * HOUR_MS, stepMs: HOUR_MS },
};

/**
 * Metrics that trends of every node are kept current for, besides the inodes of its fullest tmpfs mounts. The two totals say
 * whether the kernel leaks; the bands say of what it is made and do not hide in each other; the counts of memory cgroups
 * are those that can run out (live ones from kernel 4.8 on, all before) and the one that betrays a leak (dying).
 */
export const HEADLINE_METRICS = [
  DEFAULT_METRIC,
  "total.kernelNoncache",
  "band.sunrecl",
  "band.percpu",
  "band.unacc",
  "band.shmem",
  "cgroup.memory.count",
  "cgroup.memory.live",
  "cgroup.memory.dying",
] as const;
