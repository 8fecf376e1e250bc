import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import { sliceSegment, presentPoints } from "#lib/domain/statistics/series.ts";
import type { BootSegment } from "./boot-segments.ts";
import { bootedAt } from "./boot-segments.ts";
import { findChangePoints } from "./change-points.ts";
import { formatDuration } from "../memory/quantity.ts";

/** The end of a window over which one line holds. */
export interface NewestStretch {
  /** Points since then, still one boot. */
  readonly segment: BootSegment;
  /** When it began, epoch ms. */
  readonly sinceMs: number;
  /** What it begins with: the slope changed, the level did, or the node booted. */
  readonly because: "change" | "step" | "boot";
}

/** A step of less than this part of what the boot ran through does not end a stretch: a leak of gigabytes with one of megabytes goes on. */
const LEAST_STEP_SHARE = 0.1;

/**
 * What of a window still goes on: the newest boot, and of that what comes after its last change of slope or step
 * (`findChangePoints`). Points before the latest moment at which the change can have been are left out with it.
 * `undefined` where the window is one stretch.
 */
export function newestStretch(
  segments: readonly BootSegment[],
  materialPerHour: number,
): NewestStretch | undefined {
  const last = segments.length - 1;
  const boot = segments[last];
  if (boot === undefined) return undefined;
  const newest = { ...boot, bootedAtMs: bootedAt(boot, last) };
  const found = findChangePoints({ segments: [newest], materialPerHour });
  const [own] = isInsufficient(found) ? [] : found.boots;
  const change = own?.changes.at(-1);
  const least = LEAST_STEP_SHARE * rangeOf(boot.values);
  const step = own?.steps.findLast(({ value }) => Math.abs(value) >= least);
  if (change !== undefined && (step === undefined || change.atMs >= step.atMs)) {
    return { segment: since(newest, change.ci95Ms[1]), sinceMs: change.atMs, because: "change" };
  }
  if (step !== undefined) {
    return { segment: since(newest, step.atMs), sinceMs: step.atMs, because: "step" };
  }
  const [firstMs] = newest.timesMs;
  if (last === 0 || firstMs === undefined) return undefined;
  return { segment: newest, sinceMs: newest.bootedAtMs ?? firstMs, because: "boot" };
}

function rangeOf(values: BootSegment["values"]): number {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value === null) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return Math.max(0, high - low);
}

function since(boot: BootSegment, fromMs: number): BootSegment {
  const { timesMs, values } = sliceSegment(presentPoints(boot), fromMs, Infinity);
  return { ...boot, timesMs: [...timesMs], values: [...values] };
}

const BEGINS: Readonly<Record<NewestStretch["because"], string>> = {
  change: "its growth changed",
  step: "its level changed",
  boot: "the node booted",
};

/**
 * How long the newest stretch is and what it begins with.
 *
 * @example "in the last 31.8 h, since its growth changed"
 */
export function sinceWords(
  { sinceMs, because }: Pick<NewestStretch, "sinceMs" | "because">,
  toMs: number,
): string {
  return `in the last ${formatDuration(toMs - sinceMs)}, since ${BEGINS[because]}`;
}
