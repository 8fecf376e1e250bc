import { parseNumberArray } from "./array-literal.ts";
import { planBuckets, type BucketPlan } from "./bucket-plan.ts";
import type { Database } from "./client.ts";
import { isHeadlineColumn, type SnapshotColumn } from "./snapshot-columns.ts";
import { epochMs, soughtMoment } from "./sql-time.ts";

/**
 * The only reader of Snapshot, SnapshotExtra, the array samples and the roll-ups. Whoever asks names counters, a range
 * and a number of points; where the points come from is decided here.
 */

type Values = (number | null)[];

/** Buckets of an answer. All arrays that run beside `timesMs` have its length. */
export interface SeriesAxis {
  /** Mean time of the samples in each bucket, ascending; a bucket without samples is not there. */
  readonly timesMs: number[];
  /** The boot that each point belongs to; a bucket in which a boot began gives two points. */
  readonly bootIds: string[];
  /** How many samples are in each point. */
  readonly samples: number[];
  readonly resolution: BucketPlan;
  /** Stretches between two samples that are longer than usual for this series. */
  readonly gaps: { from: number; to: number }[];
  /** Boots that begin inside the range. */
  readonly reboots: { at: number; bootId: string; lastSampleAt: number | null }[];
}

export interface SeriesFrame extends SeriesAxis {
  /** Mean of each bucket; null where the kernel did not report the counter. */
  readonly columns: Readonly<Record<string, Values>>;
  /** Smallest and largest value in each bucket, for the columns that have them. */
  readonly extremes: Readonly<Record<string, { min: Values; max: Values }>>;
}

export interface SeriesRequest {
  readonly nodeId: number;
  /** Inclusive. */
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  /** At most so many buckets. */
  readonly points: number;
}

/** Counters of one node over time. Fractional: means over each bucket. */
export async function readSeries(
  db: Database,
  request: SeriesRequest & {
    readonly columns: readonly SnapshotColumn[];
    /** Also read `extremes`, of all columns or of those named; from roll-ups only the headline columns have them. */
    readonly withExtremes?: boolean | readonly SnapshotColumn[];
  },
): Promise<SeriesFrame> {
  const columns = [...new Set(request.columns)];
  const bounds = await readBounds(db, request);
  const plan = planBuckets({ ...request, oldestMs: bounds.oldestMs });
  const { withExtremes = false } = request;
  const wanted = withExtremes === true ? columns : withExtremes === false ? [] : withExtremes;
  const extremes = columns.filter(
    (column) => wanted.includes(column) && (plan.source === "raw" || isHeadlineColumn(column)),
  );
  const selection: Selection = { columns, extremes, bucketSeconds: plan.bucketSeconds };
  const { rolled, raw } = splitRange(request, plan, bounds.dirtyMs);
  const [boots, lastStack, ...rows] = await Promise.all([
    readBootNames(db, request.nodeId),
    columns.includes("vmapStack") ? readLastStack(db, request.nodeId) : undefined,
    plan.source === "raw" ? [] : readRolled(db, rolled, plan.source, selection),
    readRaw(db, raw, selection),
  ]);
  const buckets = rows.flat();
  fillStack(buckets, LEADING + columns.indexOf("vmapStack"), lastStack);
  return frameOf(buckets, request, { columns, extremes, plan, boots });
}

/** Where the stacks of the newest boot lie, as its newest state remembers it. */
async function readLastStack(
  db: Database,
  nodeId: number,
): Promise<{ bootRef: number; vmapStack: number } | undefined> {
  const { rows } = await db.pool.query<{ bootRef: number; vmapStack: number }>({
    name: "read-last-stack",
    text: `select "bootRef", ("counters" ->> 'vmapStack')::float8 as "vmapStack" from "NodeNewest"
      where "nodeId" = $1 and "counters" ->> 'vmapStack' is not null`,
    values: [nodeId],
  });
  return rows[0];
}

/** Where stacks lie is read every quarter of an hour and holds for the whole boot: its other buckets are told. */
function fillStack(
  buckets: readonly BucketRow[],
  position: number,
  last: { bootRef: number; vmapStack: number } | undefined,
): void {
  if (position < LEADING) return;
  const known = new Map<number | null, number>();
  if (last) known.set(last.bootRef, last.vmapStack);
  for (const bucket of buckets) {
    const value = bucket[position];
    if (value != null) known.set(bucket[BOOT_REF] ?? null, value);
  }
  for (const bucket of buckets) bucket[position] ??= known.get(bucket[BOOT_REF] ?? null) ?? null;
}

interface Selection {
  readonly columns: readonly SnapshotColumn[];
  readonly extremes: readonly SnapshotColumn[];
  readonly bucketSeconds: number;
}

/** bucket times, bootRef, samples, then means, minima and maxima. */
type BucketRow = (number | null)[];
const LEADING = 5;
const BOOT_REF = 3;

const HOUR_MS = 3_600_000;
/** Buckets are cut from a Monday, so that those of a week are whole weeks. */
const ORIGIN_MS = Date.UTC(2001, 0, 1);
/** Start of the bucket of `at`; $4 is its width in seconds. */
const BUCKET = `date_bin(make_interval(secs => $4), "at", '2001-01-01T00:00:00Z')`;

/** As `BUCKET`. */
function startOfBucket(timeMs: number, bucketSeconds: number): number {
  const width = bucketSeconds * 1000;
  return ORIGIN_MS + Math.floor((timeMs - ORIGIN_MS) / width) * width;
}

const instant = (timeMs: number) => soughtMoment(timeMs).toISOString();

/** From here on a range holds so many snapshots, some 1,500 of a usual collector, that two processors pay. */
const TWO_READ_FROM_MS = 6 * HOUR_MS;

/** A long range is cut at a bucket and read over two connections: averaging is most of an answer, and each has a process of its own. */
async function readRaw(db: Database, range: SeriesRequest, selection: Selection): Promise<BucketRow[]> {
  const { fromMs, toMs } = range;
  const middleMs = startOfBucket((fromMs + toMs) / 2, selection.bucketSeconds);
  if (toMs - fromMs < TWO_READ_FROM_MS || middleMs <= fromMs) return averageRaw(db, range, selection);
  const halves = await Promise.all([
    averageRaw(db, { ...range, toMs: middleMs }, selection),
    averageRaw(db, { ...range, fromMs: middleMs }, selection),
  ]);
  return halves.flat();
}

async function averageRaw(db: Database, range: SeriesRequest, selection: Selection): Promise<BucketRow[]> {
  const aggregates = [
    ...selection.columns.map((column) => `avg("${column}"::float8)`),
    ...selection.extremes.map((column) => `min("${column}")::float8`),
    ...selection.extremes.map((column) => `max("${column}")::float8`),
  ];
  const { rows } = await db.pool.query<BucketRow>({
    text: `select avg(${epochMs(`"at"`)}), ${epochMs(`min("at")`)}, ${epochMs(`max("at")`)}, "bootRef", count(*)::int
        ${aggregates.map((each) => `, ${each}`).join("")}
      from "Snapshot" where "nodeId" = $1 and "at" >= $2 and "at" < $3
      group by ${BUCKET}, "bootRef" order by 1`,
    values: [range.nodeId, instant(range.fromMs), instant(range.toMs), selection.bucketSeconds],
    rowMode: "array",
  });
  return rows;
}

const ROLLUPS = { "5min": "SnapshotRollup5min", "1h": "SnapshotRollup1h" } as const;

async function readRolled(
  db: Database,
  range: SeriesRequest,
  source: keyof typeof ROLLUPS,
  selection: Selection,
): Promise<BucketRow[]> {
  const weighted = (column: string) =>
    `sum("${column}" * "samples") / nullif(sum("samples") filter (where "${column}" is not null), 0)`;
  const aggregates = [
    ...selection.columns.map(weighted),
    ...selection.extremes.map((column) => `min("min_${column}")`),
    ...selection.extremes.map((column) => `max("max_${column}")`),
  ];
  const middle = `(${epochMs(`"firstAt"`)} + ${epochMs(`"lastAt"`)}) / 2`;
  const { rows } = await db.pool.query<BucketRow>({
    text: `select sum(${middle} * "samples") / sum("samples"), ${epochMs(`min("firstAt")`)}, ${epochMs(`max("lastAt")`)},
        "bootRef", sum("samples")::int ${aggregates.map((each) => `, ${each}`).join("")}
      from "${ROLLUPS[source]}" where "nodeId" = $1 and "at" >= $2 and "at" < $3
      group by ${BUCKET}, "bootRef" order by 1`,
    values: [range.nodeId, instant(range.fromMs), instant(range.toMs), selection.bucketSeconds],
    rowMode: "array",
  });
  return rows;
}

/**
 * Roll-ups up to the first bucket whose snapshots they do not yet all hold, or that reaches beyond the range; snapshots
 * from there on.
 */
function splitRange(
  request: SeriesRequest,
  { source, bucketSeconds }: BucketPlan,
  dirtyMs: number,
): { rolled: SeriesRequest; raw: SeriesRequest } {
  const bucketStart = startOfBucket(Math.min(dirtyMs, request.toMs), bucketSeconds);
  const splitMs = source === "raw" ? request.fromMs : Math.max(bucketStart, request.fromMs);
  return { rolled: { ...request, toMs: splitMs }, raw: { ...request, fromMs: splitMs } };
}

interface Bounds {
  oldestMs: Record<BucketPlan["source"], number>;
  /** Start of the oldest bucket in the range whose roll-up is behind; Infinity when none is. */
  dirtyMs: number;
}

async function readBounds(db: Database, { nodeId, fromMs, toMs }: SeriesRequest): Promise<Bounds> {
  const [oldest, dirty] = await Promise.all([
    db.pool.query<{ source: BucketPlan["source"]; ms: number }>({
      name: "series-oldest",
      text: `(select 'raw' as source, ${epochMs(`"at"`)} as ms from "Snapshot" where "nodeId" = $1 order by "at" limit 1)
        union all
        (select '5min', ${epochMs(`"firstAt"`)} from "SnapshotRollup5min" where "nodeId" = $1 order by "at" limit 1)
        union all
        (select '1h', ${epochMs(`"firstAt"`)} from "SnapshotRollup1h" where "nodeId" = $1 order by "at" limit 1)`,
      values: [nodeId],
    }),
    db.pool.query<{ ms: number | null }>({
      name: "series-dirty",
      text: `select ${epochMs(`min("at")`)} as ms from "DirtyBucket" where "nodeId" = $1 and "at" >= $2 and "at" < $3`,
      values: [nodeId, instant(Math.max(0, fromMs - HOUR_MS)), instant(toMs)],
    }),
  ]);
  const oldestMs = { raw: Infinity, "5min": Infinity, "1h": Infinity };
  for (const row of oldest.rows) oldestMs[row.source] = row.ms;
  return { oldestMs, dirtyMs: dirty.rows[0]?.ms ?? Infinity };
}

interface BootName {
  id: number;
  bootId: string;
  startedAtMs: number;
}

async function readBootNames(db: Database, nodeId: number): Promise<Map<number, BootName>> {
  const { rows } = await db.pool.query<BootName>({
    name: "series-boots",
    text: `select id, "bootId", ${epochMs(`"startedAt"`)} as "startedAtMs" from "Boot" where "nodeId" = $1`,
    values: [nodeId],
  });
  return new Map(rows.map((boot) => [boot.id, boot]));
}

function frameOf(
  rows: BucketRow[],
  range: SeriesRequest,
  read: {
    columns: readonly SnapshotColumn[];
    extremes: readonly SnapshotColumn[];
    plan: BucketPlan;
    boots: ReadonlyMap<number, BootName>;
  },
): SeriesFrame {
  const at = (offset: number): Values => rows.map((row) => row[offset] ?? null);
  const minima = LEADING + read.columns.length;
  const maxima = minima + read.extremes.length;
  return {
    ...axisOf(rows.map(pointOf), range, read.plan, read.boots),
    columns: Object.fromEntries(read.columns.map((column, index) => [column, at(LEADING + index)])),
    extremes: Object.fromEntries(
      read.extremes.map((column, index) => [column, { min: at(minima + index), max: at(maxima + index) }]),
    ),
  };
}

interface AxisPoint {
  timeMs: number;
  firstMs: number;
  lastMs: number;
  bootRef: number;
  samples: number;
}

function pointOf([time, first, last, bootRef, samples]: BucketRow): AxisPoint {
  return {
    timeMs: Math.round(time ?? 0),
    firstMs: Math.round(first ?? 0),
    lastMs: Math.round(last ?? 0),
    bootRef: bootRef ?? 0,
    samples: samples ?? 0,
  };
}

function axisOf(
  points: AxisPoint[],
  range: SeriesRequest,
  resolution: BucketPlan,
  boots: ReadonlyMap<number, BootName>,
): SeriesAxis {
  return {
    timesMs: points.map((point) => point.timeMs),
    bootIds: points.map((point) => boots.get(point.bootRef)?.bootId ?? ""),
    samples: points.map((point) => point.samples),
    resolution,
    gaps: findGaps(points),
    reboots: findReboots(points, range, boots),
  };
}

/** Missing this many samples in a row is a gap; one or two are a slow read or a lost request. */
const MISSING_SAMPLES = 3;

function findGaps(points: readonly AxisPoint[]): { from: number; to: number }[] {
  const within = points.flatMap(({ firstMs, lastMs, samples }) =>
    samples > 1 ? [(lastMs - firstMs) / (samples - 1)] : [],
  );
  const between = points.flatMap((point, index) => {
    const before = points[index - 1];
    return before ? [{ from: before.lastMs, to: point.firstMs }] : [];
  });
  const intervals = within.length > 0 ? within : between.map(({ from, to }) => to - from);
  const usual = intervals.sort((a, b) => a - b)[Math.floor(intervals.length / 2)];
  if (usual === undefined) return [];
  return between.filter(({ from, to }) => to - from > usual * (MISSING_SAMPLES + 0.5));
}

function findReboots(
  points: readonly AxisPoint[],
  range: SeriesRequest,
  boots: ReadonlyMap<number, BootName>,
): SeriesAxis["reboots"] {
  const seen = new Set<number>();
  const found: SeriesAxis["reboots"] = [];
  points.forEach(({ bootRef }, index) => {
    const boot = boots.get(bootRef);
    if (!boot || seen.has(bootRef)) return;
    seen.add(bootRef);
    const startedAt = Math.round(boot.startedAtMs);
    if (startedAt < range.fromMs || startedAt >= range.toMs) return;
    found.push({ at: startedAt, bootId: boot.bootId, lastSampleAt: points[index - 1]?.lastMs ?? null });
  });
  return found;
}

/** A counter that has no column, such as most of /proc/vmstat. It is stored at most once a minute. */
export async function readExtraSeries(
  db: Database,
  request: SeriesRequest & { readonly section: "meminfo" | "vmstat"; readonly key: string },
): Promise<SeriesAxis & { readonly values: Values; readonly extremes: { min: Values; max: Values } }> {
  const plan = planBuckets({ ...request, oldestMs: { raw: 0, "5min": Infinity, "1h": Infinity } });
  const [boots, { rows }] = await Promise.all([
    readBootNames(db, request.nodeId),
    db.pool.query<{ atMs: number; baseAtMs: number; bootRef: number; value: number | null }>({
      name: "series-extra",
      text: `select ${epochMs(`"at"`)} as "atMs", ${epochMs(`"baseAt"`)} as "baseAtMs", "bootRef",
          ("counters" -> $4 ->> $5)::float8 as value
        from "SnapshotExtra" where "nodeId" = $1 and "at" >= $2 and "at" < $3 order by "at"`,
      values: [
        request.nodeId,
        instant(Math.max(0, request.fromMs - 2 * HOUR_MS)),
        instant(request.toMs),
        request.section,
        request.key,
      ],
    }),
  ]);
  const buckets = new Map<string, AxisPoint & { sum: number; min: number; max: number }>();
  const inChain = new Map<number, number>();
  for (const row of rows) {
    const value = row.value ?? inChain.get(row.baseAtMs);
    if (value === undefined) continue;
    inChain.set(row.baseAtMs, value);
    if (row.atMs < request.fromMs) continue;
    const key = `${Math.floor(row.atMs / (plan.bucketSeconds * 1000))} ${row.bootRef}`;
    const bucket = buckets.get(key);
    if (bucket) {
      bucket.timeMs = (bucket.timeMs * bucket.samples + row.atMs) / (bucket.samples + 1);
      bucket.lastMs = row.atMs;
      bucket.samples += 1;
      bucket.sum += value;
      bucket.min = Math.min(bucket.min, value);
      bucket.max = Math.max(bucket.max, value);
    } else {
      const time = { timeMs: row.atMs, firstMs: row.atMs, lastMs: row.atMs };
      buckets.set(key, { ...time, bootRef: row.bootRef, samples: 1, sum: value, min: value, max: value });
    }
  }
  const points = [...buckets.values()].sort((a, b) => a.timeMs - b.timeMs);
  const axis = axisOf(
    points.map((point) => ({ ...point, timeMs: Math.round(point.timeMs) })),
    request,
    plan,
    boots,
  );
  return {
    ...axis,
    values: points.map(({ sum, samples }) => sum / samples),
    extremes: { min: points.map(({ min }) => min), max: points.map(({ max }) => max) },
  };
}

/**
 * Numbers that have no column and are not kernel keys, by the name of their metric: of each bucket the mean, with extremes. Kept
 * as long as raw snapshots.
 */
export async function readCounterSeries(
  db: Database,
  request: SeriesRequest & { readonly names: readonly string[] },
): Promise<
  SeriesAxis & { readonly values: ReadonlyMap<string, { mean: Values; min: Values; max: Values }> }
> {
  const plan = planBuckets({ ...request, oldestMs: { raw: 0, "5min": Infinity, "1h": Infinity } });
  const [boots, known] = await Promise.all([
    readBootNames(db, request.nodeId),
    db.pool.query<{ id: number; name: string }>(
      `select id, "name" from "CounterName" where "name" = any ($1::text[])`,
      [[...new Set(request.names)]],
    ),
  ]);
  const counters = known.rows;
  const value = counters.map((_, index) => `"values"[array_position("nameIds", ($5::int[])[${index + 1}])]`);
  const { rows } = await db.pool.query<BucketRow>({
    text: `select avg(${epochMs(`"at"`)}), ${epochMs(`min("at")`)}, ${epochMs(`max("at")`)}, "bootRef", count(*)::int
        ${value.map((each) => `, avg(${each}), min(${each}), max(${each})`).join("")}
      from "CounterSample" where "nodeId" = $1 and "at" >= $2 and "at" < $3 and "nameIds" && $5::int[]
      group by ${BUCKET}, "bootRef" order by 1`,
    values: [
      request.nodeId,
      instant(request.fromMs),
      instant(request.toMs),
      plan.bucketSeconds,
      counters.map(({ id }) => id),
    ],
    rowMode: "array",
  });
  const at = (offset: number): Values => rows.map((row) => row[LEADING + offset] ?? null);
  return {
    ...axisOf(rows.map(pointOf), request, plan, boots),
    values: new Map(
      counters.map(({ name }, index) => [
        name,
        { mean: at(3 * index), min: at(3 * index + 1), max: at(3 * index + 2) },
      ]),
    ),
  };
}

const ARRAY_SERIES = {
  slab: { table: "SlabSample", ids: "cacheIds", fields: ["sizeKib", "activeObjs", "numObjs"] },
  watch: { table: "WatchSample", ids: "pathIds", fields: ["files", "atLeast"] },
  tmpfs: { table: "TmpfsSample", ids: "pathIds", fields: ["sizeKib", "usedKib", "inodes", "inodesUsed"] },
} as const;

/** What an array sample measures of each of its entries; `atLeast` is 1 where more were there than counted. */
export type ArrayField<Kind extends keyof typeof ARRAY_SERIES> =
  (typeof ARRAY_SERIES)[Kind]["fields"][number];

export interface ArrayEntry<Field extends string> {
  /** Name of the slab cache, path of the directory or mount. */
  readonly name: string;
  /** Of slab caches; null for the others. */
  readonly objSizeBytes: number | null;
  /** null at the points whose sample does not have the entry. */
  readonly values: Readonly<Record<Field, Values>>;
}

/**
 * Slab caches, watched directories or tmpfs mounts of one node over time: of each bucket the last sample as it was,
 * not a mean. Kept as long as raw snapshots.
 */
export async function readArraySeries<Kind extends keyof typeof ARRAY_SERIES>(
  db: Database,
  request: SeriesRequest & {
    readonly kind: Kind;
    readonly fields: readonly ArrayField<Kind>[];
    /** Only these entries; all when left out. */
    readonly names?: readonly string[];
  },
): Promise<SeriesAxis & { readonly entries: ArrayEntry<ArrayField<Kind>>[] }> {
  const { table, ids } = ARRAY_SERIES[request.kind];
  const fields = [...new Set(request.fields)];
  const plan = planBuckets({ ...request, oldestMs: { raw: 0, "5min": Infinity, "1h": Infinity } });
  const range = `"nodeId" = $1 and "at" >= $2 and "at" < $3`;
  const [boots, { rows }] = await Promise.all([
    readBootNames(db, request.nodeId),
    db.pool.query<[number, number, string, ...string[]]>({
      name: `series-${request.kind}-${fields.join("-")}`,
      // The times first, the arrays then: so those between are never unpacked.
      text: `select ${epochMs(`"at"`)}, "bootRef", "${ids}"::text ${fields.map((field) => `, "${field}"::text`).join("")}
        from "${table}" where ${range} and "at" = any (array(
          select max("at") from "${table}" where ${range} group by ${BUCKET}, "bootRef"))
        order by "at"`,
      values: [request.nodeId, instant(request.fromMs), instant(request.toMs), plan.bucketSeconds],
      rowMode: "array",
    }),
  ]);
  const points = rows.map(([atMs, bootRef]): AxisPoint => {
    const time = Math.round(atMs);
    return { timeMs: time, firstMs: time, lastMs: time, bootRef, samples: 1 };
  });
  type ByField = Record<ArrayField<Kind>, Values>;
  const values = new Map<number, ByField>();
  rows.forEach(([, , idText, ...texts], point) => {
    const arrays = texts.map(parseNumberArray);
    parseNumberArray(idText).forEach((id, position) => {
      if (id === null) return;
      let entry = values.get(id);
      if (!entry) {
        entry = Object.fromEntries(
          fields.map((field) => [field, new Array<null>(rows.length).fill(null)]),
        ) as ByField;
        values.set(id, entry);
      }
      for (const [index, field] of fields.entries()) {
        entry[field][point] = arrays[index]?.[position] ?? null;
      }
    });
  });
  const names = await readEntryNames(db, request.kind, [...values.keys()]);
  const entries = [...values].flatMap(([id, byField]) => {
    const known = names.get(id);
    if (!known || (request.names && !request.names.includes(known.name))) return [];
    return [{ ...known, values: byField }];
  });
  return { ...axisOf(points, request, plan, boots), entries };
}

interface EntryName {
  name: string;
  objSizeBytes: number | null;
}

async function readEntryNames(
  db: Database,
  kind: keyof typeof ARRAY_SERIES,
  ids: readonly number[],
): Promise<Map<number, EntryName>> {
  const { rows } = await db.pool.query<EntryName & { id: number }>(
    kind === "slab"
      ? `select id, "name", "objSizeBytes" from "SlabCache" where id = any ($1)`
      : `select id, "path" as name, null::bigint as "objSizeBytes" from "StoredPath" where id = any ($1)`,
    [ids],
  );
  return new Map(rows.map(({ id, name, objSizeBytes }) => [id, { name, objSizeBytes }]));
}
