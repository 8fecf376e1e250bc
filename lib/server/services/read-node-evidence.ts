import type { BootSegment } from "#lib/domain/analysis/boot-segments.ts";
import { changeOf, changesTogether } from "#lib/domain/analysis/history-evidence.ts";
import { compositionLevels } from "#lib/domain/diagnosis/composition-levels.ts";
import { deriveQuantities } from "#lib/domain/diagnosis/derive-quantities.ts";
import { directoryLevels } from "#lib/domain/diagnosis/evidence-from-snapshot.ts";
import {
  messagesCounted,
  sectionMetricsOf,
  sectionQuantities,
} from "#lib/domain/diagnosis/section-quantities.ts";
import { isZfsCache, kmallocQuantity } from "#lib/domain/diagnosis/slab-caches.ts";
import { BANDS } from "#lib/domain/memory/bands.ts";
import { isForeign } from "#lib/domain/procfs/foreign-modules.ts";
import { askedQuantities } from "#lib/domain/signatures/asked-quantities.ts";
import type { Change, Evidence } from "#lib/domain/signatures/evidence.ts";
import type { Database } from "#lib/server/data/client.ts";
import type { NodeNewest } from "#lib/server/data/nodes.ts";
import {
  readArraySeries,
  readCounterSeries,
  readSeries,
  type ArrayEntry,
  type SeriesAxis,
  type SeriesRequest,
} from "#lib/server/data/series.ts";
import { SNAPSHOT_COLUMN_SOURCES, SNAPSHOT_COLUMNS } from "#lib/server/data/snapshot-columns.ts";
import { readSectionsAt, type StoredSnapshot } from "#lib/server/data/snapshot-at.ts";
import { memTotalOf } from "./analyse-metric.ts";
import { composeColumns, type ColumnValues } from "./metric-columns.ts";
import { readDeeds } from "./read-deeds.ts";
import { mergedNamesOf, onAxis } from "./slab-history.ts";

const HOUR_MS = 3_600_000;
/** A week in four hours each: the means of a rhythm of a day still show it, and arrays are cheap to read. */
const POINTS = 48;
/** After a boot caches fill: what grew since then did not grow. */
const WARM_UP_MS = 2 * HOUR_MS;

type Values = readonly (number | null)[];

interface Line {
  readonly axis: SeriesAxis;
  readonly values: Values;
}

/** Where a stretch of a node's history lies. */
export interface HistoryWindow {
  /** Not before the boot. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Id of the row of the boot that runs now. */
  readonly bootRef: number;
}

const ASKED = askedQuantities();
const ALWAYS = [
  "total.kernelUnreclaimable",
  "total.kernelNoncache",
  "containers.started",
  ...BANDS.map(({ key }) => `band.${key}`),
];

/** Whether the history of a quantity is worth an estimate: a signature asks for it. */
function isAsked(name: string): boolean {
  return ASKED.quantities.has(name) || /^vmalloc\..+\.usedKib$/.test(name);
}

/**
 * All that is stored of a node, as evidence: newest values, how they went over the window, what moves with the containers, what
 * was done and logged meanwhile. Of counters and arrays some fifty points are read, of counters of sections the two ends, and
 * those that rose between them whole.
 */
export async function readNodeEvidence(
  db: Database,
  node: NodeNewest,
  window: HistoryWindow,
): Promise<Evidence> {
  const { nodeId, kernelRelease } = node;
  const { fromMs, toMs, bootRef } = window;
  const range = { nodeId, fromMs, toMs, points: POINTS };
  const earlyMs = Math.max(fromMs, node.bootedAtMs + WARM_UP_MS) + HOUR_MS;
  const [frame, slab, watch, tmpfs, sections, early, deeds] = await Promise.all([
    readSeries(db, { ...range, columns: SNAPSHOT_COLUMNS }),
    readArraySeries(db, { ...range, kind: "slab", fields: ["sizeKib", "activeObjs", "numObjs"] }),
    readArraySeries(db, { ...range, kind: "watch", fields: ["files"] }),
    readArraySeries(db, { ...range, kind: "tmpfs", fields: ["usedKib", "inodesUsed"] }),
    readSectionsAt(db, { nodeId, bootRef, atMs: toMs }),
    readSectionsAt(db, { nodeId, bootRef, atMs: Math.min(earlyMs, toMs) }),
    readDeeds(db, node, window),
  ]);
  const lines = new Map<string, Line>([
    ...linesOf(
      frame,
      frame.timesMs.map((_, point) =>
        columnLevels((column) => frame.columns[column]?.[point], kernelRelease),
      ),
    ),
    ...slabLines(slab, slab.entries),
    ...watch.entries.map(
      ({ name, values }) => [`watch.${name}.files`, { axis: watch, values: values.files }] as const,
    ),
    ...tmpfsLines(tmpfs, tmpfs.entries),
  ]);
  const quantities = {
    now: sectionQuantities(sections.counters, node.pageSizeBytes ?? undefined),
    early: sectionQuantities(early.counters, node.pageSizeBytes ?? undefined),
  };
  const mergedCaches = mergedNamesOf(sections);
  const changes = changesOf(node, lines, namesCountedWithAsked(mergedCaches));
  const rising = Object.keys(quantities.now).filter((name) => isAsked(name) && changes[name] === undefined);
  const hours = (toMs - earlyMs) / HOUR_MS;
  for (const [name, line] of await readRisingSections(db, node, { range, rising, quantities })) {
    const [first, last] = [quantities.early[name], quantities.now[name]];
    const change =
      line === undefined
        ? first === undefined || last === undefined
          ? undefined
          : { first, last, max: Math.max(first, last), samples: 2, hours, persistent: false }
        : changeOf(name, bootOf(node, line), memTotalOf(node));
    if (change !== undefined) changes[name] = change;
  }
  const levels = { ...lastOf(lines), ...quantities.now };
  Object.assign(levels, newestLevels(node), { cpus: node.cpus });
  deriveQuantities(levels);
  return {
    levels,
    changes,
    correlations: correlationsOf(lines, frame),
    messages: { ...messagesCounted(sections.counters), ...deeds.messages },
    lastLoggedMs: deeds.lastLoggedMs,
    interventions: deeds.interventions,
    scope: "machine",
    mergedCaches,
    ...whatRuns(node, sections.details),
  };
}

/** Everything that counters with a column tell of one moment. */
function columnLevels(read: ColumnValues, kernelRelease: string): Record<string, number> {
  const levels: Record<string, number> = {};
  for (const { column, metric } of SNAPSHOT_COLUMN_SOURCES) {
    const value = read(column);
    if (value != null) levels[metric] = value;
  }
  const composition = composeColumns(read, kernelRelease);
  if (composition !== undefined) Object.assign(levels, compositionLevels(composition));
  deriveQuantities(levels);
  return levels;
}

function linesOf(
  axis: SeriesAxis,
  points: readonly Readonly<Record<string, number>>[],
): (readonly [string, Line])[] {
  const names = new Set(points.flatMap((levels) => Object.keys(levels)));
  return [...names].map((name) => [name, { axis, values: points.map((levels) => levels[name] ?? null) }]);
}

function slabLines(
  axis: SeriesAxis,
  entries: readonly ArrayEntry<"sizeKib" | "activeObjs" | "numObjs">[],
): (readonly [string, Line])[] {
  const points = axis.timesMs.map((_, point) => {
    const levels: Record<string, number> = {};
    const add = (name: string, value: number) => (levels[name] = (levels[name] ?? 0) + value);
    for (const { name, objSizeBytes, values } of entries) {
      const sizeKib = values.sizeKib[point];
      const active = values.activeObjs[point];
      const total = values.numObjs[point];
      if (sizeKib == null || active == null || total == null) continue;
      // A cache that was destroyed and made again with another object size is stored twice under its name.
      add(`slab.${name}.bytes`, sizeKib * 1024);
      add(`slab.${name}.objects`, active);
      const kmalloc = kmallocQuantity(name);
      if (kmalloc !== undefined) add(kmalloc, sizeKib * 1024);
      add("slab.unused.kib", (Math.max(0, total - active) * (objSizeBytes ?? 0)) / 1024);
      add("zfs.slab.kib", isZfsCache(name) ? sizeKib : 0);
    }
    return levels;
  });
  return linesOf(axis, points);
}

function tmpfsLines(
  axis: SeriesAxis,
  entries: readonly ArrayEntry<"usedKib" | "inodesUsed">[],
): (readonly [string, Line])[] {
  const used = axis.timesMs.map((_, point) => {
    const known = entries.flatMap(({ values }) => values.usedKib[point] ?? []);
    return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0);
  });
  return [
    ["tmpfs.used.kib", { axis, values: used }],
    ...entries.flatMap(({ name, values }) => [
      [`tmpfs.${name}.usedKib`, { axis, values: values.usedKib }] as const,
      [`tmpfs.${name}.inodes`, { axis, values: values.inodesUsed }] as const,
    ]),
  ];
}

/** The points of the boot that runs now. */
function bootOf({ bootId, bootedAtMs }: NodeNewest, { axis, values }: Line): BootSegment {
  const own = axis.bootIds.flatMap((id, point) => (id === bootId ? [point] : []));
  return {
    bootId,
    bootedAtMs,
    timesMs: own.map((point) => axis.timesMs[point] ?? 0),
    values: own.map((point) => values[point] ?? null),
  };
}

/** Quantities of slab caches whose line may count one that a signature asks for. */
function namesCountedWithAsked(mergedCaches: readonly (readonly string[])[]): ReadonlySet<string> {
  const measures = ["bytes", "objects"] as const;
  const nameOf = (cache: string, measure: string) => `slab.${cache}.${measure}`;
  return new Set(
    measures.flatMap((measure) =>
      mergedCaches
        .filter((names) => names.some((name) => isAsked(nameOf(name, measure))))
        .flatMap((names) => names.map((name) => nameOf(name, measure))),
    ),
  );
}

function changesOf(
  node: NodeNewest,
  lines: ReadonlyMap<string, Line>,
  more: ReadonlySet<string>,
): Record<string, Change> {
  const changes: Record<string, Change> = {};
  for (const [name, line] of lines) {
    if (!isAsked(name) && !more.has(name) && !ALWAYS.includes(name)) continue;
    const change = changeOf(name, bootOf(node, line), memTotalOf(node));
    if (change !== undefined) changes[name] = change;
  }
  return changes;
}

/** Of quantities of sections their history, `undefined` for those that did not rise. */
async function readRisingSections(
  db: Database,
  node: NodeNewest,
  {
    range,
    rising,
    quantities: { now, early },
  }: {
    range: SeriesRequest;
    rising: readonly string[];
    quantities: Readonly<Record<"now" | "early", Readonly<Record<string, number>>>>;
  },
): Promise<Map<string, Line | undefined>> {
  const risen = rising.filter((name) => (now[name] ?? 0) > (early[name] ?? Infinity));
  const found = new Map<string, Line | undefined>(rising.map((name) => [name, undefined]));
  if (risen.length === 0) return found;
  const { values, ...axis } = await readCounterSeries(db, {
    ...range,
    names: [...new Set(risen.flatMap(sectionMetricsOf))],
  });
  const points = axis.timesMs.map((_, point) =>
    sectionQuantities(
      Object.fromEntries(
        [...values].flatMap(([name, { mean }]) => {
          const value = mean[point];
          return value == null ? [] : [[name, value] as const];
        }),
      ),
      node.pageSizeBytes ?? undefined,
    ),
  );
  for (const [name, line] of linesOf(axis, points)) if (risen.includes(name)) found.set(name, line);
  return found;
}

function lastOf(lines: ReadonlyMap<string, Line>): Record<string, number> {
  return Object.fromEntries(
    [...lines].flatMap(([name, { values }]) => {
      const last = values.findLast((value) => value !== null);
      return last == null ? [] : [[name, last] as const];
    }),
  );
}

/** The newest snapshot itself, where it is newer than the last mean. */
function newestLevels(node: NodeNewest): Record<string, number> {
  return {
    ...columnLevels((column) => node.counters[column], node.kernelRelease),
    ...directoryLevels(node.details),
  };
}

function correlationsOf(lines: ReadonlyMap<string, Line>, to: SeriesAxis): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [name, driver] of ASKED.pairs) {
    const [line, driving] = [lines.get(name), lines.get(driver)];
    if (line === undefined || driving === undefined) continue;
    const along = ({ axis, values }: Line) => (axis === to ? values : onAxis(axis, values, to));
    const coefficient = changesTogether(along(line), along(driving));
    if (coefficient !== undefined) found[`${name} ~ ${driver}`] = coefficient;
  }
  return found;
}

const ARCHITECTURES: Readonly<Record<string, string>> = { arm64: "aarch64", amd64: "x86_64" };

function whatRuns(
  { kernelRelease, versions, labels, cgroupMode }: NodeNewest,
  { modules }: StoredSnapshot["details"],
): Partial<Evidence> {
  const arch = labels["kubernetes.io/arch"] ?? labels["beta.kubernetes.io/arch"];
  return {
    kernelRelease,
    versions: { ...versions, ...(cgroupMode !== null && { "cgroup-mode": cgroupMode }) },
    ...(arch !== undefined && { architecture: ARCHITECTURES[arch] ?? arch }),
    ...(modules !== undefined && {
      foreignModules: modules.value.filter(({ taint = "" }) => isForeign(taint)).map(({ name }) => name),
    }),
  };
}
