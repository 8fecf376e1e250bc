import type { Config } from "#lib/server/config.ts";
import type { Database } from "#lib/server/data/client.ts";
import { callWorker, IMPORT_TASK } from "#lib/server/data/worker-queue.ts";
import type { Context } from "#lib/server/services/context.ts";
import { deleteEndedSignIns } from "#lib/server/services/delete-ended-sign-ins.ts";
import { dropExpiredPartitions } from "#lib/server/services/drop-expired-partitions.ts";
import { ensurePartitions } from "#lib/server/services/ensure-partitions.ts";
import { extendSimulatedFleet } from "#lib/server/services/extend-simulated-fleet.ts";
import { findFindings } from "#lib/server/services/find-findings.ts";
import { followExperiments } from "#lib/server/services/follow-experiments.ts";
import { logInvestigationEvents } from "#lib/server/services/log-investigation-events.ts";
import { markSilentCollectors } from "#lib/server/services/mark-silent-collectors.ts";
import { refreshNewNodes } from "#lib/server/services/refresh-new-nodes.ts";
import { refreshOutlooks } from "#lib/server/services/refresh-outlooks.ts";
import { TREND_WINDOWS, type TrendWindow } from "#lib/domain/analysis/trend-windows.ts";
import { refreshTrends } from "#lib/server/services/refresh-trends.ts";
import { rollUpDirtyBuckets } from "#lib/server/services/roll-up-dirty-buckets.ts";
import { runImport } from "#lib/server/services/run-import.ts";
import { settleScrapes } from "#lib/server/services/settle-scrapes.ts";
import type { ScheduledTask } from "./run-schedule.ts";

/** How often the trends over each window are computed anew: a twelfth to a seventieth of the window. */
const TRENDS_AT: Readonly<Record<TrendWindow, string>> = {
  "6h": "*/5 * * * *",
  "24h": "*/15 * * * *",
  "7d": "13 * * * *",
};

/** Some ten seconds of work; at two minutes a round a fleet of 4,000 nodes is read within the hour. */
const NODES_DIAGNOSED_AT_ONCE = 150;

/** An import goes on in slices, one after the other, so that a stop of the worker finds it between two of them. */
const IMPORT_SLICE_MS = 50_000;

/**
 * What the worker does, and when (UTC). The order is that of the first round after a start.
 * @param upSinceMs since when this server has been up, epoch milliseconds.
 */
export function workerTasks(db: Database, config: Config, upSinceMs: number): ScheduledTask[] {
  const contextOf = (now: () => number): Context => ({ db, actor: { kind: "system", name: "worker" }, now });
  const task = (
    name: string,
    cron: string,
    act: (ctx: Context) => Promise<unknown>,
    lane: ScheduledTask["lane"] = "upkeep",
  ): ScheduledTask => ({
    name,
    cron,
    lane,
    run: async (now) => {
      await act(contextOf(now));
    },
  });
  return [
    ...(config.demo === undefined
      ? []
      : [task("extend-simulated-fleet", "* * * * *", async (ctx) => extendSimulatedFleet({ ctx }))]),
    task("ensure-partitions", "7 * * * *", async (ctx) => ensurePartitions({ ctx, input: {} })),
    task("roll-up-dirty-buckets", "* * * * *", async (ctx) => rollUpDirtyBuckets({ ctx, input: {} })),
    task("settle-scrapes", "* * * * *", async (ctx) => settleScrapes({ ctx })),
    task("refresh-outlooks", "*/5 * * * *", async (ctx) => refreshOutlooks({ ctx })),
    task("refresh-new-nodes", "* * * * *", async (ctx) => refreshNewNodes({ ctx }), "analysis"),
    ...TREND_WINDOWS.map((window) =>
      task(
        `refresh-trends-${window}`,
        TRENDS_AT[window],
        async (ctx) => refreshTrends({ ctx, input: { window } }),
        "analysis",
      ),
    ),
    task(
      "follow-experiments",
      "* * * * *",
      async (ctx) => followExperiments({ ctx, input: { limit: 20 } }),
      "analysis",
    ),
    task("log-investigation-events", "* * * * *", async (ctx) => logInvestigationEvents({ ctx, input: {} })),
    task(
      "find-findings",
      "*/2 * * * *",
      async (ctx) => findFindings({ ctx, input: { limit: NODES_DIAGNOSED_AT_ONCE } }),
      "analysis",
    ),
    task(
      IMPORT_TASK.name,
      "* * * * *",
      async (ctx) => {
        const ran = await runImport({
          ctx,
          input: { runner: "worker", untilMs: ctx.now() + IMPORT_SLICE_MS },
        });
        // The rest of it, or the next one, need not wait for the minute.
        if (ran) await callWorker(db, IMPORT_TASK);
      },
      IMPORT_TASK.lane,
    ),
    task("mark-silent-collectors", "* * * * *", async (ctx) =>
      markSilentCollectors({ ctx, input: { silentAfterMs: config.silentAfterMs, upSinceMs } }),
    ),
    task("drop-expired-partitions", "37 * * * *", async (ctx) =>
      dropExpiredPartitions({ ctx, input: { retention: config.retention } }),
    ),
    task("delete-ended-sign-ins", "41 * * * *", async (ctx) => deleteEndedSignIns({ ctx })),
  ];
}
