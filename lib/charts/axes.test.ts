import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pxToTime, timeTicks, timeToPx } from "./time-axis.ts";
import { countAxis, memoryAxis } from "./value-axis.ts";

const MIB = 1024;
const GIB = 1024 * 1024;

describe("memoryAxis", () => {
  test("steps are round in the printed unit", () => {
    expect(memoryAxis(0, 187.6 * GIB, { exact: true })).toMatchObject({
      unit: "GiB",
      labels: ["0", "50", "100", "150"],
      high: 187.6 * GIB,
    });
    expect(memoryAxis(-4.6 * GIB, 4.6 * GIB, { signed: true, ticks: 5 }).labels).toEqual([
      "−4",
      "−2",
      "0",
      "+2",
      "+4",
    ]);
    expect(memoryAxis(0, 900 * MIB, { ticks: 4 })).toMatchObject({
      unit: "MiB",
      labels: ["0", "256", "512", "768"],
    });
  });

  test("a nearly flat series keeps the least span", () => {
    const axis = memoryAxis(10 * GIB, 10 * GIB + 20, { least: GIB / 2 });
    expect(axis.high - axis.low).toBe(GIB / 2);
    expect(axis.ticks.length).toBeGreaterThanOrEqual(2);
  });

  test("a small span far above zero is drawn where it lies", () => {
    const axis = memoryAxis(1000 * MIB, 1001 * MIB, { least: 512 * MIB });
    expect([axis.low / MIB, axis.high / MIB]).toEqual([744.5, 1256.5]);
    expect(memoryAxis(10 * MIB, 11 * MIB, { least: 64 * MIB })).toMatchObject({ low: 0, high: 64 * MIB });
  });

  test("there are two lines at least, so that a distance can be read", () => {
    expect(memoryAxis(1.22 * GIB, 1.58 * GIB, { ticks: 3 }).labels).toEqual(["1.3", "1.4", "1.5"]);
  });

  test("ticks lie inside the axis, in order, with labels of their own", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
        fc.integer({ min: 1, max: 1_000_000_000 }),
        fc.integer({ min: 2, max: 6 }),
        (low, span, ticks) => {
          const axis = memoryAxis(low, low + span, { ticks });
          expect(axis.ticks.length).toBeGreaterThan(0);
          expect(axis.ticks.length).toBeLessThanOrEqual(ticks * 2 + 2);
          expect(new Set(axis.labels).size).toBe(axis.labels.length);
          for (const tick of axis.ticks) {
            expect(tick).toBeGreaterThanOrEqual(axis.low - 1e-6 * Math.abs(axis.low) - 1e-6);
            expect(tick).toBeLessThanOrEqual(axis.high + 1e-6 * Math.abs(axis.high) + 1e-6);
          }
        },
      ),
    );
  });
});

test("a count axis starts at 0 and never has half a container", () => {
  expect(countAxis(7300, "per hour", { ticks: 2 })).toMatchObject({ low: 0, high: 10_000 });
  expect(countAxis(0, "", { least: 4 }).ticks).toEqual([0, 2, 4]);
});

describe("timeTicks", () => {
  const day = (isoDay: string) => Date.parse(`${isoDay}T00:00:00Z`);

  test("24 h in UTC: round hours, the day where it begins", () => {
    const from = Date.parse("2026-12-02T14:20:00Z");
    const ticks = timeTicks(from, from + 86_400_000, "UTC", 980);
    expect(ticks.map((tick) => tick.label)).toEqual([
      "16:00",
      "18:00",
      "20:00",
      "22:00",
      "Thu 3 Dec",
      "02:00",
      "04:00",
      "06:00",
      "08:00",
      "10:00",
      "12:00",
      "14:00",
    ]);
  });

  test("the zone moves the labels and the day", () => {
    const from = Date.parse("2026-12-02T14:20:00Z");
    const labels = timeTicks(from, from + 86_400_000, "Asia/Kolkata", 980).map((tick) => tick.label);
    expect(labels).toContain("Thu 3 Dec");
    expect(labels[0]).toBe("20:00");
  });

  test("days stay on midnight across the change of summer time", () => {
    const ticks = timeTicks(day("2026-10-20"), day("2026-10-30"), "Europe/Berlin", 980);
    expect(ticks.every((tick) => tick.startsDay)).toBe(true);
    const gaps = ticks.slice(1).map((tick, index) => (tick.atMs - (ticks[index]?.atMs ?? 0)) / 3_600_000);
    expect(gaps.filter((hours) => hours === 25)).toHaveLength(1);
  });

  test("labels never crowd, whatever the window, zone and width", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4_000_000_000_000 }),
        fc.integer({ min: 60_000, max: 3 * 366 * 86_400_000 }),
        fc.constantFrom("UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Apia"),
        fc.integer({ min: 200, max: 1600 }),
        (fromMs, spanMs, zone, widthPx) => {
          const ticks = timeTicks(fromMs, fromMs + spanMs, zone, widthPx);
          ticks.slice(1).forEach((tick, index) => {
            const apart = ((tick.atMs - (ticks[index]?.atMs ?? 0)) / spanMs) * widthPx;
            expect(apart).toBeGreaterThan(40);
          });
          for (const tick of ticks) {
            expect(tick.atMs).toBeGreaterThanOrEqual(fromMs);
            expect(tick.atMs).toBeLessThanOrEqual(fromMs + spanMs);
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});

test("a pixel and its moment are one place", () => {
  const scale = { fromMs: 1_000_000, toMs: 2_000_000, leftPx: 52, rightPx: 952 };
  expect(timeToPx(scale, pxToTime(scale, 300))).toBeCloseTo(300, 2);
  expect(pxToTime(scale, -50)).toBe(1_000_000);
  expect(pxToTime(scale, 5000)).toBe(2_000_000);
});
