import { afterAll, beforeAll, expect, it } from "vitest";
import { slabGrowth } from "#lib/contracts/slab.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { createNodeHistory } from "../../../scripts/testing/node-history.ts";
import { getSlabGrowth } from "./get-slab-growth.ts";

const minuteMs = 60_000;
const nowMs = Date.parse("2026-03-01T12:00:00Z");
const fromMs = nowMs - 24 * 60 * minuteMs;
const CACHES = 200;
/** KiB per hour of `leaky`; the other caches stand still, `dentry` grows reclaimably. */
const LEAK = 4096;

let made: Awaited<ReturnType<typeof createNodeHistory>>;

beforeAll(async () => {
  const rng = createRng(7);
  made = await createNodeHistory({ fromMs, nowMs }, (atMs) => {
    const hours = (atMs - fromMs) / (60 * minuteMs);
    const still = Array.from({ length: CACHES }, (_, index) => ({
      name: `still-${index}`,
      activeObjs: 900,
      numObjs: 1000,
      objSizeBytes: 256,
      sizeKib: 2000 + Math.round(8 * rng.normal()),
    }));
    const leaky = {
      name: "leaky",
      activeObjs: 50,
      numObjs: 100,
      objSizeBytes: 64,
      sizeKib: Math.round(9000 + LEAK * hours + 20 * rng.normal()),
    };
    const dentry = { ...leaky, name: "dentry", sizeKib: Math.round(5000 + 2 * LEAK * hours) };
    const alias = { ...leaky, name: "alias", sizeKib: 900 };
    const late = { ...leaky, name: "late", sizeKib: 700 };
    const sunreclaim = [...still, leaky].reduce((sum, { sizeKib }) => sum + sizeKib, 0);
    return {
      meminfo: {
        MemTotal: 64 * 1024 * 1024,
        MemFree: 32 * 1024 * 1024,
        SUnreclaim: sunreclaim + 50_000,
        SReclaimable: dentry.sizeKib + 20_000,
      },
      slab: [...still, leaky, dentry, alias, ...(hours < 0.5 ? [late] : [])],
      slabNames: { merged: [["alias", "buffer_head"]], memcgChildCaches: 0 },
      sources: { meminfo: { status: "ok" }, slabinfo: { status: "ok" } },
    };
  });
  expect(made.rejected).toEqual([]);
}, 60_000);
afterAll(() => made.database.drop());

it("finds the one cache that leaks among many, and its part of the growth", async () => {
  const answer = slabGrowth.parse(
    await getSlabGrowth({ ctx: made.ctx, input: { nodeId: 1, fromMs, toMs: nowMs } }),
  );
  expect(answer.caches).toHaveLength(CACHES + 4);
  const byName = new Map(answer.caches.map((cache) => [cache.name, cache]));
  // Counters of this history hold so much beside their caches; "alias" is counted in neither.
  expect(answer.unsentKib).toBe(50_000 + 20_000 - 900);
  const leaky = byName.get("leaky");
  expect(leaky).toMatchObject({
    verdict: "leaking",
    reclaimable: false,
    objects: 100,
    activeObjects: 50,
    objSizeBytes: 64,
  });
  expect(leaky?.ci95?.[0]).toBeLessThan(LEAK);
  expect(leaky?.ci95?.[1]).toBeGreaterThan(LEAK);
  expect(leaky?.share).toBeCloseTo(1, 1);
  expect(byName.get("dentry")).toMatchObject({ reclaimable: true });
  expect(byName.get("alias")).toMatchObject({ reclaimable: true });
  expect(byName.get("dentry")?.share).toBeCloseTo(1, 1);
  const called = answer.caches.filter(({ verdict }) => verdict === "leaking").map(({ name }) => name);
  expect(called.toSorted()).toEqual(["dentry", "leaky"]);
});

it("says of a cache that is no longer sent that its size is not known", async () => {
  const { caches } = await getSlabGrowth({ ctx: made.ctx, input: { nodeId: 1, fromMs, toMs: nowMs } });
  expect(caches.find(({ name }) => name === "late")).toMatchObject({
    sizeKib: null,
    objects: null,
    verdict: "insufficient",
    slopeKibPerHour: null,
  });
});

it("has neither caches nor wholes where nothing was sent", async () => {
  const empty = await getSlabGrowth({
    ctx: made.ctx,
    input: { nodeId: 1, fromMs: fromMs - 7_200_000, toMs: fromMs - 3_600_000 },
  });
  expect(empty).toMatchObject({
    sampleAt: null,
    unsentKib: null,
    SUnreclaim: null,
    SReclaimable: null,
    caches: [],
  });
});
