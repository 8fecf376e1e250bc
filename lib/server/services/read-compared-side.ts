import type { CompareQuery, SideReach } from "#lib/contracts/compare.ts";
import type { BootSegment } from "#lib/domain/analysis/boot-segments.ts";
import { listAnnotations, type AnnotationRow } from "#lib/server/data/annotations.ts";
import { listBoots, type BootRow, type NodeNewest } from "#lib/server/data/nodes.ts";
import { readSeries } from "#lib/server/data/series.ts";
import { segmentsOf } from "./analyse-metric.ts";
import { named, type SideName } from "./choose-side.ts";
import { METRICS } from "./compared-metrics.ts";
import type { Context } from "./context.ts";
import { findVisibleAnnotation } from "./find-editable-annotation.ts";
import { COMPOSITION_COLUMNS, composeColumns } from "./metric-columns.ts";
import { EFFECT_KINDS, neighboursOf } from "./study-marks.ts";
import { settledMsOf } from "./study-on-node.ts";

/** One node of a side, read and composed. */
export interface ReadNode {
  readonly node: NodeNewest;
  readonly zeroMs: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly rebootsMs: readonly number[];
  /** The mark before, which began its window after its time. */
  readonly startedAt: WindowEnd | undefined;
  /** The mark that ended its window before its time. */
  readonly stoppedAt: WindowEnd | undefined;
  /** Width of a point, and where each begins, on the relative clock. */
  readonly widthMs: number;
  readonly startsMs: readonly number[];
  /** Boots of each metric, by key; times in epoch ms, KiB. */
  readonly boots: ReadonlyMap<string, readonly BootSegment[]>;
  readonly values: ReadonlyMap<string, readonly (number | null)[]>;
}

/** A mark at which a window ends, ms from the mark that is compared at. */
interface WindowEnd {
  readonly awayMs: number;
  readonly title: string;
}

/** The nodes of a side that have samples, and those that have none. */
export interface ReadSide {
  readonly nodes: readonly ReadNode[];
  readonly leftOut: readonly { nodeId: number; name: string; reason: string }[];
}

/** A node, and where its data lie; no span where there is no such boot. */
interface PlacedNode {
  readonly node: NodeNewest;
  readonly span: Span | undefined;
}

/**
 * Reads the nodes of both sides where the query says that their data lie. Means are as wide as suits the shorter side: what
 * both share is not longer than that.
 * @throws AppError `not_found` that names the parameter, for a mark that is not there.
 */
export async function readComparedSides(
  ctx: Context,
  nodes: Record<SideName, readonly NodeNewest[]>,
  reach: Record<SideName, SideReach>,
  query: CompareQuery,
): Promise<Record<SideName, ReadSide>> {
  const a = await placeNodes(ctx, "a", nodes.a, reach.a, query);
  const b = await placeNodes(ctx, "b", nodes.b, reach.b, query);
  const stepMs = stepOf(Math.min(longestMs(a), longestMs(b)));
  return { a: await readSide(ctx, a, stepMs), b: await readSide(ctx, b, stepMs) };
}

async function placeNodes(
  ctx: Context,
  name: SideName,
  nodes: readonly NodeNewest[],
  reach: SideReach,
  query: CompareQuery,
): Promise<PlacedNode[]> {
  const mark =
    reach.align === "mark"
      ? await named(
          query[`${name}.mark`] === undefined ? "mark" : `${name}.mark`,
          findVisibleAnnotation(ctx, reach.markId),
        )
      : undefined;
  const placed: PlacedNode[] = [];
  for (const node of nodes) placed.push({ node, span: await spanOf(ctx, node, reach, mark) });
  return placed;
}

/** The longest stretch of a side in which there can be samples. */
function longestMs(placed: readonly PlacedNode[]): number {
  return Math.max(
    0,
    ...placed.map(({ node, span }) =>
      span === undefined ? 0 : Math.min(span.toMs, node.atMs) - Math.max(span.fromMs, node.firstSeenAtMs),
    ),
  );
}

async function readSide(ctx: Context, placed: readonly PlacedNode[], stepMs: number): Promise<ReadSide> {
  const nodes: ReadNode[] = [];
  const leftOut: { nodeId: number; name: string; reason: string }[] = [];
  const most = placed.length > 1 ? MOST_POINTS.many : MOST_POINTS.one;
  // One after the other: twenty reads at once would take the pool from everybody else.
  for (const { node, span } of placed) {
    const read = span === undefined ? undefined : await readNode(ctx, node, span, { stepMs, most });
    if (read !== undefined) nodes.push(read);
    else {
      const reason =
        span === undefined ? "no boot began before the end of its window" : "no sample in its window";
      leftOut.push({ nodeId: node.nodeId, name: node.name, reason });
    }
  }
  return { nodes, leftOut };
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
  readonly zeroMs: number;
  /** Only samples of this boot count. */
  readonly bootId?: string;
  readonly boots: readonly BootRow[];
  readonly startedAt?: WindowEnd | undefined;
  readonly stoppedAt?: WindowEnd | undefined;
}

async function spanOf(
  ctx: Context,
  { nodeId }: NodeNewest,
  reach: SideReach,
  mark: AnnotationRow | undefined,
): Promise<Span | undefined> {
  if (reach.align === "boot") {
    const boots = await listBoots(ctx.db, nodeId, 0, reach.toMs);
    const boot = boots.findLast(({ startedAtMs }) => startedAtMs < reach.toMs);
    if (boot === undefined) return undefined;
    const { bootId, startedAtMs, firstAtMs, lastAtMs } = boot;
    // Samples may lie before the start that was reckoned from the first uptime, when a clock was set.
    const fromMs = Math.max(0, Math.min(startedAtMs, firstAtMs));
    const endMs = Math.min(reach.toMs, startedAtMs + reach.afterMs, lastAtMs + NEWEST_BEHIND_MS);
    const toMs = Math.max(fromMs + 1, endMs);
    return { fromMs, toMs, zeroMs: startedAtMs, bootId, boots: [boot] };
  }
  if (reach.align === "mark" && mark !== undefined) {
    const zeroMs = mark.atMs;
    const beginMs = Math.max(0, zeroMs - reach.beforeMs);
    const endMs = zeroMs + reach.afterMs;
    const beside = await neighbouringDeeds(ctx, nodeId, mark, { beginMs, endMs });
    const previous = reach.startsAtPrevious ? beside.previous : undefined;
    const next = reach.stopsAtNext ? beside.next : undefined;
    const fromMs = previous?.atMs ?? beginMs;
    const toMs = next?.atMs ?? endMs;
    return {
      fromMs,
      toMs,
      zeroMs,
      boots: await listBoots(ctx.db, nodeId, fromMs, toMs),
      startedAt: previous && { awayMs: zeroMs - previous.atMs, title: previous.title },
      stoppedAt: next && { awayMs: next.atMs - zeroMs, title: next.title },
    };
  }
  if (reach.align === "mark") return undefined;
  const { fromMs, toMs } = reach;
  return { fromMs, toMs, zeroMs: fromMs, boots: await listBoots(ctx.db, nodeId, fromMs, toMs) };
}

const MOST_DEEDS = 1000;

interface Deed {
  readonly atMs: number;
  readonly title: string;
}

/** What was done on a node last before a mark and next after it, within a window: there the windows of an effect end too. */
async function neighbouringDeeds(
  ctx: Context,
  nodeId: number,
  mark: AnnotationRow,
  { beginMs, endMs }: { beginMs: number; endMs: number },
): Promise<{ previous: Deed | undefined; next: Deed | undefined }> {
  const settledMs = settledMsOf(mark);
  const deeds = await listAnnotations(ctx.db.prisma, {
    fromMs: beginMs,
    toMs: endMs,
    nodeIds: [nodeId],
    kinds: EFFECT_KINDS,
    limit: MOST_DEEDS,
  });
  const neighbours = neighboursOf(mark, deeds);
  const deedAt = (timeMs: number): Deed | undefined => {
    const deed = deeds.find(({ atMs, endsAtMs }) => atMs === timeMs || endsAtMs === timeMs);
    return deed && timeMs > beginMs && timeMs < endMs ? { atMs: timeMs, title: deed.title } : undefined;
  };
  return {
    previous: deedAt(Math.max(...neighbours.filter((timeMs) => timeMs < mark.atMs))),
    next: deedAt(Math.min(...neighbours.filter((timeMs) => timeMs > settledMs))),
  };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MOST_POINTS = { one: 1500, many: 240 } as const;
/** The time of the newest sample of a boot is written once a minute. */
const NEWEST_BEHIND_MS = 2 * MINUTE_MS;
/** Buckets are cut from here on; see readSeries. */
const ORIGIN_MS = Date.UTC(2001, 0, 1);

/** Means of five minutes; of one where the shorter side is at most six hours long, of 15 s where it is half an hour. */
function stepOf(spanMs: number): number {
  if (spanMs > 6 * HOUR_MS) return 5 * MINUTE_MS;
  return spanMs > 30 * MINUTE_MS ? MINUTE_MS : 15_000;
}

async function readNode(
  ctx: Context,
  node: NodeNewest,
  { fromMs, toMs, zeroMs, bootId, boots, startedAt, stoppedAt }: Span,
  { stepMs, most }: { stepMs: number; most: number },
): Promise<ReadNode | undefined> {
  const frame = await readSeries(ctx.db, {
    nodeId: node.nodeId,
    fromMs,
    toMs,
    points: Math.min(most, Math.ceil((toMs - fromMs) / stepMs) + 1),
    columns: COMPOSITION_COLUMNS,
  });
  const kept = frame.timesMs.flatMap((_, point) =>
    bootId === undefined || frame.bootIds[point] === bootId ? [point] : [],
  );
  if (kept.length === 0) return undefined;
  const composed = kept.map((point) =>
    composeColumns((column) => frame.columns[column]?.[point], node.kernelRelease),
  );
  const axis = {
    timesMs: kept.map((point) => frame.timesMs[point] ?? 0),
    bootIds: kept.map((point) => frame.bootIds[point] ?? ""),
  };
  const values = new Map(
    METRICS.map(({ key, pick }) => [
      key,
      composed.map((composition) => (composition === undefined ? null : (pick(composition) ?? null))),
    ]),
  );
  const widthMs = frame.resolution.bucketSeconds * 1000;
  return {
    node,
    zeroMs,
    fromMs,
    toMs,
    startedAt,
    stoppedAt,
    rebootsMs: bootId === undefined ? frame.reboots.map(({ at }) => at - zeroMs) : [],
    widthMs,
    startsMs: axis.timesMs.map(
      (timeMs) => ORIGIN_MS + Math.floor((timeMs - ORIGIN_MS) / widthMs) * widthMs - zeroMs,
    ),
    boots: new Map([...values].map(([key, each]) => [key, segmentsOf(axis, each, boots, 1)])),
    values,
  };
}
