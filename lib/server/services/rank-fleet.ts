import { knownDailyRange } from "#lib/domain/analysis/daily-range.ts";
import type { FleetRanking, FleetRankingQuery, RankedNode } from "#lib/contracts/ranking.ts";
import {
  compareLeaks,
  compareTimeLeft,
  drainSentence,
  noNodeInCluster,
} from "#lib/domain/analysis/ranking.ts";
import { TREND_WINDOW_SHAPE, type TrendWindow } from "#lib/domain/analysis/trend-windows.ts";
import type { Metric } from "#lib/domain/memory/metrics.ts";
import { AppError } from "#lib/errors.ts";
import { readDailyRanges } from "#lib/server/data/daily-ranges.ts";
import { readNodeTrends } from "#lib/server/data/node-trends.ts";
import { listNodesHeard, listNodesNewest, type NodeHeard } from "#lib/server/data/nodes.ts";
import { describeTrend, fullestMounts, reachesNewest } from "./analyse-metric.ts";
import type { Context } from "./context.ts";
import { confirmFleet, estimateFleet, type FleetEstimate } from "./estimate-fleet.ts";
import { requireMetric } from "./get-series.ts";
import { groupBy } from "./group-by.ts";
import { storageOf } from "./metric-columns.ts";
import { mayBeSeenBy } from "./resolve-scope.ts";
import {
  DEFAULT_RANKING,
  ENDING_METRICS,
  readTimeLeft,
  requireStoredMetric,
  timeLeftOf,
} from "./stored-trends.ts";

const HOUR_MS = 3_600_000;
/** Up to here points are five minutes apart, beyond an hour: 576 and 744 at most. */
const FINE_UP_TO_MS = 48 * HOUR_MS;
const LONGEST_MS = 31 * 24 * HOUR_MS;

type Standing = Pick<
  RankedNode,
  "verdict" | "slopePerHour" | "ci95" | "pValue" | "n" | "computedAt" | "timeLeft"
>;

/** `isPast`: the window ends before the newest sample of the node, so it says nothing of what comes. */
type OwnStanding = Standing & { readonly isPast?: boolean };

/**
 * The fleet in order of growth or of the time left. Over a kept window from stored trends; over any other from roll-ups, which
 * takes seconds for a large fleet. Either way the time left is of whatever runs out, not of the one metric.
 * @throws AppError `invalid` for a metric that is not kept, or cannot be computed over a fleet, and for a range beyond 31 days.
 */
export async function rankFleet({
  ctx,
  input,
}: {
  ctx: Context;
  input: Pick<FleetRankingQuery, "metric" | "window" | "sort" | "cluster" | "limit"> & {
    range?: { fromMs: number; toMs: number } | undefined;
    silentAfterMs: number;
  };
}): Promise<FleetRanking> {
  const nowMs = ctx.now();
  const { sort, limit, range, cluster } = input;
  const window = input.window ?? DEFAULT_RANKING.window;
  const metric = range ? requireRolledUpMetric(input.metric) : requireStoredMetric(input.metric);
  const isVisible = mayBeSeenBy(ctx);
  const isWanted = (node: NodeHeard) =>
    isVisible(node) && (cluster === undefined || node.cluster === cluster);
  const nodes = (await listNodesHeard(ctx.db)).filter(isWanted);
  const standings = range
    ? await recompute(ctx, { metric, isWanted, ...range })
    : await readStored(ctx, { metric, window });
  const toMs = range?.toMs ?? newestOf(standings) ?? nowMs;
  const ranked = nodes
    .map((node) => ({
      node,
      silent: nowMs - node.receivedAtMs > input.silentAfterMs,
      standing: standings.get(node.nodeId) ?? NOTHING_KNOWN,
    }))
    .sort((a, b) => compareStandings(a.standing, b.standing, sort));
  const ending = ranked
    .flatMap(({ node, silent, standing: { timeLeft } }) => {
      const end = timeLeft?.[0];
      return end === undefined
        ? []
        : [
            {
              ...node,
              silent,
              ending: {
                what: end.what,
                atMs: end.at,
                ci95: [end.ci95[0], end.ci95[1] ?? undefined] as const,
                sinceMs: end.since,
              },
            },
          ];
    })
    .sort((a, b) => a.ending.atMs - b.ending.atMs);
  const asked = ranked.filter(({ silent }) => !silent).map(({ standing }) => standing);
  const drain = {
    reporting: ending.filter(({ silent }) => !silent),
    silent: ending.filter(({ silent }) => silent),
    past: asked.filter(({ isPast }) => isPast === true).length,
    unjudged: asked.filter(({ verdict, timeLeft }) => verdict === "insufficient" && timeLeft === null).length,
    asked: asked.length,
  };
  const over = range ? "the range asked for" : window;
  return {
    metric: metric.key,
    unit: metric.unit,
    window: range ? null : window,
    from: range?.fromMs ?? toMs - TREND_WINDOW_SHAPE[window].spanMs,
    to: toMs,
    source: range ? "recomputed" : "stored",
    sorted: {
      by: sort,
      text:
        sort === "leaks"
          ? `By verdict, leaking nodes first, then by the lower end of the 95 % interval of the growth of ${metric.label} over ${over}.`
          : `By the time left until something runs out, by trends over ${over}; nodes with no end last.`,
    },
    nodes: ranked.slice(0, limit).map(({ node, silent, standing: { isPast: _, ...standing } }, index) => ({
      rank: index + 1,
      nodeId: node.nodeId,
      cluster: node.cluster,
      name: node.name,
      silent,
      ...standing,
    })),
    total: ranked.length,
    drain: {
      text: ranked.length === 0 ? noNodeText(cluster) : drainSentence(drain, nowMs),
      nodeIds: drain.reporting.map(({ nodeId }) => nodeId),
    },
  };
}

function noNodeText(cluster: string | undefined): string {
  return cluster === undefined
    ? "There is no node to rank: none has reported yet."
    : noNodeInCluster(cluster);
}

/** When the worker was last through; nodes that were silent then keep older trends. */
function newestOf(standings: ReadonlyMap<number, Standing>): number | undefined {
  const moments = [...standings.values()].flatMap(({ computedAt }) => computedAt ?? []);
  return moments.length === 0 ? undefined : moments.reduce((newest, each) => Math.max(newest, each));
}

const NOTHING_KNOWN: OwnStanding = {
  verdict: "insufficient",
  slopePerHour: null,
  ci95: null,
  pValue: null,
  n: 0,
  computedAt: null,
  timeLeft: null,
};

function compareStandings(a: Standing, b: Standing, sort: FleetRankingQuery["sort"]): number {
  const sooner = sort === "timeLeft" ? compareTimeLeft(a.timeLeft?.[0]?.at, b.timeLeft?.[0]?.at) : 0;
  return sooner || compareLeaks(a, b);
}

async function readStored(
  ctx: Context,
  { metric, window }: { metric: Metric; window: TrendWindow },
): Promise<Map<number, OwnStanding>> {
  const [trends, ends] = await Promise.all([
    readNodeTrends(ctx.db, { metric: metric.key, window }),
    readTimeLeft(ctx.db, window),
  ]);
  const standings = new Map<number, OwnStanding>(
    trends.map(({ nodeId, computedAtMs, lower, upper, exhaustion: _exhaustion, ...trend }) => [
      nodeId,
      {
        ...trend,
        ci95: lower === null || upper === null ? null : [lower, upper],
        computedAt: computedAtMs,
        timeLeft: ends.get(nodeId) ?? null,
      },
    ]),
  );
  // A node may lack the metric and yet run out of something else.
  for (const [nodeId, timeLeft] of ends) {
    if (!standings.has(nodeId)) standings.set(nodeId, { ...NOTHING_KNOWN, timeLeft });
  }
  return standings;
}

/** One at a time in a process: each is seconds of computing and 14,000 rows in memory. */
let turn: Promise<unknown> = Promise.resolve();
let waiting = 0;
const MOST_WAITING = 4;

async function recompute(
  ctx: Context,
  request: { metric: Metric; isWanted: (node: NodeHeard) => boolean; fromMs: number; toMs: number },
): Promise<Map<number, OwnStanding>> {
  if (request.toMs - request.fromMs > LONGEST_MS) {
    const message = "expected a range of at most 31 days";
    throw new AppError("invalid", `A fleet is not ranked over so long a range: ${message}.`, {
      issues: [{ path: "from", message }],
    });
  }
  if (waiting === MOST_WAITING) {
    throw new AppError(
      "rate_limited",
      "The fleet is being ranked for others; the same request may succeed later.",
      {
        retryAfterSeconds: 10,
      },
    );
  }
  waiting += 1;
  const mine = turn.then(() => recomputeNow(ctx, request));
  turn = mine
    .catch(() => undefined)
    .finally(() => {
      waiting -= 1;
    });
  return mine;
}

async function recomputeNow(
  ctx: Context,
  {
    metric,
    isWanted,
    fromMs,
    toMs,
  }: { metric: Metric; isWanted: (node: NodeHeard) => boolean; fromMs: number; toMs: number },
): Promise<Map<number, OwnStanding>> {
  const [all, ranges] = await Promise.all([listNodesNewest(ctx.db), readDailyRanges(ctx.db)]);
  const known = new Map(ranges.map((row) => [`${row.nodeId} ${row.metric}`, knownDailyRange(row)]));
  const metrics = [...new Set([metric.key, ...ENDING_METRICS])].map(requireMetric);
  const estimates: Omit<FleetEstimate, "segments">[] = [];
  const stepMs = toMs - fromMs <= FINE_UP_TO_MS ? HOUR_MS / 12 : HOUR_MS;
  for await (const { window, trend } of estimateFleet(ctx.db, {
    nodes: all.filter(isWanted),
    metrics,
    mountsOf: fullestMounts,
    fromMs,
    toMs,
    stepMs,
    dailyRangeOf: (nodeId, each) => known.get(`${nodeId} ${each}`),
  })) {
    estimates.push({ window, trend });
  }
  const computedAt = ctx.now();
  const judged = [...groupBy(estimates, ({ window }) => window.metric.key).values()].flatMap((family) =>
    confirmFleet(family).map(({ window, trend }) => ({ window, answer: describeTrend(trend, window) })),
  );
  const ends = timeLeftOf(
    judged.flatMap(({ window, answer: { exhaustion: end } }) =>
      end === null ? [] : [{ nodeId: window.node.nodeId, metric: window.metric.key, end }],
    ),
  );
  const own = new Map(
    judged.flatMap(({ window, answer }) =>
      window.metric.key === metric.key ? [[window.node.nodeId, answer] as const] : [],
    ),
  );
  return new Map(
    all.filter(isWanted).map((node) => {
      const { verdict, slopePerHour, ci95, pValue, n } = own.get(node.nodeId) ?? NOTHING_KNOWN;
      return [
        node.nodeId,
        {
          ...{ verdict, slopePerHour, ci95, pValue, n },
          computedAt: own.has(node.nodeId) ? computedAt : null,
          timeLeft: ends.get(node.nodeId) ?? null,
          isPast: !reachesNewest({ node, fromMs, toMs }),
        },
      ];
    }),
  );
}

function requireRolledUpMetric(name: string): Metric {
  const metric = requireMetric(name);
  if (storageOf(metric.source).kind === "columns") return metric;
  const message =
    "expected a metric that is rolled up: bands, totals, memory cgroups, containers, main counters";
  throw new AppError("invalid", `${metric.key} cannot be computed over a fleet: ${message}.`, {
    issues: [{ path: "metric", message }],
  });
}
