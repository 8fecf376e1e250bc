import { cohortComparison, cohortQuery } from "#lib/contracts/cohort.ts";
import { compareCohorts } from "#lib/server/services/compare-cohorts.ts";
import { defineRoute } from "../define-route.ts";

export const compareCohortsRoute = defineRoute({
  method: "GET",
  path: "/api/v1/cohorts",
  access: { role: "viewer", scope: "read" },
  summary: "What leaking nodes have in common: kernel, runtime, labels",
  description:
    "Attributes by how well they separate leaking nodes from healthy ones; with attribute also its nodes by value, each value against all others.",
  query: cohortQuery,
  response: cohortComparison,
  handler: async ({ ctx, query }) => compareCohorts({ ctx, input: query }),
});
