import { z } from "zod";
import { effect, effectList, effectListQuery, effectQuery } from "#lib/contracts/annotation.ts";
import { changePointList, changePointQuery } from "#lib/contracts/change-point.ts";
import { rangeQuery, rowId } from "#lib/contracts/common.ts";
import { decomposition, decompositionQuery } from "#lib/contracts/decomposition.ts";
import { directoryGrowth } from "#lib/contracts/directory.ts";
import { forecastList, forecastQuery } from "#lib/contracts/forecast.ts";
import { correlation, correlationQuery } from "#lib/contracts/correlation.ts";
import { creatorList, creatorListQuery } from "#lib/contracts/creators.ts";
import { nodeList, nodeListQuery, nodeSummary } from "#lib/contracts/node.ts";
import {
  compositionSeries,
  metricList,
  metricSeries,
  metricSeriesQuery,
  pointsQuery,
  slabSeries,
  slabSeriesQuery,
  snapshotAt,
  snapshotAtQuery,
} from "#lib/contracts/series.ts";
import { slabGrowth } from "#lib/contracts/slab.ts";
import { trend, trendQuery } from "#lib/contracts/trend.ts";
import { LARGEST_CACHES } from "#lib/domain/snapshot/choose-caches.ts";
import { getComposition } from "#lib/server/services/get-composition.ts";
import { getCorrelation } from "#lib/server/services/get-correlation.ts";
import { getDecomposition } from "#lib/server/services/get-decomposition.ts";
import { getDirectoryGrowth } from "#lib/server/services/get-directory-growth.ts";
import { getEffect } from "#lib/server/services/get-effect.ts";
import { getSeries } from "#lib/server/services/get-series.ts";
import { getSlabGrowth } from "#lib/server/services/get-slab-growth.ts";
import { getSlabSeries } from "#lib/server/services/get-slab-series.ts";
import { getSnapshotAt } from "#lib/server/services/get-snapshot-at.ts";
import { getTrend } from "#lib/server/services/get-trend.ts";
import { listChangePoints } from "#lib/server/services/list-change-points.ts";
import { listCreators } from "#lib/server/services/list-creators.ts";
import { listEffects } from "#lib/server/services/list-effects.ts";
import { listForecasts } from "#lib/server/services/list-forecasts.ts";
import { listMetrics } from "#lib/server/services/list-metrics.ts";
import { getNode, listNodes } from "#lib/server/services/list-nodes.ts";
import { defineRoute } from "../define-route.ts";
import { readDuration, readRange, readTime, readZone } from "../range.ts";

const access = { role: "viewer", scope: "read" } as const;
const params = z.strictObject({ nodeId: rowId });

export const listNodesRoute = defineRoute({
  method: "GET",
  path: "/api/v1/nodes",
  access,
  summary: "The fleet: newest state, trend and verdict of each node",
  query: nodeListQuery,
  response: nodeList,
  handler: async ({ ctx, runtime: { silentAfterMs }, query }) =>
    listNodes({ ctx, input: { ...query, silentAfterMs } }),
});

export const getNodeRoute = defineRoute({
  method: "GET",
  path: "/api/v1/nodes/{nodeId}",
  access,
  summary: "One node",
  params,
  response: nodeSummary,
  handler: async ({ ctx, runtime: { silentAfterMs }, params: { nodeId } }) =>
    getNode({ ctx, input: { nodeId, silentAfterMs } }),
});

export const listMetricsRoute = defineRoute({
  method: "GET",
  path: "/api/v1/metrics",
  access,
  summary: "Names, units and kinds of all series",
  response: metricList,
  handler: async () => listMetrics(),
});

export const getCompositionRoute = defineRoute({
  method: "GET",
  path: "/api/v1/nodes/{nodeId}/composition",
  access,
  summary: "How the memory of a node was composed over time",
  description:
    "At each time the bands add up to totalKib. Means over identical buckets; none crosses a reboot.",
  params,
  query: pointsQuery,
  response: compositionSeries,
  handler: async ({ ctx, params: { nodeId }, query }) =>
    getComposition({ ctx, input: { nodeId, ...readRange(query, ctx.now()), points: query.points } }),
});

export const getSeriesRoute = defineRoute({
  method: "GET",
  path: "/api/v1/nodes/{nodeId}/series",
  access,
  summary: "Any metrics of a node over time",
  description: "metric may be repeated. min and max of each bucket where they are kept.",
  params,
  query: metricSeriesQuery,
  response: metricSeries,
  handler: async ({ ctx, params: { nodeId }, query }) =>
    getSeries({
      ctx,
      input: { nodeId, ...readRange(query, ctx.now()), points: query.points, metrics: query.metric },
    }),
});

export const getSlabRoute = defineRoute({
  method: "GET",
  path: "/api/v1/nodes/{nodeId}/slab",
  access,
  summary: "The slab caches that are largest or changed most in a window",
  params,
  query: slabSeriesQuery,
  response: slabSeries,
  handler: async ({ ctx, params: { nodeId }, query }) =>
    getSlabSeries({
      ctx,
      input: { nodeId, ...readRange(query, ctx.now()), points: query.points, limit: query.limit },
    }),
});

export const getSlabGrowthRoute = defineRoute({
  method: "GET",
  path: "/api/v1/nodes/{nodeId}/slab/growth",
  access,
  summary: "The slab caches that a node sends: how each stands, and how it grew over a window",
  description: `A collector sends the ${LARGEST_CACHES} largest caches and those that signatures need, not all of /proc/slabinfo; unsentKib is what the others sum up to. Slopes with 95 % interval, the verdict held against all caches together. Shares of the growth of SUnreclaim or SReclaimable only where that grew significantly.`,
  params,
  query: rangeQuery,
  response: slabGrowth,
  handler: async ({ ctx, params: { nodeId }, query }) =>
    getSlabGrowth({ ctx, input: { nodeId, ...readRange(query, ctx.now()) } }),
});

export const getDirectoryGrowthRoute = defineRoute({
  method: "GET",
  path: "/api/v1/nodes/{nodeId}/directories",
  access,
  summary: "Watched directories and tmpfs mounts: how full, how fast they grow, when inodes run out",
  params,
  query: rangeQuery,
  response: directoryGrowth,
  handler: async ({ ctx, params: { nodeId }, query }) =>
    getDirectoryGrowth({ ctx, input: { nodeId, ...readRange(query, ctx.now()) } }),
});

export const getSnapshotRoute = defineRoute({
  method: "GET",
  path: "/api/v1/nodes/{nodeId}/snapshot",
  access,
  summary: "Everything a node reported at or before a moment",
  params,
  query: snapshotAtQuery,
  response: snapshotAt,
  handler: async ({ ctx, params: { nodeId }, query }) =>
    getSnapshotAt({ ctx, input: { nodeId, atMs: readTime("at", query.at, query.timezone, ctx.now()) } }),
});

export const getTrendRoute = defineRoute({
  method: "GET",
  path: "/api/v1/nodes/{nodeId}/trend",
  access,
  summary: "Slope of a metric with its interval, verdict, and when the node runs out",
  params,
  query: trendQuery,
  response: trend,
  handler: async ({ ctx, params: { nodeId }, query }) =>
    getTrend({ ctx, input: { nodeId, metric: query.metric, ...readRange(query, ctx.now()) } }),
});

export const getCorrelationRoute = defineRoute({
  method: "GET",
  path: "/api/v1/nodes/{nodeId}/correlation",
  access,
  summary: "What each container leaves behind: growth of a metric against creation of containers",
  description: "window is the width of the windows of the scatter. Null is what the data cannot say.",
  params,
  query: correlationQuery,
  response: correlation,
  handler: async ({ ctx, params: { nodeId }, query }) =>
    getCorrelation({
      ctx,
      input: {
        nodeId,
        metric: query.metric,
        driver: query.driver,
        ...readRange(query, ctx.now()),
        windowMs: query.window === undefined ? undefined : readDuration("window", query.window),
      },
    }),
});

export const listCreatorsRoute = defineRoute({
  method: "GET",
  path: "/api/v1/nodes/{nodeId}/creators",
  access,
  summary: "Who creates containers: new cgroups by pod or path, with rate and share",
  description:
    "Each metric is a series and may be the driver of the correlation. seen of made: what came and went between two looks has no creator.",
  params,
  query: creatorListQuery,
  response: creatorList,
  handler: async ({ ctx, params: { nodeId }, query }) =>
    listCreators({ ctx, input: { nodeId, ...readRange(query, ctx.now()), limit: query.limit } }),
});

export const listForecastsRoute = defineRoute({
  method: "GET",
  path: "/api/v1/nodes/{nodeId}/forecast",
  access,
  summary: "Trends of a window as lines with bands, and where they lead: what runs out, when",
  description:
    "metric may be repeated; without it memory, memory-cgroup ids and tmpfs inodes. No forecast without significant growth: silentBecause says why.",
  params,
  query: forecastQuery,
  response: forecastList,
  handler: async ({ ctx, params: { nodeId }, query }) =>
    listForecasts({
      ctx,
      input: {
        nodeId,
        metrics: query.metric,
        ...readRange(query, ctx.now()),
        zone: readZone(query.timezone),
      },
    }),
});

export const listChangePointsRoute = defineRoute({
  method: "GET",
  path: "/api/v1/nodes/{nodeId}/changepoints",
  access,
  summary: "When the slope of a metric changed, and which marks stand near",
  description: "Each boot by itself, without its first 2 h. A step of the level is no change of slope.",
  params,
  query: changePointQuery,
  response: changePointList,
  handler: async ({ ctx, params: { nodeId }, query }) =>
    listChangePoints({
      ctx,
      input: {
        nodeId,
        metric: query.metric,
        ...readRange(query, ctx.now()),
        zone: readZone(query.timezone),
      },
    }),
});

export const getDecompositionRoute = defineRoute({
  method: "GET",
  path: "/api/v1/nodes/{nodeId}/decomposition",
  access,
  summary: "What the growth of unreclaimable kernel memory is made of: bands, and slab caches",
  description: "Slopes of parts sum to that of the whole. Shares only where the whole grew significantly.",
  params,
  query: decompositionQuery,
  response: decomposition,
  handler: async ({ ctx, params: { nodeId }, query }) =>
    getDecomposition({ ctx, input: { nodeId, ...readRange(query, ctx.now()) } }),
});

export const listEffectsRoute = defineRoute({
  method: "GET",
  path: "/api/v1/nodes/{nodeId}/effects",
  access,
  summary: "What each deed in a window did to a metric",
  params,
  query: effectListQuery,
  response: effectList,
  handler: async ({ ctx, runtime: { silentAfterMs }, params: { nodeId }, query }) =>
    listEffects({
      ctx,
      input: {
        nodeId,
        metric: query.metric,
        ...readRange(query, ctx.now()),
        beforeMs: readDuration("before", query.before),
        afterMs: readDuration("after", query.after),
        zone: readZone(query.timezone),
        silentAfterMs,
      },
    }),
});

export const getEffectRoute = defineRoute({
  method: "GET",
  path: "/api/v1/nodes/{nodeId}/effects/{annotationId}",
  access,
  summary: "What one mark did to a metric, against nodes that were left alone",
  params: z.strictObject({ nodeId: rowId, annotationId: rowId }),
  query: effectQuery,
  response: effect,
  handler: async ({ ctx, runtime: { silentAfterMs }, params, query }) =>
    getEffect({
      ctx,
      input: {
        ...params,
        metric: query.metric,
        beforeMs: readDuration("before", query.before),
        afterMs: readDuration("after", query.after),
        zone: readZone(query.timezone),
        silentAfterMs,
      },
    }),
});
