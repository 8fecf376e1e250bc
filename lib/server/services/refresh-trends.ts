import { setImmediate as nextTurn } from "node:timers/promises";
import { dailyRange, knownDailyRange, knownDailyRanges } from "#lib/domain/analysis/daily-range.ts";
import {
  HEADLINE_METRICS,
  TREND_WINDOW_SHAPE,
  type TrendWindow,
} from "#lib/domain/analysis/trend-windows.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import { readDailyRanges, writeDailyRanges, type DailyRangeRow } from "#lib/server/data/daily-ranges.ts";
import {
  forgetNodeTrends,
  readNodeTrends,
  writeNodeTrends,
  type NodeTrendToStore,
} from "#lib/server/data/node-trends.ts";
import { listNodesNewest, type NodeNewest } from "#lib/server/data/nodes.ts";
import { describeTrend, fullestMounts } from "./analyse-metric.ts";
import type { Context } from "./context.ts";
import { groupBy } from "./group-by.ts";
import { confirmFleet, estimateFleet, type FleetEstimate } from "./estimate-fleet.ts";
import { requireMetric } from "./get-series.ts";

/** The window whose series the daily ranges are computed from. */
const RANGE_WINDOW: TrendWindow = "7d";

/** Labels that say what kind of machine a node is; peers are nodes of one kind in one cluster. */
const INSTANCE_LABELS = [
  "node.kubernetes.io/instance-type",
  "beta.kubernetes.io/instance-type",
  "instance-type",
];

/** Rows made ready for storing before it gives way. */
const ROWS_AT_ONCE = 200;

type Estimated = Omit<FleetEstimate, "segments">;

/**
 * Computes the trends of the headline metrics of every node over one window and stores them. *Leaking* is confirmed over
 * the whole fleet, metric by metric: among many nodes some look as if they leaked by chance. Nodes that were not heard of
 * in that time keep what they had. The longest window also brings the daily ranges up to date. Harmless when run twice at
 * once.
 * @param input.nodeIds only these; the others of the fleet count with the p values that they have.
 * @returns how many nodes, and how many trends of them, were stored.
 */
export async function refreshTrends({
  ctx,
  input: { window, nodeIds },
}: {
  ctx: Context;
  input: { window: TrendWindow; nodeIds?: readonly number[] };
}): Promise<{ nodes: number; trends: number }> {
  const nowMs = ctx.now();
  const { spanMs, stepMs } = TREND_WINDOW_SHAPE[window];
  const only = nodeIds && new Set(nodeIds);
  const nodes = (await listNodesNewest(ctx.db)).filter(
    ({ nodeId, atMs }) => atMs > nowMs - spanMs && (only?.has(nodeId) ?? true),
  );
  const known = new Map(
    (await readDailyRanges(ctx.db, only ? { nodeIds: [...only] } : {})).map((row) => [
      `${row.nodeId} ${row.metric}`,
      knownDailyRange(row),
    ]),
  );
  const estimated: Estimated[] = [];
  const ranges: Omit<DailyRangeRow, "known">[] = [];
  const estimates = estimateFleet(ctx.db, {
    nodes,
    metrics: HEADLINE_METRICS.map(requireMetric),
    mountsOf: fullestMounts,
    fromMs: nowMs - spanMs,
    toMs: nowMs,
    stepMs,
    dailyRangeOf: (nodeId, metric) => known.get(`${nodeId} ${metric}`),
  });
  for await (const { segments, ...rest } of estimates) {
    estimated.push(rest);
    if (window !== RANGE_WINDOW) continue;
    const { trend, window: own } = rest;
    const { days, range } = isInsufficient(trend)
      ? { days: 0, range: undefined }
      : dailyRange(segments, trend.slopePerHour);
    ranges.push({ nodeId: own.node.nodeId, metric: own.metric.key, days, own: range ?? null });
  }
  await storeTrends(ctx, { estimated, window, nowMs, only });
  await forgetNodeTrends(ctx.db, { nodeIds: nodes.map(({ nodeId }) => nodeId), window, beforeMs: nowMs });
  if (only === undefined && window === RANGE_WINDOW) {
    await writeDailyRanges(ctx.db, withPeers(ranges, nodes), nowMs);
  }
  return { nodes: nodes.length, trends: estimated.length };
}

async function storeTrends(
  ctx: Context,
  {
    estimated,
    window,
    nowMs,
    only,
  }: {
    estimated: readonly Estimated[];
    window: TrendWindow;
    nowMs: number;
    only: ReadonlySet<number> | undefined;
  },
): Promise<void> {
  const byMetric = groupBy(estimated, ({ window: { metric } }) => metric.key);
  for (const [metric, family] of byMetric) {
    const others =
      only === undefined
        ? []
        : (await readNodeTrends(ctx.db, { metric, window })).flatMap(({ nodeId, pValue }) =>
            only.has(nodeId) || pValue === null ? [] : [pValue],
          );
    const confirmed = confirmFleet(family, others);
    for (let first = 0; first < confirmed.length; first += ROWS_AT_ONCE) {
      const trends = confirmed.slice(first, first + ROWS_AT_ONCE).map(toStore);
      await writeNodeTrends(ctx.db, { trends, window, nowMs });
      await nextTurn();
    }
  }
}

function toStore({ window, trend }: Estimated): NodeTrendToStore {
  const answer = describeTrend(trend, window);
  const { verdict, slopePerHour, ci95, pValue, n, exhaustion } = answer;
  return {
    nodeId: window.node.nodeId,
    metric: window.metric.key,
    verdict,
    slopePerHour,
    lower: ci95?.[0] ?? null,
    upper: ci95?.[1] ?? null,
    pValue,
    n,
    exhaustion: exhaustion && {
      what: exhaustion.what,
      atMs: exhaustion.at,
      fromMs: exhaustion.ci95[0],
      toMs: exhaustion.ci95[1],
    },
    answer,
  };
}

function withPeers(
  ranges: readonly Omit<DailyRangeRow, "known">[],
  nodes: readonly NodeNewest[],
): DailyRangeRow[] {
  const kindOf = new Map(
    nodes.map(({ nodeId, clusterId, labels }) => {
      const instance = INSTANCE_LABELS.flatMap((label) => labels[label] ?? [])[0];
      return [nodeId, JSON.stringify([clusterId, instance])];
    }),
  );
  const known = knownDailyRanges(
    ranges.map(({ nodeId, metric, own }) => ({
      group: `${metric} ${kindOf.get(nodeId) ?? ""}`,
      range: own ?? undefined,
    })),
  );
  return ranges.map((row, index) => ({ ...row, known: known[index] ?? null }));
}
