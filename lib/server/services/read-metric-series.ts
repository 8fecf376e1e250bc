import type { Metric } from "#lib/domain/memory/metrics.ts";
import type { Database } from "#lib/server/data/client.ts";
import {
  readArraySeries,
  readCounterSeries,
  readExtraSeries,
  readSeries,
  type SeriesAxis,
  type SeriesRequest,
} from "#lib/server/data/series.ts";
import { storageOf, type MetricStorage } from "./metric-columns.ts";

type Values = (number | null)[];

/** One metric on the common axis. */
export interface MetricValues {
  metric: Metric;
  values: Values;
  /** Of each bucket; absent where they are not kept, and for what is derived from several counters. */
  extremes?: { min: Values; max: Values };
}

export interface MetricFrame {
  axis: SeriesAxis;
  series: MetricValues[];
}

interface Part {
  axis: SeriesAxis;
  series: MetricValues[];
}

/**
 * Any metrics of one node on one time axis. Counters with a column set the axis, where there are any; what is sampled
 * less often (slab, directories, rare counters) gives each of its points the sample of the same bucket and boot, and
 * nothing where it has none.
 *
 * @param request.kernelRelease decides what VmallocUsed means, for what is derived from a composition.
 */
export async function readMetricSeries(
  db: Database,
  request: SeriesRequest & {
    metrics: readonly Metric[];
    kernelRelease: string | undefined;
    withExtremes?: boolean;
  },
): Promise<MetricFrame> {
  const wanted = request.metrics.map((metric) => ({ metric, storage: storageOf(metric.source) }));
  const inColumns = wanted.filter(isColumns);
  const parts = await Promise.all([
    ...(inColumns.length > 0 ? [readColumns(db, request, inColumns)] : []),
    ...(["slab", "watch", "tmpfs"] as const).flatMap((kind) => {
      const ofKind = wanted.filter(({ storage }) => storage.kind === kind);
      return ofKind.length > 0 ? [readArrays(db, request, kind, ofKind)] : [];
    }),
    ...(wanted.some(({ storage }) => storage.kind === "counter") ? [readCounters(db, request, wanted)] : []),
    ...wanted.flatMap(({ metric, storage }) =>
      storage.kind === "extra" ? [readExtra(db, request, metric, storage)] : [],
    ),
  ]);
  const [first] = parts;
  if (first === undefined) throw new RangeError("expected at least one metric");
  const byMetric = new Map(
    parts.flatMap((part) => alignTo(first.axis, part).map((each) => [each.metric.key, each] as const)),
  );
  return { axis: first.axis, series: request.metrics.flatMap(({ key }) => byMetric.get(key) ?? []) };
}

interface Wanted<Storage extends MetricStorage = MetricStorage> {
  metric: Metric;
  storage: Storage;
}

type ColumnStorage = Extract<MetricStorage, { kind: "columns" }>;

function isColumns(wanted: Wanted): wanted is Wanted<ColumnStorage> {
  return wanted.storage.kind === "columns";
}

async function readColumns(
  db: Database,
  request: SeriesRequest & { kernelRelease: string | undefined; withExtremes?: boolean },
  wanted: readonly Wanted<ColumnStorage>[],
): Promise<Part> {
  const frame = await readSeries(db, {
    ...rangeOf(request),
    columns: [...new Set(wanted.flatMap(({ storage }) => storage.columns))],
    // Of what is derived from many columns there are none: reading theirs would double the work for nothing.
    withExtremes:
      request.withExtremes === true &&
      wanted.flatMap(({ storage }) => (storage.columns.length === 1 ? storage.columns : [])),
  });
  const series = wanted.map(({ metric, storage }): MetricValues => {
    const values = frame.timesMs.map((_, point) =>
      storage.derive((column) => frame.columns[column]?.[point], request.kernelRelease),
    );
    const [only] = storage.columns;
    const extremes = storage.columns.length === 1 && only !== undefined ? frame.extremes[only] : undefined;
    return { metric, values, ...(extremes !== undefined && { extremes }) };
  });
  return { axis: frame, series };
}

async function readArrays(
  db: Database,
  request: SeriesRequest,
  kind: "slab" | "watch" | "tmpfs",
  wanted: readonly Wanted[],
): Promise<Part> {
  const names = [...new Set(wanted.flatMap(({ storage }) => ("name" in storage ? storage.name : [])))];
  const fields = {
    slab: ["sizeKib", "activeObjs"],
    watch: ["files"],
    tmpfs: ["inodesUsed", "usedKib"],
  } as const;
  const frame = await readArraySeries<"slab" | "watch" | "tmpfs">(db, {
    ...rangeOf(request),
    kind,
    fields: fields[kind],
    names,
  });
  const series = wanted.flatMap(({ metric, storage }): MetricValues[] => {
    if (!("name" in storage)) return [];
    const columns = frame.entries
      .filter(({ name }) => name === storage.name)
      .map((entry) => (entry.values as Readonly<Record<string, Values>>)[storage.field] ?? []);
    // A cache that was destroyed and made again with another object size is stored twice under its name.
    const values = frame.timesMs.map((_, point) => {
      const present = columns.flatMap((column) => column[point] ?? []);
      return present.length === 0 ? null : present.reduce((sum, value) => sum + value, 0) * storage.factor;
    });
    return [{ metric, values }];
  });
  return { axis: frame, series };
}

async function readCounters(db: Database, request: SeriesRequest, wanted: readonly Wanted[]): Promise<Part> {
  const counters = wanted.flatMap(({ metric, storage }) =>
    storage.kind === "counter" ? [{ metric, name: storage.counter }] : [],
  );
  const { values, ...axis } = await readCounterSeries(db, {
    ...rangeOf(request),
    names: counters.map(({ name }) => name),
  });
  const series = counters.map(({ metric, name }): MetricValues => {
    const found = values.get(name);
    if (found === undefined) return { metric, values: axis.timesMs.map(() => null) };
    return { metric, values: found.mean, extremes: { min: found.min, max: found.max } };
  });
  return { axis, series };
}

async function readExtra(
  db: Database,
  request: SeriesRequest,
  metric: Metric,
  { section, key }: Extract<MetricStorage, { kind: "extra" }>,
): Promise<Part> {
  const { values, extremes, ...axis } = await readExtraSeries(db, { ...rangeOf(request), section, key });
  return { axis, series: [{ metric, values, extremes }] };
}

function rangeOf({ nodeId, fromMs, toMs, points }: SeriesRequest): SeriesRequest {
  return { nodeId, fromMs, toMs, points };
}

/** Puts a part onto another axis, by bucket of the wider of the two and by boot. */
function alignTo(axis: SeriesAxis, part: Part): MetricValues[] {
  if (part.axis === axis) return part.series;
  const widthMs = 1000 * Math.max(axis.resolution.bucketSeconds, part.axis.resolution.bucketSeconds);
  const bucketOf = ({ timesMs, bootIds }: SeriesAxis, point: number) =>
    `${Math.floor((timesMs[point] ?? 0) / widthMs)} ${bootIds[point] ?? ""}`;
  const pointOf = new Map(part.axis.timesMs.map((_, point) => [bucketOf(part.axis, point), point]));
  const sources = axis.timesMs.map((_, point) => pointOf.get(bucketOf(axis, point)));
  const moved = (values: Values): Values =>
    sources.map((source) => (source === undefined ? null : (values[source] ?? null)));
  return part.series.map(({ metric, values, extremes }) => ({
    metric,
    values: moved(values),
    ...(extremes !== undefined && { extremes: { min: moved(extremes.min), max: moved(extremes.max) } }),
  }));
}
