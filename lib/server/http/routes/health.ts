import { liveness, readiness, readinessQuery } from "#lib/contracts/health.ts";
import { checkReadiness } from "#lib/server/services/check-readiness.ts";
import { defineRoute, Reply } from "../define-route.ts";

export const livezRoute = defineRoute({
  method: "GET",
  path: "/livez",
  access: "public",
  summary: "The process answers",
  response: liveness,
  handler: async () => ({ status: "live" as const }),
});

export const readyzRoute = defineRoute({
  method: "GET",
  path: "/readyz",
  access: "public",
  summary: "The database answers and has the schema of this program",
  query: readinessQuery,
  response: readiness,
  otherStatuses: { 503: "Not ready" },
  handler: async ({ ctx, query }) => {
    const { status, checks } = await checkReadiness({ ctx });
    const body = query.verbose === undefined ? { status } : { status, checks };
    return new Reply(body, status === "ready" ? 200 : 503);
  },
});
