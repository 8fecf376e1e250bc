import { describe, expect, it } from "vitest";
import type { ChangePointList } from "#lib/contracts/change-point.ts";
import type { DecomposedWhole } from "#lib/contracts/decomposition.ts";
import type { Forecast } from "#lib/contracts/forecast.ts";
import { changeRows, steepestStretch } from "./change-point-model.ts";
import { decompositionTable, shareModel, smallPartsText } from "./decomposition-model.ts";
import { forecastModels } from "./forecast-model.ts";

const HOUR_MS = 3_600_000;
const MIB = 1024;
const view = { zone: "UTC", nowMs: Date.UTC(2026, 2, 1, 12) };
const at = Date.UTC(2026, 2, 1, 4, 15);
const window = { fromMs: at - 14 * HOUR_MS, toMs: view.nowMs };

const list: ChangePointList = {
  nodeId: 1,
  metric: "total.kernelUnreclaimable",
  unit: "KiB",
  from: window.fromMs,
  to: window.toMs,
  verdict: "changed",
  text: "",
  method: "",
  changePoints: [
    {
      bootId: "a",
      at,
      ci95: [at - 6 * 60_000, at + 6 * 60_000],
      slopePerHourBefore: 312 * MIB,
      ci95Before: [298 * MIB, 327 * MIB],
      slopePerHourAfter: 4 * MIB,
      ci95After: [-6 * MIB, 13 * MIB],
      slopeChangePerHour: -308 * MIB,
      ci95Change: [-325 * MIB, -291 * MIB],
      text: "",
      nearby: [],
    },
  ],
  stretches: [
    { bootId: "a", from: window.fromMs, to: at, slopePerHour: 312 * MIB, ci95: [298 * MIB, 327 * MIB] },
    { bootId: "a", from: at, to: window.toMs, slopePerHour: 4 * MIB, ci95: [-6 * MIB, 13 * MIB] },
  ],
};

describe("changeRows", () => {
  it("prints slopes in MiB/h and where the change may lie", () => {
    expect(changeRows(list, view)).toMatchObject([
      {
        when: "04:15",
        between: "04:09\u201304:21",
        before: { value: "312", interval: "298\u2013327" },
        slopeChange: { value: "\u2212308" },
        beforePlot: [312, 298, 327],
        nearby: [],
      },
    ]);
    expect(changeRows(undefined, view)).toEqual([]);
  });
});

describe("steepestStretch", () => {
  it("is what certainly grew fastest, and the window where nothing changed", () => {
    expect(steepestStretch(list, window)).toEqual({ fromMs: window.fromMs, toMs: at });
    expect(steepestStretch({ ...list, verdict: "unchanged" }, window)).toBe(window);
    expect(steepestStretch({ ...list, stretches: list.stretches.slice(1) }, window)).toBe(window);
    expect(steepestStretch(undefined, window)).toBe(window);
  });
});

const part = (key: string, share: number | null) => ({
  key,
  label: key,
  slopeKibPerHour: (share ?? 0.5) * 1000,
  ci95: [(share ?? 0.5) * 1000 - 50, (share ?? 0.5) * 1000 + 50] as [number, number],
  share,
  shareCi95: share === null ? null : ([share - 0.05, share + 0.05] as [number, number]),
});
const whole = (shares: readonly (number | null)[]): DecomposedWhole => ({
  slopeKibPerHour: 1000,
  ci95: [900, 1100],
  pValue: 0,
  significant: true,
  n: 100,
  from: 0,
  to: 1,
  parts: shares.map((share, k) => part(`p${k}`, share)),
});

describe("shareModel", () => {
  it("puts what shrank below zero on the common axis, and names what is too small to draw", () => {
    const { rows, zero, small } = shareModel(whole([0.8, 0.4, -0.2, 0.001]));
    expect(zero).toBeCloseTo(0.2, 9);
    expect(rows.map(({ bar }) => bar.map((end) => Math.round(100 * end)))).toEqual([
      [20, 100],
      [20, 60],
      [0, 20],
    ]);
    expect(rows[2]?.share).toBe("\u221220\u202f%");
    expect(rows[0]?.shareInterval).toBe("75\u201385");
    expect(smallPartsText(small)).toBe("Under 0.5 % each: p3.");
    expect(smallPartsText([])).toBe("");
  });
  it("leaves an interval its ends, however narrow it is", () => {
    const narrow = { ...part("p0", 0.592), shareCi95: [0.5905, 0.5935] as [number, number] };
    const [row] = shareModel({ ...whole([]), parts: [narrow] }).rows;
    expect([row?.share, row?.shareInterval]).toEqual(["59.2\u202f%", "59.1\u201359.4"]);
  });
  it("has one unit for all slopes: that of the largest", () => {
    const sized = (kib: number) => ({
      ...part("p", 0.5),
      slopeKibPerHour: kib,
      ci95: [kib, kib] as [number, number],
    });
    const model = shareModel({ ...whole([]), parts: [sized(40 * 1024), sized(2 * 1024)] });
    expect([model.unit, ...model.rows.map(({ slope }) => Number(slope))]).toEqual(["MiB/h", 40, 2]);
    expect(shareModel({ ...whole([]), parts: [sized(40)] }).unit).toBe("KiB/h");
  });
  it("draws no bar without a share", () => {
    const { rows } = shareModel(whole([null]));
    expect(rows[0]).toMatchObject({ share: "\u2013", shareInterval: "", bar: [0, 0] });
  });
  it("is a table with empty cells for what is not known", () => {
    const table = decompositionTable({
      nodeId: 1,
      from: 0,
      to: 1,
      verdict: "not-growing",
      text: "",
      method: "",
      bands: whole([null]),
      slab: null,
    });
    expect(table.rows).toEqual([["unreclaimable kernel memory", "p0", 500, 450, 550, null, null, null]]);
  });
});

describe("forecastModels", () => {
  const nowMs = view.nowMs;
  const fan = {
    timesMs: [nowMs, nowMs + 10 * HOUR_MS],
    values: [100, 200],
    low: [100, 190],
    high: [100, 210],
    limit: 190,
  };
  const forecast: Forecast = {
    metric: "total.kernelUnreclaimable",
    label: "kernel memory, unreclaimable",
    unit: "KiB",
    what: "memory",
    verdict: "leaking",
    text: "At this rate memory runs out.",
    lines: [
      { bootId: "a", timesMs: [nowMs - 24 * HOUR_MS, nowMs], values: [0, 100], low: [0, 90], high: [0, 110] },
    ],
    fan,
    exhaustion: { what: "memory", at: nowMs + 9 * HOUR_MS, ci95: [nowMs + 8 * HOUR_MS, null] },
    silentBecause: null,
  };
  const box = { widthPx: 300, heightPx: 60 };
  it("draws the past at the left, and leaves an open end open", () => {
    const [model] = forecastModels([forecast], box, view);
    expect(model?.left).toEqual({ point: "9 h", interval: "8 h or more" });
    expect(model?.drawing?.latestX).toBeUndefined();
    expect(model?.drawing?.nowX).toBeCloseTo(105, 0);
    expect(model?.drawing?.earliestX).toBeLessThan(model?.drawing?.endX ?? 0);
    expect(model?.drawing?.band).not.toMatch(/NaN|undefined/);
  });
  it("says why there is none", () => {
    const silent = {
      ...forecast,
      fan: null,
      exhaustion: null,
      silentBecause: "it is shrinking",
      text: "No forecast.",
    };
    expect(forecastModels([silent], box, view)).toMatchObject([
      { title: "memory", left: undefined, drawing: undefined, text: "No forecast." },
    ]);
  });
});
