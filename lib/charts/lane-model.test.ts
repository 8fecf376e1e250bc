import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SAMPLE_NOW_MS, sampleComposition, sampleSeries } from "../../scripts/testing/chart-samples.ts";
import {
  binWidthMs,
  cgroupsLane,
  containersLane,
  countLane,
  kernelMemoryLane,
  laneAt,
  laneChanges,
  laneFinding,
  ratePerHour,
  watchLane,
} from "./lane-model.ts";
import type { LaneModel } from "./lane-model.ts";

describe("ratePerHour", () => {
  test("a steady counter has one rate in every bin", () => {
    const series = sampleSeries({ perSample: 350 });
    const counter = series.series[0]?.values ?? [];
    const { values } = ratePerHour(series, counter, { fromMs: series.from, toMs: series.to }, 900_000);
    for (const value of values.slice(1, -1)) expect(value).toBeCloseTo(4200, 6);
  });

  test("nothing is counted across a reboot or a gap, and a bin without samples is unknown, not zero", () => {
    const series = sampleSeries({ count: 100, gap: [30, 60] });
    const counter = series.series[0]?.values ?? [];
    const { timesMs, values } = ratePerHour(
      series,
      counter,
      { fromMs: series.from, toMs: series.to },
      900_000,
    );
    const inGap = timesMs.findIndex((atMs) => atMs > series.from + 40 * 300_000);
    expect(values[inGap]).toBeNull();
    const reset = sampleSeries({ count: 40, rebootAt: 20 });
    const falls = reset.timesMs.map((_, index) => (index < 20 ? 1000 + index : index - 20));
    const rates = ratePerHour(reset, falls, { fromMs: reset.from, toMs: reset.to }, 900_000).values;
    expect(rates.every((rate) => rate === null || (rate >= 0 && rate < 13))).toBe(true);
  });

  test("what was started is neither lost nor invented", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 2, maxLength: 80 }),
        fc.constantFrom(300_000, 900_000, 3_600_000),
        (steps, binMs) => {
          const timesMs = steps.map((_, index) => 1_700_000_000_000 + index * 60_000);
          let count = 0;
          const counter = steps.map((step) => (count += step));
          const window = { fromMs: timesMs[0] ?? 0, toMs: timesMs.at(-1) ?? 0 };
          const data = { timesMs, gaps: [], reboots: [], resolution: { bucketSeconds: 60 } };
          const { timesMs: bins, values } = ratePerHour(data, counter, window, binMs);
          const total = bins.reduce((sum, bin, index) => {
            const coveredMs = Math.min(window.toMs, bin + binMs) - Math.max(window.fromMs, bin);
            return sum + ((values[index] ?? 0) * coveredMs) / 3_600_000;
          }, 0);
          expect(total).toBeCloseTo((counter.at(-1) ?? 0) - (counter[0] ?? 0), 3);
        },
      ),
    );
  });

  test("bins are a readable width", () => {
    expect(binWidthMs(86_400_000, 300_000)).toBe(15 * 60_000);
    expect(binWidthMs(6 * 3_600_000, 60_000)).toBe(5 * 60_000);
  });
});

test("a lane says its unit, whether its axis starts at zero, and its finding", () => {
  const lane = kernelMemoryLane(sampleComposition());
  expect(lane?.title).toBe("unreclaimable kernel memory, GiB");
  expect(lane?.note).toBe("axis does not start at 0");
  expect(lane && laneFinding(lane, [], "UTC")).toContain("from 1.80\u00a0GiB to 8.95\u00a0GiB");
});

test("a lane's sentence begins at the newest reboot, as its changes do", () => {
  const series = sampleSeries({ count: 40, rebootAt: 20 });
  const [first] = series.series;
  const values = series.timesMs.map((_, index) => (index < 20 ? 9000 : 100 + index));
  const lane = countLane(
    "any",
    "things",
    { ...series, series: first ? [{ ...first, values }] : [] },
    [{ key: first?.metric ?? "", label: "all", name: "things, all", tone: "ink" }],
    undefined,
  );
  if (lane === undefined) throw new Error("no lane");
  expect(laneChanges(lane, series.reboots)).toEqual([19]);
  expect(laneFinding(lane, series.reboots, "UTC")).toMatch(
    /^things, since the reboot at .* UTC: all from 120 to 139\.$/,
  );
  expect(laneFinding(lane, [], "UTC")).toBe("things: all from 9,000 to 139.");
});

test("lanes without data are not drawn; values are read at the cursor", () => {
  const series = sampleSeries();
  expect(containersLane({ ...series, series: [] })).toBeUndefined();
  expect(watchLane(series)?.series.map((each) => each.label)).toEqual(["/run/crio/exits"]);
  const lane = cgroupsLane(series, true);
  expect(cgroupsLane(series, false)?.limit).toBeUndefined();
  expect(lane?.series.map((each) => each.label)).toEqual(["live", "dying"]);
  expect(lane && laneAt(lane, SAMPLE_NOW_MS)?.[0]).toBe(131);
  expect(lane?.limit?.label).toBe("65,535 ids");
});

describe("counters that come less often than samples", () => {
  const every = (series: ReturnType<typeof sampleSeries>, step: number) => ({
    ...series,
    series: series.series.map((each) => ({
      ...each,
      values: each.values.map((value, index) => (index % step === 0 ? value : null)),
    })),
  });

  test("are joined at their own rhythm, with a rate and a value at every moment", () => {
    const lane = containersLane(every(sampleSeries({ perSample: 350 }), 4));
    expect(lane?.series[0]?.values.filter((value) => value !== null).length).toBeGreaterThan(10);
    expect(laneAt(lane as LaneModel, SAMPLE_NOW_MS - 7_200_000)?.[0]).toBeCloseTo(4200, 6);
  });
});

test("a small node's kernel memory fills its lane instead of lying at the bottom of half a GiB", () => {
  const series = sampleComposition({ count: 40 });
  const small = series.timesMs.map((_, index) => (110 + index) * 1024);
  const lane = kernelMemoryLane({ ...series, kernelUnreclaimableKib: small });
  expect(lane?.axis.unit).toBe("MiB");
  expect(lane?.axis.labels).toEqual(["112", "128", "144"]);
  expect((lane?.axis.high ?? 0) / 1024).toBeLessThan(160);
  expect(lane?.note).toBe("axis does not start at 0");
});
