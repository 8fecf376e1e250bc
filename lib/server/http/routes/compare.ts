import { comparison, compareQuery } from "#lib/contracts/compare.ts";
import { compareSides } from "#lib/server/services/compare-sides.ts";
import { defineRoute } from "../define-route.ts";

export const compareRoute = defineRoute({
  method: "GET",
  path: "/api/v1/compare",
  access: { role: "viewer", scope: "read" },
  summary: "Two sides on one relative clock, and how they differ by band",
  description:
    "Each side is one node, several nodes or a cohort. The clock begins with each side's window (align=time), with a boot " +
    "(align=boot: the newest that began before to, for as long as after) or with a mark (align=mark: before and after it; the " +
    "differences are of what came after). a.from, a.to, b.from, b.to, a.mark and b.mark hold for one side. " +
    "Differences are side B less side A over the stretch that both have samples of, with 95 % intervals: of two nodes from " +
    "the noise of both series, of cohorts from the spread between nodes. At most 20 nodes of a side are read.",
  query: compareQuery,
  response: comparison,
  queryNamesThings: true,
  handler: async ({ ctx, query }) => compareSides({ ctx, input: query }),
});
