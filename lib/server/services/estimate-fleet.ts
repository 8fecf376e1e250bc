import type { KnownDailyRange } from "#lib/domain/analysis/daily-range.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { BootSegment } from "#lib/domain/analysis/boot-segments.ts";
import { confirmAcrossFleet } from "#lib/domain/analysis/fleet-significance.ts";
import type { Trend } from "#lib/domain/analysis/trend.ts";
import { parseMetric, type Metric } from "#lib/domain/memory/metrics.ts";
import { isInsufficient, type Insufficient } from "#lib/domain/statistics/insufficient.ts";
import type { Database } from "#lib/server/data/client.ts";
import {
  listFleetBoots,
  readRollups,
  readTmpfsInodes,
  type FleetBoot,
  type InodeSample,
  type RollupRow,
} from "#lib/server/data/fleet-rollups.ts";
import type { NodeNewest } from "#lib/server/data/nodes.ts";
import type { SnapshotColumn } from "#lib/server/data/snapshot-columns.ts";
import { memTotalOf, scaleOf, segmentsOf, trendOf, type MetricWindow } from "./analyse-metric.ts";
import { groupBy } from "./group-by.ts";
import { composeColumns, storageOf, type MetricStorage } from "./metric-columns.ts";

/** Roll-ups of so many nodes are read at once: a day of them is some 14,000 rows. */
const NODES_AT_ONCE = 50;
const HOUR_MS = 3_600_000;
/** The last moment of a boot that lasts is written at most a minute late. */
const BOOT_BEHIND_MS = 2 * 60_000;
const LEADING = 3;

/** What is asked of a fleet. */
export interface FleetWindow {
  readonly nodes: readonly NodeNewest[];
  /** Metrics that have columns; those of another kind are passed over. */
  readonly metrics: readonly Metric[];
  /** Of each node besides: inodes of these tmpfs mounts. */
  readonly mountsOf?: (node: NodeNewest) => readonly string[];
  readonly fromMs: number;
  readonly toMs: number;
  /** Distance of the points: five minutes or an hour. */
  readonly stepMs: number;
  /** What is known of the daily range of a metric, in the unit of the analysis. */
  readonly dailyRangeOf?: (nodeId: number, metric: string) => KnownDailyRange | undefined;
}

/** One metric of one node over the window. */
export interface FleetEstimate {
  readonly window: Omit<MetricWindow, "segments">;
  readonly segments: readonly BootSegment[];
  readonly trend: Trend | Insufficient;
}

/**
 * The trends of some metrics of many nodes over one window, from roll-ups alone: what is newer than they are is not in
 * it. Reads many nodes at once and gives way after each metric, so that a worker goes on with what else it does and a server
 * goes on answering. By node as given; a metric that a node never reported is not there.
 */
export async function* estimateFleet(
  db: Pick<Database, "pool">,
  request: FleetWindow,
): AsyncGenerator<FleetEstimate> {
  for (let first = 0; first < request.nodes.length; first += NODES_AT_ONCE) {
    const nodes = request.nodes.slice(first, first + NODES_AT_ONCE);
    const read = await readNodes(db, nodes, request);
    for (const node of nodes) {
      for (const { metric, segments } of read(node)) {
        const dailyRange = request.dailyRangeOf?.(node.nodeId, metric.key);
        const { fromMs, toMs } = request;
        const window = { metric, node, fromMs, toMs, dailyRange };
        yield { window, segments, trend: trendOf({ ...window, segments }) };
        await nextTurn();
      }
    }
  }
}

/**
 * *Leaking* over one metric of a fleet, confirmed over all of it; in the order given.
 * @param others p values of nodes that are not judged now.
 */
export function confirmFleet<Estimate extends Pick<FleetEstimate, "trend">>(
  family: readonly Estimate[],
  others: readonly number[] = [],
): Estimate[] {
  const trends = family.flatMap(({ trend }) => (isInsufficient(trend) ? [] : [trend]));
  const confirmed = confirmAcrossFleet(trends, undefined, others);
  let next = 0;
  return family.map((each) => {
    if (isInsufficient(each.trend)) return each;
    const trend = confirmed[next] ?? each.trend;
    next += 1;
    return { ...each, trend };
  });
}

interface MetricSegments {
  metric: Metric;
  segments: BootSegment[];
}

/** Reads some nodes at once; the result cuts out what belongs to one of them. */
async function readNodes(
  db: Pick<Database, "pool">,
  nodes: readonly NodeNewest[],
  { metrics, mountsOf, fromMs, toMs, stepMs }: FleetWindow,
): Promise<(node: NodeNewest) => MetricSegments[]> {
  const nodeIds = nodes.map(({ nodeId }) => nodeId);
  const wanted = metrics.flatMap((metric) => {
    const storage = storageOf(metric.source);
    return storage.kind === "columns" ? [{ metric, storage }] : [];
  });
  const columns = [...new Set(wanted.flatMap(({ storage }) => storage.columns))];
  const mounts = nodes.flatMap((node) =>
    (mountsOf?.(node) ?? []).map((mount) => ({ nodeId: node.nodeId, mount })),
  );
  const [rows, boots, inodes] = await Promise.all([
    readRollups(db, { nodeIds, source: stepMs < HOUR_MS ? "5min" : "1h", columns, fromMs, toMs }),
    listFleetBoots(db, { nodeIds, sinceMs: fromMs - BOOT_BEHIND_MS }),
    readTmpfsInodes(db, { mounts, fromMs, toMs, stepMs }),
  ]);
  const rowsOf = groupBy(rows, ([nodeId]) => nodeId);
  const bootsOf = groupBy(boots, ({ nodeId }) => nodeId);
  const inodesOf = groupBy(inodes, ({ nodeId }) => nodeId);
  return (node) => {
    const ownBoots = bootsOf.get(node.nodeId) ?? [];
    return [
      ...columnSegments(node, rowsOf.get(node.nodeId) ?? [], ownBoots, columns, wanted),
      ...inodeSegments(inodesOf.get(node.nodeId) ?? [], ownBoots),
    ];
  };
}

type ColumnStorage = Extract<MetricStorage, { kind: "columns" }>;

function columnSegments(
  node: NodeNewest,
  rows: readonly RollupRow[],
  boots: readonly FleetBoot[],
  columns: readonly SnapshotColumn[],
  wanted: readonly { metric: Metric; storage: ColumnStorage }[],
): MetricSegments[] {
  const position = new Map(columns.map((column, index) => [column, LEADING + index]));
  const stackOf = stackReader(node, rows, boots, position.get("vmapStack"));
  const needsComposition = wanted.some(({ storage }) => storage.part !== undefined);
  const values = wanted.map(() => new Array<number | null>(rows.length).fill(null));
  rows.forEach((row, point) => {
    const read = (column: SnapshotColumn) =>
      column === "vmapStack" ? stackOf(row) : row[position.get(column) ?? -1];
    const composition = needsComposition ? composeColumns(read, node.kernelRelease) : undefined;
    wanted.forEach(({ storage }, index) => {
      const list = values[index] as (number | null)[];
      list[point] = storage.part
        ? ((composition && storage.part(composition)) ?? null)
        : storage.derive(read, node.kernelRelease);
    });
  });
  const axis = axisOf(
    rows.map(([, timeMs, bootRef]) => ({ timeMs, bootRef })),
    boots,
  );
  const newest = (column: SnapshotColumn) => node.counters[column];
  return wanted.flatMap(({ metric, storage }, index) => {
    const own = values[index] as (number | null)[];
    // Not rolled up yet is something else than never reported: the one has too few points, the other no trend.
    const reported =
      own.some((value) => value !== null) || storage.derive(newest, node.kernelRelease) !== null;
    if (!reported) return [];
    const { unitsPerStep } = scaleOf(metric, memTotalOf(node));
    return [{ metric, segments: segmentsOf(axis, own, boots, unitsPerStep) }];
  });
}

function axisOf(
  points: readonly { timeMs: number; bootRef: number }[],
  boots: readonly FleetBoot[],
): { timesMs: number[]; bootIds: string[] } {
  const bootIds = new Map(boots.map(({ id, bootId }) => [id, bootId]));
  return {
    timesMs: points.map(({ timeMs }) => Math.round(timeMs)),
    bootIds: points.map(({ bootRef }) => bootIds.get(bootRef) ?? `boot ${bootRef}`),
  };
}

/** Where stacks lie is read every quarter of an hour and holds for the whole boot: its other points are told. */
function stackReader(
  node: NodeNewest,
  rows: readonly RollupRow[],
  boots: readonly FleetBoot[],
  position: number | undefined,
): (row: RollupRow) => number | null {
  if (position === undefined) return () => null;
  const known = new Map<number, number>();
  const newest = boots.find(({ bootId }) => bootId === node.bootId);
  if (newest && node.counters.vmapStack !== undefined) known.set(newest.id, node.counters.vmapStack);
  for (const row of rows) {
    const value = row[position];
    if (value != null) known.set(row[2], value);
  }
  return (row) => row[position] ?? known.get(row[2]) ?? null;
}

function inodeSegments(samples: readonly InodeSample[], boots: readonly FleetBoot[]): MetricSegments[] {
  const byMount = groupBy(samples, ({ mount }) => mount);
  return [...byMount].flatMap(([mount, own]) => {
    const metric = parseMetric(`tmpfs.${mount}.inodes`);
    if (metric === undefined) return [];
    const axis = axisOf(
      own.map(({ atMs, bootRef }) => ({ timeMs: atMs, bootRef })),
      boots,
    );
    const values = own.map(({ inodesUsed }) => inodesUsed);
    return [{ metric, segments: segmentsOf(axis, values, boots, 1) }];
  });
}
