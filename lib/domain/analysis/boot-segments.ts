import type { Segment } from "#lib/domain/statistics/series.ts";
import { presentPoints, sliceSegment, thinByBucketMedians } from "#lib/domain/statistics/series.ts";

export const HOUR_MS = 3_600_000;

/** After a boot a node fills caches and starts its pods; that growth is no leak and is left out. */
export const WARM_UP_MS = 2 * HOUR_MS;

/** One boot's part of a series. */
export interface BootSegment {
  readonly bootId: string;
  /**
   * When the boot began (sample time less uptime). Where it is not given, a boot that follows another is taken to begin with
   * its first sample, and the first one before the window.
   */
  readonly bootedAtMs?: number | undefined;
  /** Epoch ms, strictly increasing. */
  readonly timesMs: readonly number[];
  /** One value a time, in the unit of the metric (KiB for memory); `null` where the sample has none. */
  readonly values: readonly (number | null)[];
}

/** What is left of a boot for a fit. */
export interface UsableBoot {
  readonly bootId: string;
  /** `undefined` when the boot began at a time that is not known, before the window. */
  readonly bootedAtMs: number | undefined;
  readonly segment: Segment;
  /** Points that fell into the warm-up and were left out. */
  readonly leftOut: number;
}

/** When a boot of a window began, `index` being its place among them; `undefined` when before the window, at a time not known. */
export function bootedAt(
  boot: Pick<BootSegment, "bootedAtMs" | "timesMs">,
  index: number,
): number | undefined {
  return boot.bootedAtMs ?? (index > 0 ? boot.timesMs[0] : undefined);
}

/** Says of what is lacking that the first 2 h of boots did not count, where they held points. */
export function outsideWarmUp(what: string, anyLeftOut: boolean): string {
  return anyLeftOut ? `${what} outside the first 2 h after a boot` : what;
}

/**
 * Cuts the first two hours (or `warmUpMs`) of each boot off, drops absent values and thins to at most about `maxPoints`. Boots keep their
 * order; those that nothing is left of stay, with an empty segment, so that it can be said.
 */
export function usableBoots(
  boots: readonly BootSegment[],
  maxPoints: number,
  warmUpMs: number = WARM_UP_MS,
): UsableBoot[] {
  const cut = boots.map((boot, index) => {
    const present = presentPoints(boot);
    const bootedAtMs = bootedAt(boot, index);
    const segment =
      bootedAtMs === undefined ? present : sliceSegment(present, bootedAtMs + warmUpMs, Infinity);
    return {
      bootId: boot.bootId,
      bootedAtMs,
      segment,
      leftOut: present.timesMs.length - segment.timesMs.length,
    };
  });
  const thinned = thinByBucketMedians(
    cut.map(({ segment }) => segment),
    maxPoints,
  );
  return cut.map((boot, index) => ({ ...boot, segment: thinned[index] ?? boot.segment }));
}

/** Time between the first and the last point of a segment, in ms; 0 when it has fewer than two. */
export function spanMs({ timesMs }: Pick<Segment, "timesMs">): number {
  return timesMs.length < 2 ? 0 : (timesMs.at(-1) as number) - (timesMs[0] as number);
}

/** Time that segments cover, in ms; what lies between them does not count. */
export function coveredMs(segments: readonly Pick<Segment, "timesMs">[]): number {
  return segments.reduce((sum, segment) => sum + spanMs(segment), 0);
}

/** Columns of a regression: one intercept a boot, then hours since `originMs`, then whatever `more` adds. */
export function lineColumns(
  segments: readonly Segment[],
  originMs: number,
  more: (segment: Segment, index: number) => Float64Array[] = () => [],
) {
  return segments.map((segment, own) => ({
    ...segment,
    columns: [
      ...segments.map((_, other) => new Float64Array(segment.timesMs.length).fill(other === own ? 1 : 0)),
      segment.timesMs.map((timeMs) => (timeMs - originMs) / HOUR_MS),
      ...more(segment, own),
    ],
  }));
}
