import { HOUR_MS, WARM_UP_MS } from "./boot-segments.ts";
import { formatDuration } from "./quantity.ts";

/** A mark as far as nearness goes. */
export interface MarkInTime {
  readonly atMs: number;
  readonly endsAtMs: number | null;
  readonly kind: string;
}

/** A mark near a change point. */
export interface NearbyMark<Mark extends MarkInTime> {
  readonly mark: Mark;
  /** From the change point to the mark, ms; negative before. 0 for a stretch that the change point lies in. */
  readonly offsetMs: number;
  /** "20 min before", "at the same time". */
  readonly when: string;
}

/** How far beyond the interval of a change point a mark may lie: an effect may come late, a mark may be typed late. */
const REACH_MS = HOUR_MS / 2;
/** The first 2 h of a boot are not looked at, so what a boot changed shows at the earliest after these. */
const BOOT_REACH_MS = WARM_UP_MS + HOUR_MS;
const BOOT_KINDS: readonly string[] = ["reboot", "kernel-change"];

/**
 * Marks within half an hour of the 95 % interval of a change point (reboots and new kernels: from 3 h before it), nearest
 * first. Nearness is no cause; it is what a reader looks at next.
 */
export function nearbyMarks<Mark extends MarkInTime>(
  change: { readonly atMs: number; readonly ci95Ms: readonly [number, number] },
  marks: readonly Mark[],
): NearbyMark<Mark>[] {
  return marks
    .filter(({ atMs, endsAtMs, kind }) => {
      const reachMs = BOOT_KINDS.includes(kind) ? BOOT_REACH_MS : REACH_MS;
      return (endsAtMs ?? atMs) >= change.ci95Ms[0] - reachMs && atMs <= change.ci95Ms[1] + REACH_MS;
    })
    .map((mark) => {
      const offsetMs = distanceMs(mark, change.atMs);
      return { mark, offsetMs, when: whenText(offsetMs) };
    })
    .toSorted((a, b) => Math.abs(a.offsetMs) - Math.abs(b.offsetMs));
}

function distanceMs({ atMs, endsAtMs }: MarkInTime, momentMs: number): number {
  if (endsAtMs === null || momentMs < atMs) return atMs - momentMs;
  return Math.min(0, endsAtMs - momentMs);
}

function whenText(offsetMs: number): string {
  if (Math.abs(offsetMs) < 30_000) return "at the same time";
  return `${formatDuration(Math.abs(offsetMs))} ${offsetMs < 0 ? "before" : "after"}`;
}
