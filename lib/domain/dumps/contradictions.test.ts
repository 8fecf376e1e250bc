import { describe, expect, it } from "vitest";

import { readDump } from "./read-dump.ts";

const contradictionsOf = (text: string) => {
  const { contradictions, warnings } = readDump(text);
  for (const each of contradictions) expect(warnings).toContain(each);
  return contradictions;
};

describe("numbers that cannot be true together", () => {
  it.each([
    ["MemTotal: 8000000 kB\nMemFree: 9000000 kB\n", "MemFree (9,000,000) and MemTotal (8,000,000)"],
    ["SwapTotal: 10 kB\nSwapFree: 20 kB\n", "SwapFree (20) and SwapTotal (10)"],
    [
      "Slab: 7000000 kB\nSReclaimable: 7500000 kB\nSUnreclaim: 6500000 kB\n",
      "SReclaimable and SUnreclaim (14,000,000 together) and Slab (7,000,000)",
    ],
    [
      "MemTotal: 8000000 kB\nMemFree: 1000000 kB\n" +
        "              total        used        free      shared  buff/cache   available\n" +
        "Mem:       65808972    12345678    40000000      123456    13463294    52000000\n",
      "The totals of meminfo (8,000,000) and free (65,808,972)",
    ],
  ])("are said of %j", (text, sentence) => {
    expect(contradictionsOf(text)).toEqual([`${sentence} contradict each other.`]);
  });

  it.each([
    ["counters that lag", "Slab: 7000000 kB\nSReclaimable: 500400 kB\nSUnreclaim: 6500000 kB\n"],
    ["a known fault of a kernel", "MemTotal: 8000000 kB\nMemFree: 10 kB\nMemAvailable: 9000000 kB\n"],
    [
      "a tool that rounds",
      "MemTotal: 7800000 kB\nMemFree: 1000000 kB\n" +
        "              total        used        free      shared  buff/cache   available\n" +
        "Mem:           7.4G        5.2G        1.0G        120M        1.2G        2.0G\n",
    ],
  ])("are not seen in %s", (_what, text) => expect(contradictionsOf(text)).toEqual([]));
});
