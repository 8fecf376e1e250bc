import { expect, test } from "vitest";
import { SAMPLE_NOW_MS, sampleComposition } from "../../scripts/testing/chart-samples.ts";
import { sampleIndexAt } from "./segments.ts";

const MINUTE_MS = 60_000;
/** A sample each 5 min, the newest now; those from the 20th to the 40th are missing. */
const series = sampleComposition({ count: 60, gap: [20, 40] });
const startMs = SAMPLE_NOW_MS - 59 * 5 * MINUTE_MS;

test("a moment among samples belongs to the nearest", () => {
  expect(sampleIndexAt(series, startMs + 12 * MINUTE_MS)).toBe(2);
  expect(sampleIndexAt(series, startMs + 13 * MINUTE_MS)).toBe(3);
  expect(sampleIndexAt(series, startMs - 2 * MINUTE_MS)).toBe(0);
});

test("a moment in a gap, before the first and after the last sample belongs to none", () => {
  expect(sampleIndexAt(series, startMs + 150 * MINUTE_MS)).toBeUndefined();
  expect(sampleIndexAt(series, startMs - 3 * 3_600_000)).toBeUndefined();
  expect(sampleIndexAt(series, SAMPLE_NOW_MS + 10 * MINUTE_MS)).toBeUndefined();
  expect(sampleIndexAt({ ...series, timesMs: [] }, startMs)).toBeUndefined();
});

test("the edge of a gap is still the sample beside it", () => {
  expect(sampleIndexAt(series, startMs + 96 * MINUTE_MS)).toBe(19);
  expect(sampleIndexAt(series, startMs + 204 * MINUTE_MS)).toBe(20);
});

test("samples that come seldom reach as far as half their distance", () => {
  const seldom = { timesMs: [0, 900_000, 1_800_000], gaps: [], resolution: { bucketSeconds: 15 } };
  expect(sampleIndexAt(seldom, 2_100_000)).toBe(2);
  expect(sampleIndexAt(seldom, 2_400_000)).toBeUndefined();
});
