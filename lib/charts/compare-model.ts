import type { ComparedSide, Comparison } from "#lib/contracts/compare.ts";
import { formatEstimate, memoryUnit as displayUnit } from "#lib/domain/memory/quantity.ts";
import type { BandKey } from "#lib/domain/memory/bands.ts";
import type { PlainTable } from "#lib/contracts/csv.ts";
import { formatGrowth, formatKib, KIB_PER_MIB } from "./format.ts";
import { nearestIndex } from "./segments.ts";
import { leastSpanKib, memoryAxis, type ValueAxis } from "./value-axis.ts";
import type { VerdictTone } from "./verdict.ts";

/** One point of a drawn line: ms of the relative clock, KiB. */
type LinePoint = readonly [number, number];

/** Both sides of one metric on one relative clock, ready to draw. */
export interface CompareLines {
  readonly metric: string;
  readonly label: string;
  readonly axis: ValueAxis;
  /** Ends of the time axis, ms after the zero of the clock. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Stretches of each side that may be joined by a line: none crosses a gap or a reboot. */
  readonly a: readonly (readonly LinePoint[])[];
  readonly b: readonly (readonly LinePoint[])[];
  /** Reboots of a side of one node. */
  readonly reboots: readonly { readonly side: "a" | "b"; readonly atMs: number }[];
  readonly empty: boolean;
}

const columnOf = (side: ComparedSide, metric: string) =>
  side.series.find((each) => each.metric === metric)?.valuesKib ?? [];

/** Prepares the two lines of a metric. The axis need not start at zero: levels far apart would hide both slopes. */
export function compareLines(comparison: Comparison, metric: string): CompareLines {
  const { a, b, differences } = comparison;
  const bucketMs = comparison.bucketSeconds * 1000;
  const values = [a, b].flatMap((side) => columnOf(side, metric)).filter((value) => value !== null);
  const times = [...a.timesMs, ...b.timesMs];
  const [low, high] = values.length === 0 ? [0, KIB_PER_MIB] : extent(values);
  const least = leastSpanKib(Math.abs(high));
  const room = Math.max(high - low, least) * 0.06;
  const [fromMs, toMs] = times.length === 0 ? [0, 3_600_000] : extent(times);
  return {
    metric,
    label: differences.find((each) => each.metric === metric)?.label ?? metric,
    axis: memoryAxis(low < 0 ? low - room : Math.max(0, low - room), high + room, { ticks: 4, least }),
    fromMs,
    toMs: Math.max(toMs, fromMs + 60_000),
    a: stretches(a, columnOf(a, metric), bucketMs),
    b: stretches(b, columnOf(b, metric), bucketMs),
    reboots: (["a", "b"] as const).flatMap((side) =>
      rebootsOf(comparison[side]).map((atMs) => ({ side, atMs })),
    ),
    empty: values.length === 0,
  };
}

function extent(values: readonly number[]): [number, number] {
  return values.reduce<[number, number]>(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Infinity, -Infinity],
  );
}

const rebootsOf = ({ nodes }: ComparedSide) => (nodes.length === 1 ? (nodes[0]?.rebootsMs ?? []) : []);

/** More than so many usual steps without a value break a line. */
const GAP_STEPS = 3.5;

function stretches(side: ComparedSide, values: readonly (number | null)[], bucketMs: number): LinePoint[][] {
  const steps = side.timesMs.slice(1).map((timeMs, index) => timeMs - (side.timesMs[index] ?? timeMs));
  const usualMs = steps.sort((x, y) => x - y)[Math.floor(steps.length / 2)] ?? 0;
  const reboots = rebootsOf(side);
  const found: LinePoint[][] = [];
  let beforeMs = -Infinity;
  side.timesMs.forEach((timeMs, index) => {
    const value = values[index];
    // A bucket in which the node rebooted is a mean of both boots: of neither line.
    if (value == null || reboots.some((atMs) => Math.abs(atMs - timeMs) <= bucketMs / 2)) return;
    const broken =
      timeMs - beforeMs > GAP_STEPS * usualMs || reboots.some((atMs) => atMs > beforeMs && atMs <= timeMs);
    if (broken || found.length === 0) found.push([]);
    found.at(-1)?.push([timeMs, value]);
    beforeMs = timeMs;
  });
  return found;
}

const STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 3, 6, 12, 24, 48, 168, 336, 720].map((hours) => hours * 3_600_000),
];

/** Round distances from the zero of the clock, none nearer than `apartPx`. */
export function clockTicks(
  fromMs: number,
  toMs: number,
  widthPx: number,
  apartPx = 72,
): { atMs: number; label: string }[] {
  const leastMs = ((toMs - fromMs) * apartPx) / Math.max(1, widthPx);
  const stepMs = STEPS_MS.find((each) => each >= leastMs) ?? Math.ceil(leastMs / 31_536e6) * 31_536e6;
  const first = Math.ceil(fromMs / stepMs);
  return Array.from({ length: Math.max(0, Math.floor(toMs / stepMs) - first + 1) }, (_, index) => {
    const atMs = (first + index) * stepMs;
    return { atMs, label: clockText(atMs) };
  });
}

/** `+3 h`, `−15 min`, `+2 h 30 min`, `+1 d 12 h`, `0`: a distance from the zero of the clock, to the minute. */
export function clockText(atMs: number): string {
  const minutes = Math.round(Math.abs(atMs) / 60_000);
  if (minutes === 0) return "0";
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60];
  const parts =
    minutes < 120
      ? [`${minutes} min`]
      : [
          days > 0 ? `${days} d` : "",
          hours > 0 ? `${hours} h` : "",
          days < 3 && rest > 0 ? `${rest} min` : "",
        ];
  return `${atMs < 0 ? "\u2212" : "+"}${parts.filter(Boolean).join(" ")}`;
}

/** What both sides are at a moment of the relative clock; undefined where a side has no value near. */
export function compareAt(
  comparison: Comparison,
  metric: string,
  atMs: number,
): { atMs: number; a: number | undefined; b: number | undefined; countA: number; countB: number } {
  const reachMs = comparison.bucketSeconds * 1000 * 0.75;
  const at = (side: ComparedSide) => {
    const index = nearestIndex(side.timesMs, atMs);
    const near = index !== undefined && Math.abs((side.timesMs[index] ?? Infinity) - atMs) <= reachMs;
    return near
      ? { value: columnOf(side, metric)[index] ?? undefined, count: side.counts[index] ?? 0 }
      : { value: undefined, count: 0 };
  };
  const [a, b] = [at(comparison.a), at(comparison.b)];
  return { atMs, a: a.value, b: b.value, countA: a.count, countB: b.count };
}

/** An estimate as a table sets it. */
export interface CompareText {
  readonly value: string;
  readonly interval: string;
}

/** One metric in the table of differences. */
export interface CompareRow {
  readonly metric: string;
  readonly label: string;
  /** Undefined for the total, which is no band. */
  readonly band: BandKey | undefined;
  readonly levelA: string;
  readonly levelB: string;
  readonly level: CompareText | undefined;
  readonly slopeA: CompareText | undefined;
  readonly slopeB: CompareText | undefined;
  readonly slope: CompareText | undefined;
  /** Difference of slope and its interval, MiB/h. */
  readonly plot: readonly [number, number, number] | undefined;
  readonly tone: VerdictTone;
  /** Exactly the same on both sides: worth little attention. */
  readonly alike: boolean;
  readonly reason: string | undefined;
}

/** Below half a KiB nothing differs: an exact fit leaves rounding behind. */
const ALIKE_KIB = 0.5;

/** Rows of the table of differences: the total first, then the bands as they are stacked. */
export function compareRows({ differences }: Comparison): CompareRow[] {
  return differences.map(({ metric, label, level, slopePerHour, reason }) => {
    const band = metric.startsWith("band.") ? (metric.slice("band.".length) as BandKey) : undefined;
    if (level === null || slopePerHour === null) {
      return {
        metric,
        label,
        band,
        levelA: "",
        levelB: "",
        level: undefined,
        slopeA: undefined,
        slopeB: undefined,
        slope: undefined,
        plot: undefined,
        tone: "unknown",
        alike: false,
        reason: reason ?? undefined,
      };
    }
    const [low, high] = slopePerHour.ci95;
    const largest = Math.max(Math.abs(level.value), Math.abs(level.ci95[0]), Math.abs(level.ci95[1]));
    const size = formatEstimate(level.value, level.ci95, displayUnit(largest), { signed: true });
    return {
      metric,
      label,
      band,
      levelA: formatKib(level.a.value),
      levelB: formatKib(level.b.value),
      level: { value: `${size.value}\u00a0${size.unit}`, interval: size.interval },
      slopeA: formatGrowth(slopePerHour.a.value, slopePerHour.a.ci95),
      slopeB: formatGrowth(slopePerHour.b.value, slopePerHour.b.ci95),
      slope: formatGrowth(slopePerHour.value, slopePerHour.ci95, { signed: true }),
      plot: [slopePerHour.value / KIB_PER_MIB, low / KIB_PER_MIB, high / KIB_PER_MIB],
      tone: low > 0 ? "growing" : high < 0 ? "shrinking" : "flat",
      alike: [level, slopePerHour].every(({ ci95 }) => ci95.every((end) => Math.abs(end) < ALIKE_KIB)),
      reason: undefined,
    };
  });
}

/** Ends of the axis that all rows share, MiB/h, with zero inside. */
export function compareDomain(rows: readonly CompareRow[]): readonly [number, number] {
  const [low, high] = extent([0, ...rows.flatMap(({ plot }) => plot ?? [])]);
  const room = Math.max(high - low, 1) * 0.06;
  return [low - room, high + room];
}

const ENDS = ["lower end of 95 %", "upper end of 95 %"] as const;

/** The table of differences for a file: unrounded, KiB and KiB per hour. */
export function differencesTable({ differences }: Comparison): PlainTable {
  const parts = ["side A", "side B", "B less A"] as const;
  const columnsOf = (what: string) =>
    parts.flatMap((part) => [`${what}, ${part}`, ...ENDS.map((end) => `${what}, ${part}, ${end}`)]);
  const cells = (each: Comparison["differences"][number]["level"]) =>
    each === null
      ? Array.from({ length: 9 }, () => null)
      : [each.a, each.b, each].flatMap(({ value, ci95 }) => [value, ci95[0], ci95[1]]);
  return {
    columns: ["metric", "label", ...columnsOf("level (KiB)"), ...columnsOf("slope (KiB/h)"), "missing"],
    rows: differences.map(({ metric, label, level, slopePerHour, reason }) => [
      metric,
      label,
      ...cells(level),
      ...cells(slopePerHour),
      reason,
    ]),
  };
}

/** Both lines of a metric for a file and for the table behind the chart. */
export function compareSeriesTable({ a, b }: Comparison, metric: string): PlainTable {
  const of = (side: ComparedSide) => {
    const values = columnOf(side, metric);
    return new Map(
      side.timesMs.map((timeMs, index) => [timeMs, [values[index] ?? null, side.counts[index] ?? 0]]),
    );
  };
  const [inA, inB] = [of(a), of(b)];
  const times = [...new Set([...inA.keys(), ...inB.keys()])].sort((x, y) => x - y);
  return {
    columns: ["after zero (min)", `A ${metric} (KiB)`, "A nodes", `B ${metric} (KiB)`, "B nodes"],
    rows: times.map((timeMs) => [
      timeMs / 60_000,
      ...(inA.get(timeMs) ?? [null, 0]),
      ...(inB.get(timeMs) ?? [null, 0]),
    ]),
  };
}
