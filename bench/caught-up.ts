import { setTimeout as delay } from "node:timers/promises";
import { DEFAULT_RANKING } from "#lib/server/services/stored-trends.ts";
import type { Stack } from "../scripts/testing/stack.ts";
import { query } from "../scripts/testing/stored.ts";

/** A round of findings reads 150 nodes every two minutes: a fleet of 1,000 takes seven. */
const CAUGHT_UP_WITHIN_MS = 25 * 60_000;
const LOOK_EVERY_MS = 5000;
const SAY_EVERY_MS = 60_000;

interface Backlog {
  /** Nodes without the trend that the fleet is ranked by, and nodes whose history was never held against the known leaks. */
  trends: number;
  findings: number;
  /** Of the analysis, running or due. */
  jobs: number;
}

async function readBacklog(stack: Stack): Promise<Backlog> {
  const [backlog] = await query<Backlog>(
    stack,
    `select
       (select count(*)::int from "NodeNewest" w
        where w."receivedAt" > now() - interval '1 hour' and not exists
          (select from "NodeTrend" t where t."nodeId" = w."nodeId" and t."window" = $1 and t."metric" = $2)) as trends,
       (select count(*)::int from "NodeNewest" w
        where w."receivedAt" > now() - interval '1 hour' and not exists
          (select from "NodeReading" r where r."nodeId" = w."nodeId")) as findings,
       (select count(*)::int from graphile_worker.jobs
        where queue_name = 'analysis' and (locked_at is not null or run_at <= now())) as jobs`,
    [DEFAULT_RANKING.window, DEFAULT_RANKING.metric],
  );
  if (backlog === undefined) throw new Error("the backlog of the worker was not counted");
  return backlog;
}

function textOf({ trends, findings, jobs }: Backlog): string {
  return `${trends} nodes without trends, ${findings} not yet held against known leaks, ${jobs} tasks of analysis due`;
}

/**
 * Waits until the worker has judged what is new, so that what is measured afterwards is a fleet that stands and not one that
 * has just been created. The worker goes on with its regular rounds. Says how long it waited; after a bound it says what is
 * left and lets the measurements begin.
 */
export async function untilCaughtUp(stack: Stack): Promise<void> {
  const sinceMs = Date.now();
  let saidMs = sinceMs;
  for (;;) {
    const backlog = await readBacklog(stack);
    const waitedMs = Date.now() - sinceMs;
    const waited = `${Math.round(waitedMs / 1000)} s`;
    if (backlog.trends + backlog.findings + backlog.jobs === 0) {
      console.log(
        `the worker runs and has caught up: every node is judged and read; the bench waited ${waited} for that`,
      );
      return;
    }
    if (waitedMs > CAUGHT_UP_WITHIN_MS) {
      console.log(
        `the worker has NOT caught up within ${waited}, what follows shares the processors with it: ${textOf(backlog)}`,
      );
      return;
    }
    if (Date.now() - saidMs >= SAY_EVERY_MS) {
      saidMs = Date.now();
      console.log(`waiting for the worker, ${waited}: ${textOf(backlog)}`);
    }
    await delay(LOOK_EVERY_MS);
  }
}
