import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compositionMode } from "#lib/contracts/series.ts";
import { BANDS, UNRECLAIMABLE_BANDS } from "#lib/domain/memory/bands.ts";
import { SAMPLE_NOW_MS, sampleComposition } from "../../scripts/testing/chart-samples.ts";
import {
  compositionChips,
  compositionFinding,
  compositionModel,
  defaultMode,
  readoutAt,
} from "./composition-model.ts";

const view = { zone: "UTC", nowMs: SAMPLE_NOW_MS };
const shape = fc.record({
  count: fc.integer({ min: 2, max: 60 }),
  growthKib: fc.integer({ min: -15_000, max: 60_000 }),
});

/** What the drawn edges of a row add up to: the negative parts count below zero. */
function sum(extents: readonly (readonly [number, number] | null)[]): number {
  return extents.reduce((total, edges, position) => {
    if (!edges) return total;
    const size = edges[1] - edges[0];
    return total + (position >= BANDS.length ? -size : size);
  }, 0);
}

describe("compositionModel", () => {
  test("edges add up to MemTotal, to 1, and to zero, in the three modes", () => {
    fc.assert(
      fc.property(shape, (given) => {
        const series = sampleComposition(given);
        for (const [mode, expected] of [
          ["gib", series.totalKib[0] ?? 0],
          ["share", 1],
          ["change", 0],
        ] as const) {
          for (const row of compositionModel(series, mode, view).rows)
            expect(sum(row.extents)).toBeCloseTo(expected, mode === "share" ? 9 : 3);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("the order of the stack never changes and unaccounted dips below zero", () => {
    const model = compositionModel(sampleComposition({ totalKib: 16 * 1024 * 1024 }), "gib", view);
    const upwards = BANDS.map((band) => band.key).toReversed();
    expect(model.layers.map((layer) => layer.key)).toEqual([...upwards, ...upwards]);
    expect(model.rows[0]?.extents[BANDS.length]).toEqual([-40_000, 0]);
    expect(model.layers.filter((layer) => layer.below && layer.visible).map((layer) => layer.key)).toEqual([
      "unacc",
    ]);
    expect(model.axis.low).toBe(-40_000);
  });

  test("a gap and a reboot break the stack; nothing is joined across them", () => {
    const series = sampleComposition({ count: 60, rebootAt: 40, gap: [10, 20] });
    const rows = compositionModel(series, "gib", view).rows;
    const breaks = rows.filter((row) => row.extents.every((edges) => edges === null));
    expect(breaks).toHaveLength(2);
    const reboot = series.reboots[0]?.at ?? 0;
    expect(breaks.some((row) => Math.abs(row.timeMs - reboot) <= 300_000)).toBe(true);
  });

  test("change counts from the start of the window, and after a reboot from that boot", () => {
    const series = sampleComposition({ count: 60, rebootAt: 40 });
    const rows = compositionModel(series, "change", view).rows;
    const firstOfBoot = rows.find((row) => row.timeMs === series.reboots[0]?.at);
    expect(firstOfBoot?.extents.every((edges) => edges?.[0] === edges?.[1])).toBe(true);
  });

  test("a boot reckoned to before the last sample of the one before still begins after it", () => {
    const series = sampleComposition({ count: 60, rebootAt: 40 });
    const [boot] = series.reboots;
    const early = { ...series, reboots: boot ? [{ ...boot, at: boot.at - 700_000 }] : [] };
    expect(compositionModel(early, "change", view).rows).toEqual(
      compositionModel(series, "change", view).rows,
    );
  });

  test("a band that changes sign from sample to sample stays beside its neighbours", () => {
    const model = compositionModel(sampleComposition({ count: 40, growthKib: 20_000 }), "change", view);
    for (const row of model.rows)
      row.extents.forEach((edges, position) => {
        if (position >= BANDS.length) expect(edges?.[1]).toBeLessThanOrEqual(0);
        else expect(edges?.[0]).toBeGreaterThanOrEqual(0);
      });
  });

  test("a lone sample between two gaps stays visible", () => {
    const series = { ...sampleComposition({ count: 3 }) };
    const times = series.timesMs;
    const lone = {
      ...series,
      gaps: [
        { from: times[0] ?? 0, to: times[1] ?? 0 },
        { from: times[1] ?? 0, to: times[2] ?? 0 },
      ],
    };
    const drawn = compositionModel(lone, "gib", view).rows.filter((row) => row.extents[0] !== null);
    expect(drawn).toHaveLength(6);
    expect(new Set(drawn.map((row) => row.timeMs)).size).toBe(6);
  });

  test("no samples: no rows, an axis all the same", () => {
    const none = sampleComposition({ count: 0 });
    const model = compositionModel(none, "change", view);
    expect(model.rows).toEqual([]);
    expect(model.axis.high).toBeGreaterThan(model.axis.low);
    expect(compositionFinding(none)).toBe("No sample in this window.");
  });
});

test("the change view is chosen while growth is under 5 % of MemTotal", () => {
  expect(defaultMode(sampleComposition({ growthKib: 26_000 }))).toBe("change");
  expect(defaultMode(sampleComposition({ growthKib: 260_000 }))).toBe("gib");
});

test("the readout says what a kernel does not report, and never 0 for it", () => {
  const readout = readoutAt(sampleComposition(), 288);
  expect(readout?.rows.find((row) => row.key === "vmalloc")).toMatchObject({
    reported: false,
    value: "not reported",
  });
  expect(readout?.total).toEqual({ value: "188.00", change: "0.00" });
  expect(readout?.rows.find((row) => row.key === "sunrecl")?.change).toBe("+7.14");
  expect(readoutAt(sampleComposition(), 5000)).toBeUndefined();
});

test("chips lie inside the plot, on the band they name, none over another", () => {
  const model = compositionModel(sampleComposition(), "change", view);
  const plot = {
    widthPx: 900,
    heightPx: 320,
    fromMs: SAMPLE_NOW_MS - 288 * 300_000,
    toMs: SAMPLE_NOW_MS,
  };
  const chips = compositionChips(model, plot);
  expect(chips.map((chip) => chip.text).join()).toContain("slab, unreclaimable +");
  chips.forEach((chip, index) => {
    expect(chip.xPx - chip.widthPx / 2).toBeGreaterThanOrEqual(0);
    expect(chip.xPx + chip.widthPx / 2).toBeLessThanOrEqual(900);
    for (const other of chips.slice(index + 1)) {
      const apart =
        Math.abs(other.xPx - chip.xPx) >= (other.widthPx + chip.widthPx) / 2 ||
        Math.abs(other.yPx - chip.yPx) >= 16;
      expect(apart).toBe(true);
    }
  });
});

test("a few samples at the edge of a long window get no chips beside them", () => {
  const model = compositionModel(sampleComposition({ count: 3 }), "change", view);
  const plot = { widthPx: 900, heightPx: 320, fromMs: SAMPLE_NOW_MS - 86_400_000, toMs: SAMPLE_NOW_MS };
  expect(compositionChips(model, plot)).toEqual([]);
});

test("no chip reaches over a stretch without samples, at the edges or in a gap", () => {
  const series = sampleComposition({ count: 200, gap: [60, 120] });
  const stepMs = 300_000;
  const plot = { widthPx: 900, heightPx: 320, fromMs: SAMPLE_NOW_MS - 288 * stepMs, toMs: SAMPLE_NOW_MS };
  const xOf = (timeMs: number) => ((timeMs - plot.fromMs) / (plot.toMs - plot.fromMs)) * plot.widthPx;
  const [gap] = series.gaps;
  for (const mode of compositionMode.options) {
    const chips = compositionChips(compositionModel(series, mode, view), plot);
    expect(chips.length).toBeGreaterThan(0);
    for (const chip of chips) {
      const [left, right] = [chip.xPx - chip.widthPx / 2, chip.xPx + chip.widthPx / 2];
      expect(left).toBeGreaterThanOrEqual(xOf(series.timesMs[0] ?? 0));
      expect(right <= xOf(gap?.from ?? 0) || left >= xOf(gap?.to ?? 0)).toBe(true);
    }
  }
});

test("the text alternative carries the finding", () => {
  expect(compositionFinding(sampleComposition({ growthKib: 26_000 }))).toMatch(
    /^slab, unreclaimable grew 7\.14\u00a0GiB, free shrank 7\.\d\d\u00a0GiB over the window\.$/,
  );
});

test("the kernel's own change is of its bands alone, adds up to its line, and is not dwarfed by page cache", () => {
  const series = sampleComposition({ count: 40, growthKib: 20_000 });
  const model = compositionModel(series, "kernel", view);
  const drawn = new Set(model.layers.filter(({ visible }) => visible).map(({ key }) => key));
  for (const key of drawn) expect(UNRECLAIMABLE_BANDS).toContain(key);
  for (const { extents, line } of model.rows) {
    if (line !== null) expect(sum(extents)).toBeCloseTo(line, 3);
  }
  const whole = compositionModel(series, "change", view).axis;
  expect(model.axis.high - model.axis.low).toBeLessThan(whole.high - whole.low);
  expect(model.note).toMatch(/cannot give back/);
  const last = series.timesMs.length - 1;
  expect(readoutAt(series, last, "kernel")).toMatchObject({ unit: "GiB", changeUnit: "MiB" });
  expect(readoutAt(series, last)?.changeUnit).toBe("GiB");
});
