import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findingList, findingWithHistory, nodeFindings } from "#lib/contracts/finding.ts";
import { investigation } from "#lib/contracts/investigation.ts";
import { nodeList } from "#lib/contracts/node.ts";
import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { setRuntime } from "#lib/server/http/runtime.ts";
import { findFindings } from "#lib/server/services/find-findings.ts";
import { ingestSnapshots } from "#lib/server/services/ingest-snapshots.ts";
import { answerOf, callRoute, problemOf, useRuntime } from "../../../../scripts/testing/route-client.ts";
import { createTestDatabase, type TestDatabase } from "../../../../scripts/testing/test-database.ts";
import { issueEastToken } from "../../../../scripts/testing/tokens.ts";
import { GET as scrape } from "../../../metrics/route.ts";
import { GET as takeInvestigation } from "../investigations/[investigationId]/export/route.ts";
import { POST as openInvestigation } from "../investigations/route.ts";
import { GET as listNodes } from "../nodes/route.ts";
import { GET as ofNode } from "../nodes/[nodeId]/findings/route.ts";
import { PATCH as update } from "./[findingId]/route.ts";
import { GET as list } from "./route.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const DAY = 86_400_000;
const local = { local: true };

let database: TestDatabase;
let token: string;
const ctx = (nowMs: number) => ({
  db: database.db,
  actor: { kind: "system", name: "worker" } as const,
  now: () => nowMs,
});

/** Two days after it booted, with so many connections tracked of 262,144. */
async function report(cluster: string, node: string, tracked: number, at = NOW): Promise<void> {
  const item: SnapshotInput = {
    ...{
      schemaVersion: 1,
      node,
      at,
      bootId: "a",
      uptimeSeconds: 2 * 86_400,
      kernelRelease: "6.1.0",
      cpus: 4,
    },
    meminfo: {
      ...{
        MemTotal: 32_000_000,
        MemFree: 20_000_000,
        AnonPages: 2_000_000,
        Buffers: 1000,
        Cached: 3_000_000,
      },
      ...{ Shmem: 50_000, SReclaimable: 100_000, SUnreclaim: 1_000_000, Percpu: 40_000 },
    },
    conntrack: { count: tracked, max: 262_144 },
  };
  const receipt = await ingestSnapshots({ ctx: ctx(at), input: { items: [item], cluster } });
  expect(receipt.accepted).toBe(1);
}

beforeAll(async () => {
  database = await createTestDatabase();
  useRuntime(database.db, () => NOW);
  token = await issueEastToken();
  await report("east", "full", 250_000);
  await report("east", "calm", 4000);
  await report("west", "full", 251_000);
  await findFindings({ ctx: ctx(NOW), input: { limit: 10 } });
});
afterAll(async () => {
  setRuntime(undefined);
  await database.drop();
});

const asked = async (query: Record<string, string | readonly string[]> = {}, as: object = local) =>
  answerOf(await callRoute(list, { as, query }), findingList);
const acknowledge = (findingId: number, note: string, as: object = local) =>
  callRoute(update, { as, params: { findingId }, json: { state: "acknowledged", note } });

describe("GET /api/v1/findings", () => {
  it("says which signature is on how many nodes", async () => {
    const { findings, total, signatures } = await asked();
    expect(findings.map(({ signature, cluster, node }) => [signature, cluster, node])).toEqual([
      ["S20", "east", "full"],
      ["S20", "west", "full"],
    ]);
    expect(total).toBe(2);
    expect(signatures).toMatchObject([{ signature: "S20", nodes: 2, states: { new: 2 } }]);
    expect(findings[0]?.evidence[0]?.values[0]).toEqual({
      name: "conntrack.count",
      value: 250_000,
      unit: "count",
    });
  });

  it("narrows by what is asked, and shows a token its own cluster alone", async () => {
    const totals = await Promise.all(
      [
        { cluster: "west" },
        { signature: "S01" },
        { state: ["resolved", "returned"] },
        { severity: "info" },
      ].map(async (query) => (await asked(query)).total),
    );
    expect(totals).toEqual([1, 0, 0, 0]);
    expect((await asked({}, { token })).findings.map(({ cluster }) => cluster)).toEqual(["east"]);
    expect((await callRoute(list, { as: local, query: { state: "gone" } })).status).toBe(400);
  });
});

describe("GET /api/v1/nodes/{nodeId}/findings", () => {
  it("are pinned as their page shows them, narrowed as it was", async () => {
    const pins = ["/findings", "/findings?state=resolved"].map((address) => ({ kind: "table", address }));
    const opened = await callRoute(openInvestigation, { as: local, json: { title: "Leaks", pins } });
    const { investigationId } = await answerOf(opened, investigation);
    const query = { format: "markdown" };
    const taken = await callRoute(takeInvestigation, { as: local, params: { investigationId }, query });
    const [, all = "", resolved = ""] = (await taken.text()).split(/^(?=\*\*Pin \d)/m);
    expect(all).toContain("| full | east | The connection-tracking table fills | firm | more than 80 %");
    expect(all.match(/^\| full /gm)).toHaveLength(2);
    expect(resolved).toContain("0 rows");
  });

  it("gives the history beside what was found, and the list of nodes names it", async () => {
    const { nodes } = await answerOf(await callRoute(listNodes, { as: { token } }), nodeList);
    const node = nodes.find(({ name }) => name === "full");
    expect(nodes.map(({ findings }) => findings.map(({ signature }) => signature))).toEqual(
      nodes.map(({ name }) => (name === "full" ? ["S20"] : [])),
    );
    const params = { nodeId: node?.nodeId ?? 0 };
    const answer = await answerOf(await callRoute(ofNode, { as: local, params }), nodeFindings);
    expect(answer).toMatchObject({ computedAt: NOW, to: NOW + 1, discriminate: [{ signature: "S20" }] });
    expect(answer.findings[0]?.history[0]).toEqual({ at: NOW, by: "worker", became: "new", note: null });
    expect((await callRoute(ofNode, { as: local, params: { nodeId: 999 } })).status).toBe(404);
  });
});

describe("PATCH /api/v1/findings/{findingId}", () => {
  it("acknowledges with a note, as often as there is something to say", async () => {
    const [finding] = (await asked({ cluster: "east" })).findings;
    const findingId = finding?.findingId ?? 0;
    await answerOf(await acknowledge(findingId, "The scanner of east."), findingWithHistory);
    const again = await answerOf(
      await acknowledge(findingId, "It is stopped now.", { token }),
      findingWithHistory,
    );
    expect(again).toMatchObject({ state: "acknowledged", stateAt: NOW });
    expect(again.history.slice(-2)).toMatchObject([
      { became: "acknowledged", note: "The scanner of east." },
      { by: "token ci of east", became: "acknowledged", note: "It is stopped now." },
    ]);
    const text = await (await callRoute(scrape, { as: local })).text();
    expect(text).toMatch(/plumbline_findings\{signature="S20",severity="warning",state="acknowledged"\} 1/);
    expect(text).toMatch(/plumbline_findings\{signature="S20",severity="warning",state="new"\} 1/);
  });

  it("wants a note, and changes nothing that may not be seen or is over", async () => {
    const [finding] = (await asked({ cluster: "west" })).findings;
    const findingId = finding?.findingId ?? 0;
    expect((await acknowledge(findingId, "  ")).status).toBe(422);
    expect((await acknowledge(findingId, "Not mine.", { token })).status).toBe(404);
    expect((await acknowledge(99_999, "Not there.")).status).toBe(404);

    await report("west", "full", 5000, NOW + DAY);
    await findFindings({ ctx: ctx(NOW + DAY), input: { limit: 10 } });
    expect((await asked({ cluster: "west", state: "resolved" })).findings).toMatchObject([{ findingId }]);
    const late = await acknowledge(findingId, "Too late.");
    expect([late.status, (await problemOf(late)).code]).toEqual([409, "conflict"]);

    await report("west", "full", 252_000, NOW + DAY + 3_600_000);
    await findFindings({ ctx: ctx(NOW + DAY + 3_600_000), input: { limit: 10 } });
    expect((await asked({ cluster: "west" })).findings).toMatchObject([{ findingId, state: "returned" }]);
  });
});
