import { describe, expect, it } from "vitest";

import { readTreeFile } from "../../../scripts/testing/fixture-trees.ts";
import { isHugePageCount, parseMeminfo } from "./meminfo.ts";

const read = (text: string) => Object.fromEntries(parseMeminfo(text).value.values);

describe("parseMeminfo", () => {
  it("keeps every line of a 6.18 kernel, also those that Plumbline does not know", () => {
    const text = readTreeFile("6.18-debian12-x86_64", "proc/meminfo") ?? "";
    const { value, warnings } = parseMeminfo(text);
    expect(warnings).toEqual([]);
    const rebuilt = text
      .trimEnd()
      .split("\n")
      .map((line) => {
        const [key = "", number] = line.split(/:\s+| kB/);
        return [key, Number(number)];
      });
    expect([...value.values]).toEqual(rebuilt);
    expect(value.values.has("Balloon")).toBe(true);
    expect(value.values.has("Quicklists")).toBe(false);
  });

  it("keeps parentheses in names and counts without unit", () => {
    expect(read("Active(anon):   12 kB\nHugePages_Total:       3\nNewThing: 4 kB\n")).toEqual({
      "Active(anon)": 12,
      HugePages_Total: 3,
      NewThing: 4,
    });
    expect(isHugePageCount("HugePages_Rsvd")).toBe(true);
    expect(isHugePageCount("Hugepagesize")).toBe(false);
  });

  it("reads CRLF, blank lines and lines whose unit a tool has dropped", () => {
    expect(read("MemTotal: 5 kB\r\n\r\nMemFree: 4\r\n")).toEqual({ MemTotal: 5, MemFree: 4 });
  });

  it("does not take a number that may be cut", () => {
    expect(read("MemTotal: 100 kB\nMemFree: 24")).toEqual({ MemTotal: 100 });
    expect(read("MemTotal: 100 kB\nMemFree: 2468 k")).toEqual({ MemTotal: 100 });
    expect(read("MemTotal: 100 kB\nMemFree: 2468 kB")).toEqual({ MemTotal: 100, MemFree: 2468 });
  });

  it("names path, line and expectation of what it cannot read", () => {
    const { value, warnings } = parseMeminfo(
      "MemTotal: 1 kB\nMemFree 5 kB\nCached: 1 MB\nBuffers: -3 kB\nMemTotal: 2 kB\nA: 1 kB 2 kB\nHugePages_Free: 1 kB\n",
      "/host/proc/meminfo",
    );
    expect([...value.values]).toEqual([["MemTotal", 1]]);
    expect(warnings).toEqual([
      {
        path: "/host/proc/meminfo",
        lineNumber: 2,
        line: "MemFree 5 kB",
        expected: "`Key: N kB` with N below 2^53",
      },
      { path: "/host/proc/meminfo", lineNumber: 3, line: "Cached: 1 MB", expected: "the unit kB" },
      {
        path: "/host/proc/meminfo",
        lineNumber: 4,
        line: "Buffers: -3 kB",
        expected: "`Key: N kB` with N below 2^53",
      },
      { path: "/host/proc/meminfo", lineNumber: 5, line: "MemTotal: 2 kB", expected: "each key once" },
      {
        path: "/host/proc/meminfo",
        lineNumber: 6,
        line: "A: 1 kB 2 kB",
        expected: "`Key: N kB` with N below 2^53",
      },
      {
        path: "/host/proc/meminfo",
        lineNumber: 7,
        line: "HugePages_Free: 1 kB",
        expected: "a count of pages without unit",
      },
    ]);
  });

  it("holds that a counter below zero, printed as unsigned 64 bits, is absent", () => {
    expect(read("Committed_AS: 18446744073709526304 kB\nVmallocTotal: 34359738367 kB\n")).toEqual({
      VmallocTotal: 34_359_738_367,
    });
    expect(read("A: 9007199254740991 kB\nB: 9007199254740992 kB\n")).toEqual({ A: 9_007_199_254_740_991 });
  });

  it("bounds the warnings of a text that is something else", () => {
    const { warnings } = parseMeminfo(`${"x".repeat(5000)}\n`.repeat(300));
    expect(warnings).toHaveLength(50);
    expect(warnings[0]?.line).toHaveLength(200);
    expect(warnings[49]?.expected).toContain("further lines are not listed");
  });

  it("reads what follows the table of a 2.4 kernel", () => {
    const text =
      "        total:    used:    free:\nMem:  1056 1024 32\nMemTotal:  1031 kB\nMemFree:  31 kB\n";
    const { value, warnings } = parseMeminfo(text);
    expect([...value.values.keys()]).toEqual(["MemTotal", "MemFree"]);
    expect(warnings.map((each) => each.lineNumber)).toEqual([1, 2]);
  });
});
