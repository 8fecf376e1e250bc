import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import { spearman } from "#lib/domain/statistics/spearman.ts";
import { inKib, isMemory, type Change } from "../signatures/evidence.ts";
import { HOUR_MS, usableBoots, type BootSegment } from "./boot-segments.ts";
import { analyseTrend, type Trend } from "./trend.ts";

/**
 * Stricter than for one metric alone: of every node some fifty quantities are looked at, and nobody corrects for that
 * afterwards.
 */
const LEVEL = 0.001;
const MOST_POINTS = 1500;
/** An end of a rise is the median of so many points. */
const END_POINTS = 3;
/** Least slope of a count that is growth, an hour: five in a week. */
const MATERIAL_COUNT_PER_HOUR = 5 / 168;
const LEAST_RISE = { kib: 8 * 1024, count: 5 } as const;
const NEAR_MAXIMUM = 0.95;

/** What a young boot must show to be suspected: as much as a pasted dump must (docs/diagnosis.md). */
const LARGE = { kib: 64 * 1024, ofTotal: 0.005, ofFirst: 0.3, count: 100 } as const;

/**
 * How a quantity went over one boot, its first two hours left out; `undefined` with fewer than two points. Whether it is growth
 * is judged as a trend is, at 0.1 %; what cannot be growth by its two ends costs no estimate. Growth of which a straight rise is
 * not certain (undecided between line and step, or too young to tell from a day's rhythm) is kept as a suspicion where it is
 * large, and otherwise is none.
 * @param boot in the unit of the quantity.
 */
export function changeOf(name: string, boot: BootSegment, memTotalKib: number): Change | undefined {
  const [usable] = usableBoots([boot], MOST_POINTS);
  const { timesMs = [], values = [] } = usable?.segment ?? {};
  const points = values.length;
  if (points < 2) return undefined;
  const first = median(values.slice(0, Math.min(END_POINTS, points >> 1)));
  const last = median(values.slice(-Math.min(END_POINTS, points >> 1)));
  const hours = ((timesMs.at(-1) ?? 0) - (timesMs[0] ?? 0)) / HOUR_MS;
  const ends = { first, last, max: Math.max(last, robustMaximum(values)), samples: points, hours };
  if (!mayBeGrowth(name, ends)) return { ...ends, persistent: false };
  const memory = isMemory(name);
  const trend = analyseTrend({
    segments: [{ ...boot, values: boot.values.map((value) => value && inKib(name, value)) }],
    memTotalKib,
    materialPerHour: memory ? undefined : MATERIAL_COUNT_PER_HOUR,
    level: LEVEL,
  });
  const large = isLarge(name, ends, memTotalKib);
  if (isInsufficient(trend)) return { ...ends, ...(!large && { persistent: false }) };
  return { ...ends, ...growthOf(name, trend, large) };
}

function growthOf(name: string, trend: Trend, large: boolean): Partial<Change> {
  const perHour = (kib: number) => kib / inKib(name, 1);
  const slopePerHour = perHour(trend.slopePerHour);
  const lowerPerHour = perHour(trend.ci95[0]);
  if (trend.verdict === "leaking") return { slopePerHour, lowerPerHour, persistent: true };
  if (trend.verdict === "growing" && trend.gates.material && large) return { slopePerHour };
  return { slopePerHour, lowerPerHour, persistent: false };
}

/** What `isGrowth` would refuse whatever the slope. */
function mayBeGrowth(name: string, { first, last, max }: Change): boolean {
  const least = isMemory(name) ? LEAST_RISE.kib : LEAST_RISE.count;
  return inKib(name, last - first) >= least && last >= NEAR_MAXIMUM * max;
}

function isLarge(name: string, { first, last }: Change, memTotalKib: number): boolean {
  const rise = inKib(name, last - first);
  const least = isMemory(name) ? Math.max(LARGE.kib, LARGE.ofTotal * memTotalKib) : LARGE.count;
  return rise >= least && rise >= LARGE.ofFirst * inKib(name, Math.max(0, first));
}

/** The largest of the medians of three neighbours, so that one odd sample does not make an end look low. */
function robustMaximum(values: ArrayLike<number>): number {
  const all = Array.from(values);
  if (all.length < END_POINTS) return Math.max(...all);
  return Math.max(...all.slice(2).map((_, place) => median(all.slice(place, place + END_POINTS))));
}

function median(values: ArrayLike<number>): number {
  const sorted = Array.from(values).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

const LEAST_PAIRS = 12;
/** A driver that varies less than this part of its median over the middle 80 % tells nothing by not being followed. */
const LEAST_VARIATION = 0.5;
const CERTAIN = 0.01;

/**
 * Spearman's coefficient of the changes from point to point of two series of one boot. `undefined` where it says nothing: with
 * fewer than 12 pairs, and where the driver hardly varies and no relation stands out of the noise; that a steady driver is
 * not followed is no counter-evidence.
 */
export function changesTogether(
  values: readonly (number | null)[],
  driver: readonly (number | null)[],
): number | undefined {
  const pairs = values.flatMap((value, point) => {
    const [before, driven, drivenBefore] = [values[point - 1], driver[point], driver[point - 1]];
    return value == null || before == null || driven == null || drivenBefore == null
      ? []
      : [[value - before, driven - drivenBefore] as const];
  });
  if (pairs.length < LEAST_PAIRS) return undefined;
  const rates = pairs.map(([, change]) => change);
  const found = spearman(
    pairs.map(([change]) => change),
    rates,
  );
  if (isInsufficient(found)) return undefined;
  const standsOut = found.coefficient > 0 && found.pValue < CERTAIN;
  return standsOut || varies(rates) ? found.coefficient : undefined;
}

function varies(rates: readonly number[]): boolean {
  const sorted = [...rates].sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.round(part * (sorted.length - 1))] ?? 0;
  return at(0.9) - at(0.1) > LEAST_VARIATION * Math.abs(at(0.5));
}
