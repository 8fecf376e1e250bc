import {
  formatDuration as durationText,
  formatEstimate,
  formatInterval as intervalText,
  formatMemory as memoryText,
  formatNumber as numberText,
} from "#lib/domain/memory/quantity.ts";

/**
 * Numbers as the pages print them: thousands with a comma, a true minus, units in binary steps, no more digits than
 * the interval beside them supports. Absent values print as a dash; never as 0.
 */

/** KiB in one MiB. */
export const KIB_PER_MIB = 1024;
/** KiB in one GiB. */
export const KIB_PER_GIB = 1024 * 1024;

const EN_DASH = "\u2013";
/** What stands where a value does not apply or is not known. */
export const DASH = EN_DASH;
const NARROW_SPACE = "\u202f";

/** `-1234.5` with 1 decimal reads `−1,234.5`; a value that rounds to nothing has no sign. */
export function formatNumber(value: number, decimals = 0): string {
  return numberText(value, decimals);
}

/** A change: `+3.22`, `−0.87`, `0.00`. */
export function formatSigned(value: number, decimals = 0): string {
  return numberText(value, decimals, { signed: true });
}

/** `298–327`, and `−6 to 13` as soon as an end is negative. */
export function formatInterval(interval: readonly [number, number], decimals = 0): string {
  return intervalText(interval, decimals);
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

/** A size with its unit, three significant figures: `21.3 GiB`, `512 MiB`, `96.0 KiB`. */
export function formatKib(sizeKib: number): string {
  return memoryText(sizeKib).replace(" ", "\u00a0");
}

/** A size in a unit that stands in the head of the column. */
export function formatKibIn(sizeKib: number, unit: MemoryUnit, decimals: number): string {
  return formatNumber(sizeKib / KIB_PER_UNIT[unit], decimals);
}

/** A change of size with sign and unit: `+3.22 GiB`. */
export function formatKibChange(changeKib: number): string {
  return memoryText(changeKib, { signed: true }).replace(" ", "\u00a0");
}

/** An estimate and its interval, rounded alike, for two columns. */
export interface EstimateText {
  readonly value: string;
  readonly interval: string;
}

/** Growth or change in MiB (per hour) from KiB; the interval decides the digits. */
export function formatGrowth(
  slopeKibPerHour: number,
  ci95: readonly [number, number],
  options: { signed?: boolean } = {},
): EstimateText {
  const { value, interval } = formatEstimate(
    slopeKibPerHour,
    ci95,
    { label: "MiB/h", size: KIB_PER_MIB },
    options,
  );
  return { value, interval };
}

/** As {@link formatGrowth} for a metric that counts things: a number an hour. */
export function formatCountGrowth(slopePerHour: number, ci95: readonly [number, number]): EstimateText {
  const { value, interval } = formatEstimate(slopePerHour, ci95, { label: "an hour", size: 1 });
  return { value, interval };
}

/** A count on an axis or in a narrow place: `8k`, `1.2M`. */
export function formatCountShort(count: number): string {
  const size = Math.abs(count);
  if (size < 10_000) return formatNumber(count, size < 10 && size % 1 !== 0 ? 1 : 0);
  const [scaled, suffix] = size >= 999_500 ? [count / 1e6, "M"] : [count / 1e3, "k"];
  return `${formatNumber(scaled, Math.abs(scaled) < 10 && scaled % 1 !== 0 ? 1 : 0)}${suffix}`;
}

const YEAR_MS = 365 * 24 * 3_600_000;

/** A duration in at most two parts: `14 h`, `1 d 20 h`, `47 min`, `12 s`. */
export function formatDuration(durationMs: number): string {
  const size = Math.abs(durationMs);
  if (size >= 100 * YEAR_MS) return "> 100 years";
  if (size >= 2 * YEAR_MS) return `${formatNumber(size / YEAR_MS)} years`;
  return size < 119_500 ? `${Math.round(size / 1000)} s` : durationText(size);
}
