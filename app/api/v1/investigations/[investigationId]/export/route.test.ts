import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { annotation } from "#lib/contracts/annotation.ts";
import { investigation } from "#lib/contracts/investigation.ts";
import { setRuntime } from "#lib/server/http/runtime.ts";
import { ingestSnapshots } from "#lib/server/services/ingest-snapshots.ts";
import { simulateNode } from "../../../../../../e2e/simulated-node.ts";
import { answerOf, callRoute, useRuntime } from "../../../../../../scripts/testing/route-client.ts";
import { createTestDatabase, type TestDatabase } from "../../../../../../scripts/testing/test-database.ts";
import { POST as mark } from "../../../annotations/route.ts";
import { POST as openInvestigation } from "../../route.ts";
import { GET as take } from "./route.ts";

const hourMs = 3_600_000;
const startMs = Date.parse("2026-03-01T00:00:00Z");
let nowMs = startMs + 13 * hourMs;
const local = { local: true };

let database: TestDatabase;
let investigationId = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  useRuntime(database.db, () => nowMs);
  const items = simulateNode({
    name: "taken-node",
    seed: 5,
    totalKib: 64 * 1024 * 1024,
    cpus: 16,
    kernelRelease: "4.19.0-6-amd64",
    fromMs: startMs,
    toMs: nowMs,
    everyMs: 300_000,
    containersPerHour: 4200,
    kibPerContainer: 75,
    stopAtMs: startMs + 7 * hourMs,
  });
  const ctx = { db: database.db, actor: { kind: "system", name: "test" } as const, now: () => nowMs };
  await ingestSnapshots({ ctx, input: { items, cluster: "east" } });
  const { id: nodeId } = await database.db.prisma.node.findFirstOrThrow({ where: { name: "taken-node" } });
  const made = await callRoute(mark, {
    as: local,
    json: {
      at: startMs + 7 * hourMs,
      kind: "intervention",
      title: "puller stopped",
      scope: { nodes: [nodeId] },
    },
  });
  const { annotationId } = await answerOf(made, annotation);
  const window = `from=${startMs}&to=${nowMs}`;
  const opened = await callRoute(openInvestigation, {
    as: local,
    json: {
      title: 'Who "eats"; taken-node \u00e9?',
      scope: { nodes: [nodeId] },
      conclusion: `The puller: [[effect:${annotationId}]].`,
      pins: [
        { kind: "chart", address: `/nodes/${nodeId}?${window}` },
        { kind: "scatter", address: `/nodes/${nodeId}?${window}` },
      ],
    },
  });
  ({ investigationId } = await answerOf(opened, investigation));
});
afterAll(async () => {
  setRuntime(undefined);
  await database.drop();
});

async function exported(query: Record<string, string>, as: object = local) {
  const response = await callRoute(take, { as, params: { investigationId }, query });
  return { response, text: await response.text() };
}
const hashIn = (text: string) =>
  /[0-9a-f]{64}(?![0-9a-f])/.exec(text.slice(text.lastIndexOf("SHA-256")))?.[0];

describe("an export", () => {
  it("is a file with its name in UTF-8 and in ASCII", async () => {
    const { response } = await exported({ format: "markdown" });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="investigation-${investigationId} Who eats taken-node _.md"; ` +
        `filename*=UTF-8''investigation-${investigationId}%20Who%20eats%20taken-node%20%C3%A9.md`,
    );
    const html = (await exported({ format: "html" })).response;
    expect(html.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(html.headers.get("content-security-policy")).toContain("sandbox");
  });

  it("says numbers, window and the absolute address of each view", async () => {
    const { text } = await exported({ format: "markdown" });
    expect(text).toMatch(/The puller: \[31\d to \S+ MiB\/h \(.*?\)\]\(<http:\/\/[^>]+\/nodes\/\d+\?/);
    expect(text).toMatch(/taken-node; Sun 1 Mar 2026 00:00 \u2013 13:00 UTC; \[view\]\(<http:\/\/[^>]+from=/);
    expect(text).toContain("per container");
  });

  it("has the same hash in both forms and at another time, and another once something changed", async () => {
    const before = hashIn((await exported({ format: "html" })).text);
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    nowMs += hourMs;
    expect(hashIn((await exported({ format: "markdown" })).text)).toBe(before);
    const row = { where: { id: investigationId }, data: { conclusion: "Another." } };
    await database.db.prisma.investigation.update(row);
    expect(hashIn((await exported({ format: "markdown" })).text)).not.toBe(before);
  });

  it("replaces names where that is wished, and then leads nowhere back", async () => {
    for (const format of ["markdown", "html"]) {
      const { text } = await exported({ format, redacted: "1" });
      expect(text).toContain("node-1");
      expect(text).not.toMatch(/taken-node|\/nodes\/|localhost:4400/);
    }
  });

  it("refuses other forms, strangers, and what is not there", async () => {
    expect((await exported({ format: "pdf" })).response.status).toBe(400);
    expect((await exported({ format: "html" }, {})).response.status).toBe(401);
    const gone = await callRoute(take, {
      as: local,
      params: { investigationId: 4711 },
      query: { format: "html" },
    });
    expect(gone.status).toBe(404);
    expect(gone.headers.get("content-type")).toBe("application/problem+json");
  });
});
