/**
 * Numbers as the pages print them: thousands with a comma, a true minus, units in binary steps, no more digits than
 * the interval beside them supports. Absent values print as a dash; never as 0.
 */

/** KiB in one MiB. */
export const KIB_PER_MIB = 1024;
/** KiB in one GiB. */
export const KIB_PER_GIB = 1024 * 1024;

const MINUS = "\u2212";
const EN_DASH = "\u2013";
/** What stands where a value does not apply or is not known. */
export const DASH = EN_DASH;
const NARROW_SPACE = "\u202f";

const plainNumbers = new Map<number, Intl.NumberFormat>();

function numberFormat(decimals: number): Intl.NumberFormat {
  const known = plainNumbers.get(decimals);
  if (known) return known;
  const made = new Intl.NumberFormat("en-US", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  plainNumbers.set(decimals, made);
  return made;
}

/** `-1234.5` with 1 decimal reads `−1,234.5`; a value that rounds to nothing has no sign. */
export function formatNumber(value: number, decimals = 0): string {
  const magnitude = numberFormat(decimals).format(Math.abs(value));
  return value < 0 && /[1-9]/.test(magnitude) ? MINUS + magnitude : magnitude;
}

/** A change: `+3.22`, `−0.87`, `0.00`. */
export function formatSigned(value: number, decimals = 0): string {
  const text = formatNumber(value, decimals);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** Decimals that leave a number of this size about three significant figures. */
export function decimalsFor(magnitude: number): number {
  const size = Math.abs(magnitude);
  if (size === 0 || size >= 100) return 0;
  if (size >= 10) return size % 1 === 0 ? 0 : 1;
  return size >= 1 ? 1 : 2;
}

/** Decimals that an interval of this width supports: one significant figure of its half width, at most three. */
export function decimalsForInterval(interval: readonly [number, number]): number {
  const half = Math.abs(interval[1] - interval[0]) / 2;
  if (half === 0 || !Number.isFinite(half)) return 0;
  return Math.max(0, Math.min(3, -Math.floor(Math.log10(half))));
}

/** `298–327`, and `−6 to 13` as soon as an end is negative. */
export function formatInterval(interval: readonly [number, number], decimals = 0): string {
  const [low, high] = interval.map((end) => formatNumber(end, decimals));
  const negative = interval[0] < 0 || interval[1] < 0;
  return negative ? `${low} to ${high}` : `${low}${EN_DASH}${high}`;
}

/** Share of a whole, 0 to 1, as `8.4 %`. */
export function formatShare(fraction: number, decimals = 1): string {
  return `${formatNumber(fraction * 100, decimals)}${NARROW_SPACE}%`;
}

/** Unit in which memory of a size reads best. */
export type MemoryUnit = "KiB" | "MiB" | "GiB" | "TiB";

const KIB_PER_UNIT: Readonly<Record<MemoryUnit, number>> = {
  KiB: 1,
  MiB: KIB_PER_MIB,
  GiB: KIB_PER_GIB,
  TiB: KIB_PER_GIB * 1024,
};

/** KiB in one of `unit`. */
export function kibPer(unit: MemoryUnit): number {
  return KIB_PER_UNIT[unit];
}

/** The unit for values up to `largestKib`. */
export function memoryUnit(largestKib: number): MemoryUnit {
  const size = Math.abs(largestKib);
  if (size >= KIB_PER_UNIT.TiB * 2) return "TiB";
  if (size >= KIB_PER_UNIT.GiB) return "GiB";
  return size >= KIB_PER_UNIT.MiB ? "MiB" : "KiB";
}

/** A size with its unit: `21.3 GiB`, `512 MiB`, `96 KiB`. */
export function formatKib(sizeKib: number, unit: MemoryUnit = memoryUnit(sizeKib)): string {
  const value = sizeKib / KIB_PER_UNIT[unit];
  return `${formatNumber(value, unit === "KiB" ? 0 : decimalsFor(value))}\u00a0${unit}`;
}

/** A size in a unit that stands in the head of the column. */
export function formatKibIn(sizeKib: number, unit: MemoryUnit, decimals: number): string {
  return formatNumber(sizeKib / KIB_PER_UNIT[unit], decimals);
}

/** A change of size with sign and unit: `+3.2 GiB`. */
export function formatKibChange(changeKib: number): string {
  const text = formatKib(changeKib);
  return changeKib > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** An estimate and its interval, rounded alike, for two columns. */
export interface EstimateText {
  readonly value: string;
  readonly interval: string;
}

/** Growth in MiB/h from KiB per hour; the interval decides the digits. */
export function formatGrowth(slopeKibPerHour: number, ci95: readonly [number, number]): EstimateText {
  const slope = slopeKibPerHour / KIB_PER_MIB;
  const ends: [number, number] = [ci95[0] / KIB_PER_MIB, ci95[1] / KIB_PER_MIB];
  const decimals = Math.min(2, decimalsForInterval(ends));
  return { value: formatNumber(slope, decimals), interval: formatInterval(ends, decimals) };
}

/** A count on an axis or in a narrow place: `8k`, `1.2M`. */
export function formatCountShort(count: number): string {
  const size = Math.abs(count);
  if (size < 10_000) return formatNumber(count, size < 10 && size % 1 !== 0 ? 1 : 0);
  const [scaled, suffix] = size >= 999_500 ? [count / 1e6, "M"] : [count / 1e3, "k"];
  return `${formatNumber(scaled, Math.abs(scaled) < 10 && scaled % 1 !== 0 ? 1 : 0)}${suffix}`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A duration in at most two parts: `14 h`, `1 d 20 h`, `47 min`, `12 s`. */
export function formatDuration(durationMs: number): string {
  const size = Math.abs(durationMs);
  const two = (large: number, largeName: string, small: number, smallName: string) =>
    small > 0 ? `${large} ${largeName} ${small} ${smallName}` : `${large} ${largeName}`;
  if (size >= 100 * 365 * DAY_MS) return "> 100 years";
  if (size >= 2 * 365 * DAY_MS) return `${formatNumber(size / (365 * DAY_MS))} years`;
  if (size >= 10 * DAY_MS) return `${formatNumber(size / DAY_MS)} d`;
  if (size >= DAY_MS) {
    const hours = Math.round(size / HOUR_MS);
    return two(Math.floor(hours / 24), "d", hours % 24, "h");
  }
  if (size >= HOUR_MS) {
    const minutes = Math.round(size / MINUTE_MS);
    return two(Math.floor(minutes / 60), "h", minutes % 60, "min");
  }
  if (size >= 2 * MINUTE_MS) return `${Math.round(size / MINUTE_MS)} min`;
  return `${Math.round(size / 1000)} s`;
}
