import { afterAll, beforeAll, expect, it } from "vitest";
import { slabSeries } from "#lib/contracts/series.ts";
import { createNodeHistory } from "../../../scripts/testing/node-history.ts";
import { getSlabSeries } from "./get-slab-series.ts";

const EVERY_MS = 300_000;
const fromMs = Date.parse("2026-03-01T12:00:00Z");
const SAMPLES = 6;
const nowMs = fromMs + SAMPLES * EVERY_MS;

let made: Awaited<ReturnType<typeof createNodeHistory>>;

beforeAll(async () => {
  made = await createNodeHistory({ fromMs, nowMs }, (atMs) => {
    const sample = (atMs - fromMs) / EVERY_MS;
    const cache = (name: string, sizeKib: number) => ({
      name,
      activeObjs: 50,
      numObjs: 100,
      objSizeBytes: 64,
      sizeKib,
    });
    return {
      meminfo: { MemTotal: 8_000_000, MemFree: 4_000_000 },
      slab: [
        cache("grows", 1000 + 10 * sample),
        ...(sample < 3 ? [cache("left", 5000 + 900 * sample)] : []),
        ...(sample === SAMPLES - 1 ? [cache("entered", 360)] : []),
        ...(sample > 1 ? [cache("late", 400 - sample)] : []),
      ],
    };
  });
  expect(made.rejected).toEqual([]);
});
afterAll(() => made.database.drop());

const read = async (limit: number) =>
  slabSeries.parse(
    await getSlabSeries({ ctx: made.ctx, input: { nodeId: 1, fromMs, toMs: nowMs, points: 120, limit } }),
  );

it("does not call a cache that is not sent any more empty, nor one that is new in the list grown", async () => {
  const { caches } = await read(10);
  expect(caches).toMatchObject([
    { name: "grows", sizeKib: 1050, objects: 100, changeKib: 50 },
    { name: "late", sizeKib: 395, changeKib: -3 },
    { name: "entered", sizeKib: 360, changeKib: null },
    {
      name: "left",
      sizeKib: null,
      objects: null,
      activeObjects: null,
      changeKib: 1800,
      lastSentAt: fromMs + 2 * EVERY_MS,
    },
  ]);
  expect(caches.at(-1)?.valuesKib).toEqual([5000, 5900, 6800, null, null, null]);
});

it("chooses among those that the newest sample has", async () => {
  expect((await read(1)).caches.map(({ name }) => name)).toEqual(["grows"]);
});
