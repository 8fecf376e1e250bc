import { fleetRanking, fleetRankingQuery } from "#lib/contracts/ranking.ts";
import { AppError } from "#lib/errors.ts";
import { rankFleet } from "#lib/server/services/rank-fleet.ts";
import { defineRoute } from "../define-route.ts";
import { readRange } from "../range.ts";

export const rankFleetRoute = defineRoute({
  method: "GET",
  path: "/api/v1/fleet/ranking",
  access: { role: "viewer", scope: "read" },
  summary: "Nodes in order of growth or of the time left, and which to drain first",
  description:
    "Over a kept window (6h, 24h, 7d) from stored trends. With from or to the trends of that range are computed, " +
    "which takes seconds for a large fleet.",
  query: fleetRankingQuery,
  response: fleetRanking,
  handler: async ({ ctx, runtime: { silentAfterMs }, query: { from, to, timezone, ...query } }) => {
    const asked = from !== undefined || to !== undefined;
    if (asked && query.window !== undefined) {
      const message = "expected either a window or a range";
      throw new AppError("invalid", `The query is wrong at window: ${message}.`, {
        issues: [{ path: "window", message }],
      });
    }
    const range = asked
      ? readRange({ from: from ?? "now-24h", to: to ?? "now", timezone }, ctx.now())
      : undefined;
    return rankFleet({ ctx, input: { ...query, range, silentAfterMs } });
  },
});
