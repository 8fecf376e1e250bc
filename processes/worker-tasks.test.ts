import { parseCronItems } from "graphile-worker";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseConfig } from "#lib/server/config.ts";
import { listPartitions } from "#lib/server/data/partitions.ts";
import { setRuntime } from "#lib/server/http/runtime.ts";
import { makeInvitation } from "#lib/server/services/make-invitation.ts";
import { signedInCookie, useRuntime } from "../scripts/testing/route-client.ts";
import { createTestDatabase, type TestDatabase } from "../scripts/testing/test-database.ts";
import { workerTasks } from "./worker-tasks.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  setRuntime(undefined);
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

  it("delete sessions and invitations that open nothing any more, and leave the others", async () => {
    useRuntime(database.db, () => Date.now());
    const { prisma } = database.db;
    await signedInCookie(database.db, "viewer", "Vera Klee");
    const begunAtMs = Date.now();
    const invite = (atMs: number) =>
      makeInvitation({
        ctx: { db: database.db, actor: { kind: "system", name: "test" }, now: () => atMs },
        input: { role: "viewer" },
      });
    await invite(begunAtMs);
    const left = async () => ({
      sessions: await prisma.session.count(),
      invitations: await prisma.invitation.count(),
    });
    // Her account was made by an invitation, which is used up.
    expect(await left()).toEqual({ sessions: 1, invitations: 2 });
    const clean = workerTasks(database.db, parseConfig({}), begunAtMs).find(
      ({ name }) => name === "delete-ended-sign-ins",
    );
    await clean?.run(() => begunAtMs + day);
    expect(await left()).toEqual({ sessions: 1, invitations: 1 });
    await clean?.run(() => begunAtMs + 13 * day);
    expect(await left()).toEqual({ sessions: 1, invitations: 0 });
    await invite(begunAtMs + 14 * day);
    await clean?.run(() => begunAtMs + 15 * day);
    expect(await left()).toEqual({ sessions: 0, invitations: 1 });
    expect(await prisma.person.count()).toBe(1);
  });
});
