import { z } from "zod";
import { findingState } from "#lib/contracts/finding.ts";
import { countFindings } from "#lib/server/services/list-findings.ts";
import { listNodes } from "#lib/server/services/list-nodes.ts";
import { defineRoute } from "../define-route.ts";
import { renderMetrics } from "../metrics.ts";

/** Nodes whose gauges one scrape holds. */
const MAX_NODES = 10_000;

export const metricsRoute = defineRoute({
  method: "GET",
  path: "/metrics",
  access: { role: "viewer", scope: "read" },
  summary: "Metrics of the server, and kernel memory and verdict of each node, for Prometheus",
  response: z.string(),
  contentType: "text/plain; version=0.0.4; charset=utf-8",
  handler: async ({ ctx, runtime: { silentAfterMs } }) => {
    const [{ nodes }, signatures] = await Promise.all([
      listNodes({
        ctx,
        input: { sort: "name", order: "asc", page: 1, pageSize: MAX_NODES, silentAfterMs },
      }),
      countFindings({ ctx, input: { states: findingState.options } }),
    ]);
    return renderMetrics(nodes, signatures);
  },
});
