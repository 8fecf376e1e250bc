/** Lower and upper end of a 95 % interval. */
type Interval = readonly [number, number];

const MIB = 1024;
const GIB = 1024 * 1024;

/** A unit and how many of the measured unit (KiB, or one thing) it holds. */
export interface DisplayUnit {
  readonly label: string;
  readonly size: number;
}

/** Unit for amounts of memory: GiB from 1 GiB on, MiB from 1 MiB on, else KiB. By magnitude, in KiB. */
export function memoryUnit(kib: number): DisplayUnit {
  const size = Math.abs(kib);
  if (size >= GIB) return { label: "GiB", size: GIB };
  if (size >= MIB) return { label: "MiB", size: MIB };
  return { label: "KiB", size: 1 };
}

/** Unit for growth: MiB/h, so that nodes compare; KiB/h only where all would round to nothing. By magnitude, in KiB per hour. */
export function growthUnit(kibPerHour: number): DisplayUnit {
  return Math.abs(kibPerHour) >= 0.1 * MIB ? { label: "MiB/h", size: MIB } : { label: "KiB/h", size: 1 };
}

/** Unit for the growth of a count: "files" gives "files/h". */
export function countGrowthUnit(noun: string): DisplayUnit {
  return { label: `${noun}/h`, size: 1 };
}

/**
 * Number as text: true minus sign, commas between thousands, `decimals` digits after the point; a negative count of decimals
 * rounds to tens, hundreds. What rounds to zero has no sign. `signed` puts a + before what is above 0.
 *
 * @example formatNumber(-1234.56, 1) // "−1,234.6"
 */
export function formatNumber(value: number, decimals: number, { signed = false } = {}): string {
  const scale = 10 ** Math.max(0, -decimals);
  const rounded = (Math.round(Math.abs(value) / scale) * scale).toFixed(0);
  const digits = decimals > 0 ? Math.abs(value).toFixed(decimals) : rounded;
  const [whole = "0", fraction] = digits.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const text = fraction === undefined ? grouped : `${grouped}.${fraction}`;
  if (!/[1-9]/.test(text)) return text;
  return value < 0 ? `−${text}` : signed ? `+${text}` : text;
}

/** Number with three significant figures, at most one decimal above 10: 3.22, 21.3, 312, 65,535. */
export function formatAmount(value: number, options: { signed?: boolean } = {}): string {
  const size = Math.abs(value);
  return formatNumber(value, size >= 100 || size === 0 ? 0 : size >= 10 ? 1 : 2, options);
}

/** Memory as text: "21.3 GiB". `signed` for changes. */
export function formatMemory(kib: number, options: { signed?: boolean } = {}): string {
  const unit = memoryUnit(kib);
  return `${formatAmount(kib / unit.size, options)} ${unit.label}`;
}

/**
 * Decimals that an interval supports: its half width is shown with one significant digit, two when the first is 1 or 2; but
 * no more than three significant figures of the largest number, unless the ends would then become one.
 */
export function supportedDecimals([lower, upper]: Interval, value: number): number {
  const half = (upper - lower) / 2;
  const largest = Math.max(Math.abs(value), Math.abs(lower), Math.abs(upper));
  // What is next to nothing in its unit is nothing: an exact fit leaves 1e-10 of rounding behind.
  if (largest < NOTHING) return 0;
  const threeFigures = 2 - Math.floor(Math.log10(largest));
  if (!(half > 0) || !Number.isFinite(half)) return clampDecimals(threeFigures);
  const exponent = Math.floor(Math.log10(half));
  const supported = (half / 10 ** exponent < 3 ? 1 : 0) - exponent;
  const least = -exponent;
  return Math.min(MOST_DECIMALS, Math.max(Math.min(supported, threeFigures), Math.min(least, supported)));
}

const MOST_DECIMALS = 3;

/** Smaller numbers are 0 in their unit. */
const NOTHING = 0.005;

function clampDecimals(decimals: number): number {
  return Math.min(MOST_DECIMALS, Math.max(0, decimals));
}

/** An estimate ready to be set: parts, so that a table can align them. */
export interface EstimateText {
  readonly value: string;
  /** "298–327", or "−6 to 13" where an end is negative. */
  readonly interval: string;
  /** Both ends by themselves, as the interval has them. */
  readonly ends: readonly [string, string];
  readonly unit: string;
}

/**
 * Estimate and 95 % interval in one unit, with the digits that the interval supports.
 *
 * @example formatEstimate(319_488, [305_152, 334_848], growthUnit(319_488)) // 312, 298–327, MiB/h
 */
export function formatEstimate(
  value: number,
  ci95: Interval,
  unit: DisplayUnit,
  options: { signed?: boolean } = {},
): EstimateText {
  const scaled = value / unit.size;
  const ends: Interval = [ci95[0] / unit.size, ci95[1] / unit.size];
  const decimals = supportedDecimals(ends, scaled);
  return {
    // Of a wide interval the rounding to tens or thousands may leave nothing of the estimate; small fractions may go.
    value: formatNumber(scaled, decimals < 0 ? firstDigit(scaled, decimals, 0) : decimals, options),
    interval: formatInterval(ends, decimals),
    ends: formatEnds(ends, decimals),
    unit: unit.label,
  };
}

/** `decimals`, or as many (at most `most`) as the first digit of a number needs that would else be rounded to nothing. */
function firstDigit(value: number, decimals: number, most: number): number {
  if (Math.abs(value) < NOTHING || /[1-9]/.test(formatNumber(value, decimals))) return decimals;
  return Math.min(most, -Math.floor(Math.log10(Math.abs(value))));
}

/**
 * Two ends: "298–327"; "−6 to 13" where one is negative. An end that the rounding would leave nothing of keeps its first
 * digit: whether the interval holds 0 is what most readers look for.
 */
export function formatInterval(ends: Interval, decimals: number): string {
  const [from, to] = formatEnds(ends, decimals);
  return from.startsWith("−") || to.startsWith("−") ? `${from} to ${to}` : `${from}–${to}`;
}

function formatEnds([lower, upper]: Interval, decimals: number): [string, string] {
  return [
    formatNumber(lower, firstDigit(lower, decimals, MOST_DECIMALS)),
    formatNumber(upper, firstDigit(upper, decimals, MOST_DECIMALS)),
  ];
}

/**
 * A count with what it counts, in the number that fits.
 *
 * @param many where the plural is not made by an s.
 * @example formatCount(1, "node") // "1 node"; formatCount(1234, "node") // "1,234 nodes"
 */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count, 0)} ${count === 1 ? one : many}`;
}

/** A length of time: "20 s", "47 min", "14 h", "1 d 20 h", "5.6 d", "235 d". */
export function formatDuration(durationMs: number): string {
  if (durationMs < 59_500) return `${Math.round(durationMs / 1000)} s`;
  const minutes = durationMs / 60_000;
  if (minutes < 119.5) return `${Math.round(minutes)} min`;
  const hours = Math.round(minutes / 60);
  if (hours <= 24) return `${hours} h`;
  if (hours < 48) return `1 d ${hours - 24} h`;
  return `${formatNumber(hours / 24, hours % 24 === 0 || hours >= 100 * 24 ? 0 : 1)} d`;
}

/** From coarse to fine; the first tells lengths of time apart that differ much. */
const DURATION_FORMS: readonly ((durationMs: number) => string)[] = [
  formatDuration,
  (durationMs) => inTwoParts(Math.round(durationMs / 3_600_000), 24, ["d", "h"]),
  (durationMs) => `${formatNumber(durationMs / 3_600_000, 1)} h`,
  (durationMs) => inTwoParts(Math.round(durationMs / 60_000), 60, ["h", "min"]),
];

function inTwoParts(amount: number, perWhole: number, [whole, rest]: readonly [string, string]): string {
  return `${formatNumber(Math.floor(amount / perWhole), 0)} ${whole} ${amount % perWhole} ${rest}`;
}

/**
 * Two lengths of time that something lies between, in the coarsest form in which they differ: an interval that is rounded to
 * one number is none.
 *
 * @example formatDurationEnds(231_000_000, 234_500_000) // ["2 d 16 h", "2 d 17 h"], both 2.7 d
 */
export function formatDurationEnds(fromMs: number, toMs: number): readonly [string, string] {
  const differing = DURATION_FORMS.find((form) => form(fromMs) !== form(toMs)) ?? formatDuration;
  return [differing(fromMs), differing(toMs)];
}
