import { afterAll, beforeAll, expect, it } from "vitest";
import { historyImport, importList } from "#lib/contracts/history-import.ts";
import { setRuntime } from "#lib/server/http/runtime.ts";
import { runImport } from "#lib/server/services/run-import.ts";
import {
  startFakePrometheus,
  tellSeries,
  type FakePrometheus,
} from "../../../../scripts/testing/fake-prometheus.ts";
import { answerOf, callRoute, useRuntime } from "../../../../scripts/testing/route-client.ts";
import { createTestDatabase, type TestDatabase } from "../../../../scripts/testing/test-database.ts";
import { PATCH as change } from "./[importId]/route.ts";
import { GET as list, POST as start } from "./route.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const HOUR = 3_600_000;
const local = { local: true };

let database: TestDatabase;
let prometheus: FakePrometheus;
beforeAll(async () => {
  database = await createTestDatabase();
  useRuntime(database.db, () => NOW);
  prometheus = await startFakePrometheus(
    tellSeries({ instance: "a:9100", fromMs: NOW - 4 * HOUR, toMs: NOW, everyMs: 60_000 }),
  );
});
afterAll(async () => {
  setRuntime(undefined);
  await prometheus.stop();
  await database.drop();
});

const begin = (more: object = {}) =>
  callRoute(start, { as: local, json: { url: prometheus.url, from: NOW - 4 * HOUR, to: NOW, ...more } });
const act = (importId: number, json: object) => callRoute(change, { as: local, params: { importId }, json });
const run = (signal?: AbortSignal) =>
  runImport({
    ctx: { db: database.db, actor: { kind: "system", name: "worker" }, now: () => NOW },
    input: { runner: "worker", ...(signal && { signal }) },
  });

it("is started, seen, stopped and gone on with; its token is never shown", async () => {
  const started = await answerOf(await begin({ bearer: "secret" }), historyImport);
  expect(started).toMatchObject({ status: "queued", doneShare: 0, runner: "worker" });
  expect((await answerOf(await act(started.importId, { action: "cancel" }), historyImport)).status).toBe(
    "cancelled",
  );
  expect(await run()).toBeUndefined();
  expect((await act(started.importId, { action: "cancel" })).status).toBe(409);

  await answerOf(await act(started.importId, { action: "resume", bearer: "other" }), historyImport);
  expect(await run()).toMatchObject({ importId: started.importId, status: "done" });
  expect(prometheus.asked.map(({ authorization }) => authorization)).toContain("Bearer other");
  expect(prometheus.asked.map(({ authorization }) => authorization)).not.toContain("Bearer secret");
  expect((await act(started.importId, { action: "resume" })).status).toBe(409);

  const answered = await callRoute(list, { as: local });
  const { imports, nodes } = await answerOf(answered.clone(), importList);
  expect(imports).toMatchObject([
    { status: "done", doneShare: 1, counts: { nodes: 1, names: ["a"], snapshots: 240 } },
  ]);
  expect(nodes).toEqual([{ nodeId: expect.any(Number) as number, cluster: "default", name: "a" }]);
  expect(await answered.text()).not.toMatch(/secret|other/);
});

it("is for administrators, and refuses what it cannot do", async () => {
  expect((await callRoute(list, {})).status).toBe(401);
  expect((await callRoute(start, { json: {} })).status).toBe(401);
  expect((await begin({ url: "ftp://prometheus" })).status).toBe(422);
  expect((await begin({ url: "http://me:password@prometheus" })).status).toBe(422);
  expect((await begin({ match: ['job="node"} or up'] })).status).toBe(422);
  expect((await begin({ from: NOW + HOUR, to: NOW + 2 * HOUR })).status).toBe(422);
  expect((await act(999, { action: "cancel" })).status).toBe(404);
});
