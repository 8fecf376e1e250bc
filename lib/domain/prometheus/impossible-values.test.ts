import { describe, expect, it } from "vitest";
import { impossibleFields, withoutFields } from "./impossible-values.ts";

const atMs = Date.parse("2026-03-01T12:00:00Z");
const SOUND = {
  "meminfo MemTotal": 8_000_000,
  "meminfo MemFree": 8_000_000,
  "meminfo VmallocTotal": 34_359_738_367,
  "meminfo Committed_AS": 90_000_000,
  "meminfo SwapTotal": 64_000_000,
  "meminfo Zswapped": 20_000_000,
  "vmstat pgfault": 9e15,
  "boot time": atMs / 1000 - 60,
  "uname release": "6.1.0",
};

describe("impossibleFields", () => {
  it("takes what a kernel may say", () => {
    expect(impossibleFields(SOUND, atMs)).toEqual([]);
    expect(impossibleFields({ ...SOUND, "boot time": atMs / 1000 + 300 }, atMs)).toEqual([]);
  });

  it.each([
    ["meminfo MemFree", 8_789_062_500_000_000],
    ["meminfo MemFree", 8_000_001],
    ["meminfo MemTotal", 2 ** 43],
    ["boot time", 1e300],
  ])("names %s of %d", (field, value) => {
    expect(impossibleFields({ ...SOUND, [field]: value }, atMs)).toEqual([field]);
  });

  it("knows no more than what a machine can have where MemTotal is not there", () => {
    expect(impossibleFields({ "meminfo SUnreclaim": 9_000_000 }, atMs)).toEqual([]);
    expect(impossibleFields({ "meminfo SUnreclaim": 2 ** 43 }, atMs)).toEqual(["meminfo SUnreclaim"]);
  });
});

it("leaves fields out", () => {
  expect(withoutFields({ a: 1, b: 2 }, ["b", "c"])).toEqual({ a: 1 });
});
