import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fleetRanking } from "#lib/contracts/ranking.ts";
import { TREND_WINDOWS } from "#lib/domain/analysis/trend-windows.ts";
import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { closeDatabase, openDatabase } from "#lib/server/data/client.ts";
import { refreshOutlooks } from "#lib/server/services/refresh-outlooks.ts";
import { refreshTrends } from "#lib/server/services/refresh-trends.ts";
import type { Stack } from "../scripts/testing/stack.ts";
import type { Figure } from "./figure.ts";
import { FLEET_WEEK, fillFleetWeek } from "./fleet-week.ts";
import { quantile, timed } from "./statistics.ts";

const FLEET = 1000;
const ROUNDS = 3;
const TICKS_PER_SECOND = 100;
/** Rounds an hour of each task, as `processes/worker-tasks.ts` has them. */
const AN_HOUR = { "6h": 12, "24h": 4, "7d": 1, outlooks: 12 } as const;

/** CPU seconds of a database so far: its processes, and those of its that have ended. */
function databaseSeconds(postmaster: number): number {
  const ticks = (pid: number, fields: readonly number[]): number => {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const values = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields.reduce((sum, field) => sum + Number(values[field]), 0);
  };
  const children = execFileSync("pgrep", ["-P", String(postmaster)], { encoding: "utf8" });
  let total = ticks(postmaster, [11, 12, 13, 14]);
  for (const pid of children.split("\n").filter(Boolean)) {
    try {
      total += ticks(Number(pid), [11, 12]);
    } catch {
      // Ended since it was listed; its time is in that of its parent from now on.
    }
  }
  return total / TICKS_PER_SECOND;
}

/**
 * What keeping the trends of 1,000 nodes current costs, and how long the fleet is ranked from them and anew. The worker of
 * the stack stands still meanwhile, so that only the rounds made here are measured.
 */
export async function measureTrends(stack: Stack, base: SnapshotInput, nowMs: number): Promise<Figure[]> {
  const db = openDatabase({ url: stack.databaseUrl(), poolSize: 4 });
  const worker = stack.pidOf("worker");
  process.kill(worker, "SIGSTOP");
  try {
    await fillFleetWeek(db, base, { nodes: FLEET, nowMs });
    const ctx = { db, actor: { kind: "system", name: "bench" } as const, now: () => nowMs };
    const tasks = [
      ...TREND_WINDOWS.map((window) => ({
        name: window,
        run: () => refreshTrends({ ctx, input: { window } }),
      })),
      { name: "outlooks" as const, run: () => refreshOutlooks({ ctx }) },
    ];
    // The daily ranges, and pages of the tables, are there as they are in the second hour of a worker.
    for (const { run } of tasks.toReversed()) await run();
    const postmaster = stack.pidOf("database");
    let own = 0;
    let database = 0;
    const parts: string[] = [];
    for (const { name, run } of tasks) {
      const rounds: { own: number; database: number }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const [cpu, before] = [process.cpuUsage(), databaseSeconds(postmaster)];
        await run();
        const { user, system } = process.cpuUsage(cpu);
        rounds.push({ own: (user + system) / 1e6, database: databaseSeconds(postmaster) - before });
      }
      const median = (pick: (round: (typeof rounds)[number]) => number) => quantile(rounds.map(pick), 0.5);
      const [mine, its] = [median((round) => round.own), median((round) => round.database)];
      own += mine * AN_HOUR[name];
      database += its * AN_HOUR[name];
      parts.push(`${name} ${mine.toFixed(1)} + ${its.toFixed(1)} s`);
    }
    const share = {
      what: "keeping 1,000 nodes current, CPU of one core",
      value: ((own + database) / 3600) * 100,
      unit: "%",
      target: "<= 20",
      dataset: `${FLEET_WEEK}; a round costs worker + PostgreSQL ${parts.join(", ")}; PostgreSQL alone ${((database / 3600) * 100).toFixed(1)} % of a core`,
    };
    return [share, ...(await measureRanking(stack))];
  } finally {
    process.kill(worker, "SIGCONT");
    await closeDatabase(db);
  }
}

async function measureRanking(stack: Stack): Promise<Figure[]> {
  const token = stack.issueToken(["read"], "week");
  const read = async (query: string) => {
    const response = await fetch(new URL(`/api/v1/fleet/ranking${query}`, stack.server), {
      headers: { authorization: `Bearer ${token}` },
    });
    const body: unknown = await response.json();
    if (!response.ok) throw new Error(`ranking: ${response.status} ${JSON.stringify(body).slice(0, 500)}`);
    return body;
  };
  const { nodes, total } = fleetRanking.parse(await read(""));
  if (total !== FLEET || nodes[0]?.verdict !== "leaking") throw new Error("the fleet is not ranked");
  const stored = await timed(40, 10, () => read(""));
  const computed = await timed(5, 1, () => read("?from=now-24h&to=now"));
  return [
    {
      what: "fleet ranking of 1,000 nodes over 24 h, from stored trends",
      value: quantile(stored, 0.5),
      unit: "ms",
      target: "<= 50",
      dataset: `${FLEET_WEEK}; 40 requests, p95 ${quantile(stored, 0.95).toFixed(1)} ms`,
    },
    {
      what: "fleet ranking of 1,000 nodes over 24 h, recomputed",
      value: quantile(computed, 0.5) / 1000,
      unit: "s",
      target: "<= 10",
      dataset: `${FLEET_WEEK}; 5 requests, slowest ${(quantile(computed, 1) / 1000).toFixed(1)} s`,
    },
  ];
}
