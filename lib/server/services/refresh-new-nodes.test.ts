import { afterAll, beforeAll, expect, test } from "vitest";
import { TREND_WINDOWS } from "#lib/domain/analysis/trend-windows.ts";
import { readNodeTrends } from "#lib/server/data/node-trends.ts";
import { listNodesNewest } from "#lib/server/data/nodes.ts";
import { createTestDatabase, type TestDatabase } from "../../../scripts/testing/test-database.ts";
import { ingestSnapshots } from "./ingest-snapshots.ts";
import { refreshNewNodes } from "./refresh-new-nodes.ts";

const nowMs = Date.parse("2026-12-03T14:20:00Z");
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test("a node that was never judged is judged, and again only while nothing can be said of it", async () => {
  const ctx = { db: database.db, actor: { kind: "system", name: "test" } as const, now: () => nowMs };
  expect(await refreshNewNodes({ ctx })).toEqual({ nodes: 0 });
  const receipt = await ingestSnapshots({
    ctx,
    input: {
      cluster: "west",
      items: [
        {
          schemaVersion: 1,
          node: "first",
          at: nowMs - 60_000,
          bootId: "b",
          uptimeSeconds: 3600,
          kernelRelease: "6.1.0",
          cpus: 2,
          meminfo: { MemTotal: 1_000_000, MemFree: 500_000 },
        },
      ],
    },
  });
  expect(receipt.accepted).toBe(1);
  expect(await refreshNewNodes({ ctx })).toEqual({ nodes: 1 });
  const [node] = await listNodesNewest(database.db);
  expect(node?.outlook).not.toBeNull();
  for (const window of TREND_WINDOWS) {
    const trends = await readNodeTrends(database.db, { metric: "total.kernelUnreclaimable", window });
    expect(trends).toMatchObject([{ nodeId: node?.nodeId, verdict: "insufficient", slopePerHour: null }]);
  }
  expect(await refreshNewNodes({ ctx })).toEqual({ nodes: 0 });
  // Its history may still be on the way: what could not be said is tried again a minute later.
  const later = { ...ctx, now: () => nowMs + 60_000 };
  expect(await refreshNewNodes({ ctx: later })).toEqual({ nodes: 1 });
});

test("a new node is judged on all that it brought along, rolled up or not", async () => {
  const ctx = { db: database.db, actor: { kind: "system", name: "test" } as const, now: () => nowMs };
  const items = Array.from({ length: 25 * 12 }, (_, i) => {
    const atMs = nowMs - 25 * 3_600_000 + i * 300_000;
    const leakKib = i * 8000 + (i % 7) * 500;
    return {
      schemaVersion: 1 as const,
      node: "leaky",
      at: atMs,
      bootId: "b",
      uptimeSeconds: 500_000 + i * 300,
      kernelRelease: "6.1.0",
      cpus: 2,
      meminfo: { MemTotal: 64_000_000, MemFree: 50_000_000 - leakKib, SUnreclaim: 1_000_000 + leakKib },
    };
  });
  expect((await ingestSnapshots({ ctx, input: { cluster: "west", items } })).rejected).toEqual([]);
  expect(await refreshNewNodes({ ctx })).toEqual({ nodes: 1 });
  const trends = await readNodeTrends(database.db, { metric: "total.kernelUnreclaimable", window: "24h" });
  expect(trends.at(-1)).toMatchObject({ verdict: "leaking" });
  expect(trends.at(-1)?.n).toBeGreaterThan(280);
});
