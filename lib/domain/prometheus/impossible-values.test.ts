import { describe, expect, it } from "vitest";
import { takePossible } from "./impossible-values.ts";
import type { ScrapeFields } from "./series-fields.ts";

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

const impossibleFields = (fields: ScrapeFields) => takePossible(fields, atMs).impossible;

describe("takePossible", () => {
  it("takes what a kernel may say", () => {
    expect(impossibleFields(SOUND)).toEqual([]);
    expect(impossibleFields({ ...SOUND, "boot time": atMs / 1000 + 300 })).toEqual([]);
  });

  it.each([
    ["meminfo MemFree", 8_789_062_500_000_000],
    ["meminfo MemFree", 8_000_001],
    ["meminfo MemTotal", 2 ** 43],
    ["boot time", 1e300],
  ])("names %s of %d", (field, value) => {
    expect(impossibleFields({ ...SOUND, [field]: value })).toEqual([field]);
  });

  it("knows no more than what a machine can have where MemTotal is not there", () => {
    expect(impossibleFields({ "meminfo SUnreclaim": 9_000_000 })).toEqual([]);
    expect(impossibleFields({ "meminfo SUnreclaim": 2 ** 43 })).toEqual(["meminfo SUnreclaim"]);
  });
});

it("leaves fields out", () => {
  const fields = { "meminfo MemTotal": 1000, "meminfo MemFree": 1001, "vmstat pgfault": 1 };
  expect(takePossible(fields, atMs).fields).toEqual({ "meminfo MemTotal": 1000, "vmstat pgfault": 1 });
});
