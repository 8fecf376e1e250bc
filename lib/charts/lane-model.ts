import type { CompositionSeries, MetricSeries } from "#lib/contracts/series.ts";
import { DASH, formatCountShort, formatKib, formatKibChange, formatNumber, formatSigned } from "./format.ts";
import { formatMomentFull } from "./format-time.ts";
import { bootBoundary, drawnRows, nearestIndex, segmentsOf } from "./segments.ts";
import type { Boot, Segment, TimeAxisData } from "./segments.ts";
import { countAxis, leastSpanKib, memoryAxis } from "./value-axis.ts";
import type { ValueAxis } from "./value-axis.ts";

/** One line of a lane. `tone` says how it is drawn: estimates alone are blue. */
export interface LaneSeries {
  readonly key: string;
  /** What the line is under the title of its lane. */
  readonly label: string;
  /** What it is where no title stands above it: in readouts, tables and for those who listen. */
  readonly name: string;
  readonly tone: "ink" | "quiet" | "dashed";
  /** Values at the samples, unbroken, for readouts and tables. */
  readonly values: readonly (number | null)[];
}

/** One moment of a lane; `values` in the order of `series`, null where the line is broken. */
export interface LaneRow {
  readonly timeMs: number;
  readonly values: readonly (number | null)[];
}

/** A lane under the composition: one quantity, one axis, the same time axis to the pixel. */
export interface LaneModel {
  readonly key: string;
  readonly title: string;
  readonly note: string;
  readonly kind: "line" | "bars";
  readonly timesMs: readonly number[];
  readonly series: readonly LaneSeries[];
  readonly rows: readonly LaneRow[];
  readonly axis: ValueAxis;
  /** Width of one bar; 0 for lines. */
  readonly barMs: number;
  /** A line across the lane with its name, in the unit of the axis. */
  readonly limit: { readonly value: number; readonly label: string } | undefined;
  readonly unit: "KiB" | "count" | "per hour";
}

/** How a value of a lane is printed beside it. */
export function laneValue(lane: LaneModel, value: number | null | undefined): string {
  if (value == null) return "no data";
  return lane.unit === "KiB" ? formatKib(value) : formatNumber(value, value < 10 && value % 1 !== 0 ? 1 : 0);
}

/** The sample of a lane at a moment, the newest without one. */
function laneIndexAt(lane: LaneModel, atMs: number | undefined): number | undefined {
  const index =
    atMs === undefined
      ? lane.timesMs.findLastIndex((_, at) => lane.series.some((each) => each.values[at] != null))
      : nearestIndex(lane.timesMs, atMs - lane.barMs / 2);
  return index === undefined || index < 0 ? undefined : index;
}

/** Values of a lane at a moment, by series. Undefined where there is no sample. */
export function laneAt(lane: LaneModel, atMs: number | undefined): readonly (number | null)[] | undefined {
  const index = laneIndexAt(lane, atMs);
  return index === undefined ? undefined : lane.series.map((each) => each.values[index] ?? null);
}

/**
 * Change of each line of a lane up to a moment, since the first sample of the window or of the boot: no difference is taken
 * across a reboot. Null where there are not two samples to take it from.
 */
export function laneChanges(
  lane: LaneModel,
  reboots: readonly Boot[],
  atMs?: number,
): readonly (number | null)[] {
  const index = laneIndexAt(lane, atMs);
  if (index === undefined) return lane.series.map(() => null);
  const bootMs = boundaryOf(bootAt(reboots, lane.timesMs[index] ?? 0));
  return lane.series.map(({ values }) => {
    const base = lane.timesMs.findIndex((timeMs, at) => timeMs >= bootMs && values[at] != null);
    const [then, now] = [values[base], values[index]];
    return base < 0 || base >= index || then == null || now == null ? null : now - then;
  });
}

/** The newest of the reboots up to a moment: where the boot began that lasted then. */
export function bootAt(reboots: readonly Boot[], atMs: number): Boot | undefined {
  return reboots
    .filter((boot) => bootBoundary(boot) <= atMs)
    .reduce<Boot | undefined>(
      (newest, boot) => (bootBoundary(boot) > boundaryOf(newest) ? boot : newest),
      undefined,
    );
}

/** When a boot began; the first of a window began before all of it. */
function boundaryOf(boot: Boot | undefined): number {
  return boot === undefined ? -Infinity : bootBoundary(boot);
}

/** How a change of a lane is printed beside it. */
export function laneChangeText(lane: LaneModel, change: number | null | undefined): string {
  if (change == null) return DASH;
  if (lane.unit === "KiB") return formatKibChange(change);
  return formatSigned(change, Math.abs(change) < 10 && change % 1 !== 0 ? 1 : 0);
}

function rowsFor(
  data: TimeAxisData,
  segments: readonly Segment[],
  columns: readonly (readonly (number | null)[])[],
) {
  return drawnRows(data, segments).map(({ timeMs, index }): LaneRow => ({
    timeMs,
    values: columns.map((column) => (index === undefined ? null : (column[index] ?? null))),
  }));
}

function extent(columns: readonly (readonly (number | null)[])[]): [number, number] | undefined {
  let low = Infinity;
  let high = -Infinity;
  for (const column of columns) {
    for (const value of column) {
      if (value == null) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return high >= low ? [low, high] : undefined;
}

/** One line of memory, KiB, with its axis: that need not start at zero and says so. */
function memoryLine(
  key: string,
  title: string,
  label: string,
  data: TimeAxisData,
  values: readonly (number | null)[],
  limit?: { readonly value: number; readonly label: string },
): LaneModel | undefined {
  const ends = extent([values]);
  if (!ends) return undefined;
  const near = limit && ends[1] > limit.value / 4 ? limit : undefined;
  const high = Math.max(ends[1], near?.value ?? 0);
  const least = leastSpanKib(high);
  const room = Math.max(high - ends[0], least) * 0.08;
  const axis = memoryAxis(Math.max(0, ends[0] - room), high + room, { ticks: 3, least });
  return {
    key,
    title: `${title}, ${axis.unit}`,
    note: axis.low > 0 ? "axis does not start at 0" : "",
    kind: "line",
    timesMs: data.timesMs,
    series: [{ key, label: title, name: label, tone: "ink", values }],
    rows: rowsFor(
      data,
      segmentsOf(data, (index) => values[index] != null),
      [values],
    ),
    axis,
    barMs: 0,
    limit: near,
    unit: "KiB",
  };
}

/** Unreclaimable kernel memory as a line. */
export function kernelMemoryLane(series: CompositionSeries): LaneModel | undefined {
  const title = "unreclaimable kernel memory";
  return memoryLine("kernel", title, title, series, series.kernelUnreclaimableKib);
}

/**
 * A metric of memory as a line. `limit` is drawn once the line comes to a quarter of it. Undefined where the window has no
 * value.
 */
export function memoryLane(
  series: MetricSeries,
  line: {
    readonly metric: string;
    readonly title: string;
    readonly label: string;
    readonly limit?: { readonly value: number; readonly label: string };
  },
): LaneModel | undefined {
  const found = series.series.find((each) => each.metric === line.metric);
  if (!found || found.values.every((value) => value == null)) return undefined;
  const perKib = found.unit === "bytes" ? 1024 : 1;
  const { axis: own, columns } = ownAxis(series, [found.values]);
  const values = (columns[0] ?? []).map((value) => (value === null ? null : value / perKib));
  return memoryLine(line.metric, line.title, line.label, own, values, line.limit);
}

const BIN_MS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map((minutes) => minutes * 60_000);

/** Width of the bins of a rate: about 100 in a window, never narrower than two samples. */
export function binWidthMs(windowMs: number, bucketMs: number): number {
  const wanted = Math.max(windowMs / 110, bucketMs * 2);
  return BIN_MS.find((each) => each >= wanted) ?? BIN_MS.at(-1) ?? 86_400_000;
}

/**
 * Rate per hour of a counter in bins of `binMs`, from differences inside one boot only. A bin that samples cover for
 * less than half is null: it is not known, not zero.
 */
export function ratePerHour(
  data: TimeAxisData,
  counter: readonly (number | null)[],
  window: { fromMs: number; toMs: number },
  binMs: number,
): { timesMs: number[]; values: (number | null)[] } {
  const first = Math.floor(window.fromMs / binMs) * binMs;
  const bins = Math.max(0, Math.ceil((window.toMs - first) / binMs));
  const started = new Array<number>(bins).fill(0);
  const covered = new Array<number>(bins).fill(0);
  for (const segment of segmentsOf(data, (index) => counter[index] != null)) {
    for (let index = segment.start + 1; index < segment.end; index++) {
      const fromMs = data.timesMs[index - 1] ?? 0;
      const toMs = data.timesMs[index] ?? 0;
      const change = (counter[index] ?? 0) - (counter[index - 1] ?? 0);
      if (change < 0 || toMs <= fromMs) continue;
      const firstBin = Math.max(0, Math.floor((fromMs - first) / binMs));
      const lastBin = Math.min(bins - 1, Math.floor((toMs - first) / binMs));
      for (let bin = firstBin; bin <= lastBin; bin++) {
        const binFrom = first + bin * binMs;
        const overlap = Math.min(toMs, binFrom + binMs) - Math.max(fromMs, binFrom);
        if (overlap <= 0) continue;
        started[bin] = (started[bin] ?? 0) + (change * overlap) / (toMs - fromMs);
        covered[bin] = (covered[bin] ?? 0) + overlap;
      }
    }
  }
  return {
    timesMs: started.map((_, bin) => first + bin * binMs),
    values: started.map((count, bin) => {
      const ms = covered[bin] ?? 0;
      const insideMs =
        Math.min(window.toMs, first + (bin + 1) * binMs) - Math.max(window.fromMs, first + bin * binMs);
      return ms >= insideMs / 2 && ms > 0 ? (count / ms) * 3_600_000 : null;
    }),
  };
}

/** Spacing of its own samples, in multiples of the usual one, beyond which a counter was not read. */
const MISSED_SAMPLES = 3.5;

/**
 * The axis at which counters were read that come less often than samples: those points alone, and a gap wherever more
 * than three of them are missing.
 */
function ownAxis(
  data: TimeAxisData,
  columns: readonly (readonly (number | null)[])[],
): { axis: TimeAxisData; columns: (number | null)[][] } {
  const kept = data.timesMs.flatMap((_, index) =>
    columns.some((each) => each[index] != null) ? [index] : [],
  );
  const timesMs = kept.map((index) => data.timesMs[index] ?? 0);
  const steps = timesMs.slice(1).map((timeMs, index) => timeMs - (timesMs[index] ?? 0));
  const usual = [...steps].sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  const missed = steps.flatMap((step, index) =>
    step > usual * MISSED_SAMPLES ? [{ from: timesMs[index] ?? 0, to: timesMs[index + 1] ?? 0 }] : [],
  );
  return {
    axis: {
      timesMs,
      gaps: [...data.gaps, ...missed],
      reboots: data.reboots,
      resolution: { bucketSeconds: Math.max(data.resolution.bucketSeconds, usual / 1000) },
    },
    columns: columns.map((each) => kept.map((index) => each[index] ?? null)),
  };
}

const binName = (binMs: number) =>
  binMs >= 3_600_000 ? `${binMs / 3_600_000} h` : `${Math.round(binMs / 60_000)} min`;

function column(series: MetricSeries, metric: string): readonly (number | null)[] | undefined {
  const values = series.series.find((each) => each.metric === metric)?.values;
  return values?.some((value) => value != null) ? values : undefined;
}

/** Containers started per hour as bars, from the counter of containers started since boot. */
export function containersLane(series: MetricSeries): LaneModel | undefined {
  const counter = column(series, "containers.started");
  if (!counter) return undefined;
  const { axis: own, columns } = ownAxis(series, [counter]);
  const binMs = binWidthMs(series.to - series.from, own.resolution.bucketSeconds * 1000);
  const rate = ratePerHour(own, columns[0] ?? [], { fromMs: series.from, toMs: series.to }, binMs);
  const high = rate.values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
  const axis = countAxis(high, "per hour", { ticks: 2, least: 4 });
  return {
    key: "containers",
    title: `containers started per hour, ${binName(binMs)} bins`,
    note: "",
    kind: "bars",
    timesMs: rate.timesMs,
    series: [
      {
        key: "containers",
        label: "containers started per hour",
        name: `containers started per hour, over ${binName(binMs)}`,
        tone: "quiet",
        values: rate.values,
      },
    ],
    rows: rate.timesMs.map((timeMs, index) => ({
      timeMs: timeMs + binMs / 2,
      values: [rate.values[index] ?? null],
    })),
    axis: { ...axis, labels: axis.ticks.map(formatCountShort) },
    barMs: binMs,
    limit: undefined,
    unit: "per hour",
  };
}

/** From which part of its axis on a line touches the upper edge. */
const TOUCHES = 0.95;

/** A line to be drawn. Without a name of its own it is called as its lane is and, of several, by its label. */
export type LaneLine = Omit<LaneSeries, "values" | "name"> & Partial<Pick<LaneSeries, "name">>;

/**
 * Counts as lines on one axis from zero. A limit is drawn once the highest line comes to a quarter of it. Lines that the window
 * has no value of are left out; undefined where none has any.
 */
export function countLane(
  key: string,
  title: string,
  series: MetricSeries,
  lines: readonly LaneLine[],
  limit: { value: number; label: string } | undefined,
): LaneModel | undefined {
  const reported = lines.flatMap((line) => {
    const values = column(series, line.key);
    return values ? [{ line, values }] : [];
  });
  if (reported.length === 0) return undefined;
  const { axis: own, columns } = ownAxis(
    series,
    reported.map((each) => each.values),
  );
  const present = reported.map(({ line }, index) => ({
    ...line,
    name: line.name ?? (lines.length === 1 ? title : `${title}, ${line.label}`),
    values: columns[index] ?? [],
  }));
  const ends = extent(columns) ?? [0, 1];
  const high = limit && ends[1] > limit.value / 4 ? Math.max(ends[1], limit.value) : ends[1];
  const axis = countAxis(high, "", { ticks: 2, least: 4 });
  return {
    key,
    title,
    note: "",
    kind: "line",
    timesMs: own.timesMs,
    series: present,
    rows: rowsFor(
      own,
      segmentsOf(own, (index) => columns.some((each) => each[index] != null)),
      columns,
    ),
    axis: {
      ...axis,
      // A line that runs along the uppermost grid line is taken for it, and half of its stroke is cut.
      high: ends[1] > axis.high * TOUCHES ? axis.high * (2 - TOUCHES) : axis.high,
      labels: axis.ticks.map(formatCountShort),
    },
    barMs: 0,
    limit: limit && high >= limit.value ? limit : undefined,
    unit: "count",
  };
}

/** Memory cgroups that have a directory. */
export const LIVE_CGROUPS = {
  key: "cgroup.memory.live",
  label: "live",
  name: "live memory cgroups",
} as const;

/** Memory cgroups that were removed and that something holds on to. */
export const DYING_CGROUPS = {
  key: "cgroup.memory.dying",
  label: "dying",
  name: "dying memory cgroups",
} as const;

/**
 * Memory cgroups, live and dying. The limit on ids is drawn once the count comes near it, and only on kernels where
 * dying ones hold their id.
 */
export function cgroupsLane(series: MetricSeries, dyingHoldIds: boolean): LaneModel | undefined {
  return countLane(
    "cgroups",
    "memory cgroups",
    series,
    [
      { ...LIVE_CGROUPS, tone: "ink" },
      { ...DYING_CGROUPS, tone: "dashed" },
    ],
    dyingHoldIds ? { value: 65_535, label: "65,535 ids" } : undefined,
  );
}

/** Files in each watched directory, the fullest first, at most three lines. */
export function watchLane(series: MetricSeries): LaneModel | undefined {
  const tones = ["ink", "dashed", "quiet"] as const;
  const lines = series.series
    .filter((each) => /^watch\..+\.files$/.test(each.metric))
    .map((each) => ({
      key: each.metric,
      label: each.metric.slice("watch.".length, -".files".length),
      most: each.values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0),
    }))
    .sort((a, b) => b.most - a.most)
    .slice(0, 3)
    .map(({ key, label }, index) => ({
      key,
      label,
      name: `files in ${label}`,
      tone: tones[index] ?? ("quiet" as const),
    }));
  return countLane("watch", "files in watched directories", series, lines, undefined);
}

/** The lane in one sentence, for readers who do not see it: from the first sample of the newest boot on, as its changes are. */
export function laneFinding(lane: LaneModel, reboots: readonly Boot[], zone: string): string {
  const boot = bootAt(reboots, lane.timesMs.at(-1) ?? -Infinity);
  const bootMs = boundaryOf(boot);
  const parts = lane.series.map((each) => {
    const first = each.values.find((value, index) => value != null && (lane.timesMs[index] ?? 0) >= bootMs);
    const last = each.values.findLast((value) => value != null);
    return `${each.label} from ${laneValue(lane, first)} to ${laneValue(lane, last)}`;
  });
  const since = boot === undefined ? "" : `, since the reboot at ${formatMomentFull(boot.at, zone)}`;
  return `${lane.title}${since}: ${parts.join("; ")}.`;
}
