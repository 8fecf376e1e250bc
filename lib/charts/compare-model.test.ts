import { describe, expect, it } from "vitest";
import type { ComparedSide, Comparison } from "#lib/contracts/compare.ts";
import {
  clockText,
  clockTicks,
  compareAt,
  compareDomain,
  compareLines,
  compareRows,
  compareSeriesTable,
  differencesTable,
} from "./compare-model.ts";

const MIB = 1024;
const MINUTE_MS = 60_000;
const TOTAL = "total.kernelUnreclaimable";

function side(values: readonly (number | null)[], change: Partial<ComparedSide> = {}): ComparedSide {
  return {
    label: "magnesia",
    terms: ["12"],
    matched: 1,
    nodes: [
      {
        nodeId: 12,
        name: "magnesia",
        cluster: "athena",
        simulated: false,
        zeroAt: 0,
        from: 0,
        to: 1,
        rebootsMs: [],
      },
    ],
    leftOut: [],
    timesMs: values.map((_, index) => (index + 0.5) * MINUTE_MS),
    counts: values.map(() => 1),
    series: [{ metric: TOTAL, valuesKib: [...values] }],
    ...change,
  };
}

const contrast = (value: number, half: number) => ({
  a: { value: 0, ci95: [0, 0] as [number, number], nodes: 1 },
  b: { value, ci95: [value, value] as [number, number], nodes: 1 },
  value,
  ci95: [value - half, value + half] as [number, number],
});

function comparison(a: ComparedSide, b: ComparedSide): Comparison {
  return {
    align: "time",
    a,
    b,
    bucketSeconds: 60,
    common: { fromMs: 0, toMs: 5 * MINUTE_MS },
    differences: [
      {
        metric: TOTAL,
        label: "unreclaimable kernel memory",
        unit: "KiB",
        level: contrast(1229 * MIB, 100 * MIB),
        slopePerHour: contrast(210 * MIB, 30 * MIB),
        reason: null,
      },
      {
        metric: "band.percpu",
        label: "percpu",
        unit: "KiB",
        level: null,
        slopePerHour: null,
        reason: "0 points",
      },
    ],
    method: "",
    text: "",
    notes: [],
  };
}

describe("compareLines", () => {
  it("joins what lies together and breaks at gaps, at what is absent and at reboots", () => {
    const gap = { timesMs: [0, 1, 2, 3, 9, 10].map((minute) => minute * MINUTE_MS) };
    const reboot = side([1, 2, 3, 4, 5, 6]);
    const [node] = reboot.nodes;
    if (!node) throw new Error("a node");
    const rebooted = { ...reboot, nodes: [{ ...node, rebootsMs: [2 * MINUTE_MS] }] };
    const lines = compareLines(comparison(side([1, 2, 3, 4, 5, 6], gap), rebooted), TOTAL);
    expect(lines.a.map((each) => each.length)).toEqual([4, 2]);
    expect(lines.b.map((each) => each.length)).toEqual([1, 3]);
    expect(lines.reboots).toEqual([{ side: "b", atMs: 2 * MINUTE_MS }]);
  });
  it("has no line for a metric that a side does not report", () => {
    const absent = side([null, null]);
    const lines = compareLines(comparison(absent, side([5, 6])), TOTAL);
    expect(lines.a).toEqual([]);
    expect(lines.empty).toBe(false);
    expect(compareLines(comparison(absent, absent), TOTAL).empty).toBe(true);
  });
});

describe("clockTicks", () => {
  it("counts from the zero of the clock in round steps", () => {
    expect(clockTicks(-90 * MINUTE_MS, 150 * MINUTE_MS, 400).map(({ label }) => label)).toEqual([
      "\u221260 min",
      "0",
      "+60 min",
      "+2 h",
    ]);
    expect(clockText(-15 * MINUTE_MS)).toBe("\u221215 min");
    expect(clockText(150 * MINUTE_MS)).toBe("+2 h 30 min");
    expect(clockText(36 * 60 * MINUTE_MS)).toBe("+1 d 12 h");
    expect(clockText(4000)).toBe("0");
    expect(clockTicks(0, 5 * 366 * 86_400_000, 300).length).toBeLessThan(6);
  });
});

describe("compareAt", () => {
  it("reads both sides, and says nothing where a side has no sample", () => {
    const both = comparison(side([10, 20, 30]), side([7]));
    expect(compareAt(both, TOTAL, 0.6 * MINUTE_MS)).toMatchObject({ a: 10, b: 7 });
    expect(compareAt(both, TOTAL, 2.4 * MINUTE_MS)).toMatchObject({ a: 30, b: undefined, countB: 0 });
  });
});

describe("compareRows", () => {
  const both = comparison(side([1]), side([2]));
  it("sets each difference with the digits that its interval supports", () => {
    const [total, percpu] = compareRows(both);
    expect(total).toMatchObject({
      level: { value: "+1.20\u00a0GiB", interval: "1.10–1.30" },
      slope: { value: "+210", interval: "180–240" },
      tone: "growing",
    });
    expect(percpu).toMatchObject({ band: "percpu", plot: undefined, reason: "0 points" });
  });
  it("shares one axis that holds zero", () => {
    const [low, high] = compareDomain(compareRows(both));
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(240);
  });
  it("leaves empty in files what is absent", () => {
    const table = differencesTable(both);
    expect(table.columns).toHaveLength(21);
    expect(table.rows.map((row) => row.length)).toEqual([21, 21]);
    expect(table.rows[1]?.slice(2, 20).every((cell) => cell === null)).toBe(true);
    expect(compareSeriesTable(comparison(side([1, 2]), side([null])), TOTAL).rows).toEqual([
      [0.5, 1, 1, null, 1],
      [1.5, 2, 1, null, 0],
    ]);
  });
});
