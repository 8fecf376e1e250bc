import { HOUR_MS, WARM_UP_MS } from "./boot-segments.ts";
import { formatDuration } from "../memory/quantity.ts";

/** A mark as far as nearness goes. */
export interface MarkInTime {
  readonly atMs: number;
  readonly endsAtMs: number | null;
  readonly kind: string;
}

/** A mark near a change point. */
export interface NearbyMark<Mark extends MarkInTime> {
  readonly mark: Mark;
  /** From the change point to the nearer edge of the mark, ms; negative before. */
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
 * first. A mark with an end counts by the nearer of its edges: that a long stretch was going on is nothing that happened then.
 * Nearness is no cause; it is what a reader looks at next.
 */
export function nearbyMarks<Mark extends MarkInTime>(
  change: { readonly atMs: number; readonly ci95Ms: readonly [number, number] },
  marks: readonly Mark[],
): NearbyMark<Mark>[] {
  return marks
    .flatMap((mark) => {
      const reachMs = BOOT_KINDS.includes(mark.kind) ? BOOT_REACH_MS : REACH_MS;
      const edgeMs = nearerEdgeMs(mark, change.atMs);
      if (edgeMs < change.ci95Ms[0] - reachMs || edgeMs > change.ci95Ms[1] + REACH_MS) return [];
      const offsetMs = edgeMs - change.atMs;
      return [{ mark, offsetMs, when: whenText(offsetMs) }];
    })
    .toSorted((a, b) => Math.abs(a.offsetMs) - Math.abs(b.offsetMs));
}

function nearerEdgeMs({ atMs, endsAtMs }: MarkInTime, momentMs: number): number {
  return endsAtMs !== null && Math.abs(endsAtMs - momentMs) < Math.abs(atMs - momentMs) ? endsAtMs : atMs;
}

function whenText(offsetMs: number): string {
  if (Math.abs(offsetMs) < 30_000) return "at the same time";
  return `${formatDuration(Math.abs(offsetMs))} ${offsetMs < 0 ? "before" : "after"}`;
}
