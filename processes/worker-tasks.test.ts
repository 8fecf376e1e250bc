import { parseCronItems } from "graphile-worker";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseConfig } from "#lib/server/config.ts";
import { listPartitions } from "#lib/server/data/partitions.ts";
import { createTestDatabase, type TestDatabase } from "../scripts/testing/test-database.ts";
import { workerTasks } from "./worker-tasks.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await database.drop();
});

const nowMs = Date.UTC(2026, 0, 15, 12);
const day = 86_400_000;

describe("the worker's tasks", () => {
  it("have times that the queue understands", () => {
    const tasks = workerTasks(database.db, parseConfig({}), nowMs);
    expect(
      parseCronItems(tasks.map(({ name, cron }) => ({ task: name, match: cron, identifier: name }))),
    ).toHaveLength(tasks.length);
  });

  it("make partitions ahead and end those past their retention", async () => {
    const tasks = workerTasks(database.db, parseConfig({ PLUMBLINE_RETENTION_RAW_DAYS: "2" }), nowMs);
    const round = async (atMs: number): Promise<void> => {
      for (const task of tasks) await task.run(() => atMs);
    };
    const snapshotDays = async (): Promise<number[]> =>
      (await listPartitions(database.db))
        .filter(({ table }) => table === "Snapshot")
        .map(({ fromMs }) => Math.round((fromMs - Date.UTC(2026, 0, 15)) / day));
    await round(nowMs);
    expect(await snapshotDays()).toEqual([0, 1, 2, 3]);
    await round(nowMs + 4 * day);
    expect(await snapshotDays()).toEqual([2, 3, 4, 5, 6, 7]);
  });
});
