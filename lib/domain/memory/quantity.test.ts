import { describe, expect, it } from "vitest";
import {
  formatCount,
  formatAmount,
  formatDuration,
  formatDurationEnds,
  formatEstimate,
  formatInterval,
  formatMemory,
  formatNumber,
  growthUnit,
  memoryUnit,
} from "./quantity.ts";

const MIB = 1024;

describe("formatNumber", () => {
  it.each([
    [-1234.56, 1, "−1,234.6"],
    [65535, 0, "65,535"],
    [1234567, -3, "1,235,000"],
    [-0.04, 1, "0.0"],
    [999, 0, "999"],
    [0.5, 2, "0.50"],
  ])("%f with %i decimals is %s", (value, decimals, expected) => {
    expect(formatNumber(value, decimals)).toBe(expected);
  });
  it("signs changes only when asked, and never zero", () => {
    expect(formatNumber(3.22, 2, { signed: true })).toBe("+3.22");
    expect(formatNumber(0.001, 2, { signed: true })).toBe("0.00");
  });
});

it("formatCount has the noun in the number that fits", () => {
  expect([0, 1, 2, 1234].map((count) => formatCount(count, "node"))).toEqual([
    "0 nodes",
    "1 node",
    "2 nodes",
    "1,234 nodes",
  ]);
  expect(formatCount(2, "process", "processes")).toBe("2 processes");
});

describe("formatMemory and formatAmount", () => {
  it("uses KiB, MiB and GiB by size", () => {
    expect(formatMemory(22_368_844)).toBe("21.3 GiB");
    expect(formatMemory(512)).toBe("512 KiB");
    expect(formatMemory(1536)).toBe("1.50 MiB");
    expect(formatMemory(-6.1 * MIB * MIB, { signed: true })).toBe("−6.10 GiB");
    expect(memoryUnit(0).label).toBe("KiB");
    expect(formatAmount(65535)).toBe("65,535");
    expect(formatAmount(0)).toBe("0");
  });
});

describe("formatEstimate", () => {
  it("prints what is next to nothing in its unit as nothing", () => {
    const { value, interval } = formatEstimate(1.7e-10, [-6e-11, 3.9e-10], growthUnit(1.7e-10));
    expect([value, interval]).toEqual(["0", "0–0"]);
  });

  it.each([
    [312.4, 298.1, 326.8, "312", "298–327"],
    [3.7, -5.9, 13.2, "4", "−6 to 13"],
    [-311.2, -331.4, -290.3, "−311", "−331 to −290"],
    [1234.5, 1100, 1369, "1,230", "1,100–1,370"],
    [1234.56, 1234.4, 1234.72, "1,234.6", "1,234.4–1,234.7"],
    [5, 5, 5, "5.00", "5.00–5.00"],
    [0.4, -2.1, 2.9, "0.4", "−2.1 to 2.9"],
    [2899.4, -67_147, 9574, "3,000", "−70,000 to 10,000"],
    [-5700, -11_620, 180, "−6,000", "−12,000 to 200"],
    [-5900, -11_620, -180, "−6,000", "−12,000 to −200"],
    [61, 0.3, 122, "60", "0.3–120"],
    [61, -0.3, 122, "60", "−0.3 to 120"],
  ])("%f (%f, %f) MiB/h is %s (%s)", (value, lower, upper, text, interval) => {
    const estimate = formatEstimate(value * MIB, [lower * MIB, upper * MIB], { label: "MiB/h", size: MIB });
    expect([estimate.value, estimate.interval, estimate.unit]).toEqual([text, interval, "MiB/h"]);
  });
  it("keeps KiB per container as they are", () => {
    expect(formatEstimate(74.9, [73.6, 76.2], { label: "KiB per container", size: 1 })).toEqual({
      value: "74.9",
      interval: "73.6–76.2",
      ends: ["73.6", "76.2"],
      unit: "KiB per container",
    });
  });
  it("shows growth in MiB/h unless that were nothing", () => {
    expect(growthUnit(2 * MIB * MIB).label).toBe("MiB/h");
    expect(growthUnit(20).label).toBe("KiB/h");
    expect(formatInterval([-2, -0.4], 0)).toBe("−2 to −0.4");
  });
});

describe("formatDuration", () => {
  it.each([
    [47, "47 min"],
    [14 * 60, "14 h"],
    [24 * 60, "24 h"],
    [44 * 60, "1 d 20 h"],
    [5.6 * 1440, "5.6 d"],
    [14 * 1440, "14 d"],
    [235.3 * 1440, "235 d"],
  ])("%f minutes are %s", (minutes, expected) => {
    expect(formatDuration(minutes * 60_000)).toBe(expected);
  });
});

describe("formatDurationEnds", () => {
  const HOUR_MS = 3_600_000;
  it.each([
    [30, 50, ["1 d 6 h", "2.1 d"]],
    [64.2, 65.1, ["2 d 16 h", "2 d 17 h"]],
    [43.8, 44.3, ["43.8 h", "44.3 h"]],
    [64.75, 65.48, ["64.8 h", "65.5 h"]],
    [44.01, 44.04, ["44 h 1 min", "44 h 2 min"]],
    [1.5, 1.6, ["90 min", "96 min"]],
    [5, 5, ["5 h", "5 h"]],
  ])("tells %j h from %j h", (from, to, texts) => {
    expect(formatDurationEnds(from * HOUR_MS, to * HOUR_MS)).toEqual(texts);
  });
});
