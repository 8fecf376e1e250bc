import { describe, expect, it } from "vitest";

import { malformedFiles, readMalformed, readTreeFile } from "../../../scripts/testing/fixture-trees.ts";
import { parseCgroups } from "./cgroups.ts";
import { parseMeminfo } from "./meminfo.ts";
import { parseSlabinfo } from "./slabinfo.ts";
import { parseVmstat } from "./vmstat.ts";
import { parseZoneinfo } from "./zoneinfo.ts";

const sound = parseMeminfo(readTreeFile("6.18-debian12-x86_64", "proc/meminfo") ?? "").value.values;

/** What must come out of each file under fixtures/malformed. */
const EXPECTATIONS: Record<string, (text: string) => void> = {
  "meminfo-empty": (text) => {
    expect(parseMeminfo(text)).toEqual({ value: { values: new Map() }, warnings: [] });
  },
  "meminfo-cut-inside-a-number": (text) => {
    const { value, warnings } = parseMeminfo(text);
    expect(value.values.size).toBe(text.split("\n").length - 1);
    for (const [key, kib] of value.values) expect(sound.get(key)).toBe(kib);
    expect(warnings.map((each) => each.expected)).toEqual(["a unit or a line end: the number may be cut"]);
  },
  "meminfo-crlf": (text) => {
    expect(parseMeminfo(text)).toEqual({ value: { values: sound }, warnings: [] });
  },
  "meminfo-reordered": (text) => {
    expect(new Map([...parseMeminfo(text).value.values].sort())).toEqual(new Map([...sound].sort()));
  },
  "meminfo-unknown-keys": (text) => {
    expect([...parseMeminfo(text).value.values].slice(-2)).toEqual([
      ["FutureCounter", 42],
      ["Future(pages)", 7],
    ]);
  },
  "meminfo-huge-values": (text) => {
    const { value, warnings } = parseMeminfo(text);
    expect(value.values.has("AnonPages") || value.values.has("Committed_AS")).toBe(false);
    expect(value.values.size).toBe(sound.size - 2);
    expect(warnings).toHaveLength(2);
  },
  "meminfo-2.4": (text) => {
    const { value, warnings } = parseMeminfo(text);
    expect(Object.fromEntries(value.values)).toEqual({
      MemTotal: 256_164,
      MemFree: 4952,
      MemShared: 0,
      Buffers: 11_236,
      Cached: 138_468,
    });
    expect(warnings.map((each) => each.lineNumber)).toEqual([1, 2, 3]);
  },
  "slabinfo-denied": (text) => {
    expect(parseSlabinfo(text)).toEqual({
      value: { version: undefined, caches: [] },
      warnings: [
        {
          path: "/proc/slabinfo",
          lineNumber: 1,
          line: "cat: /proc/slabinfo: Permission denied",
          expected: "a cache name, its active and its total objects",
        },
      ],
    });
  },
  "slabinfo-cut-columns": (text) => {
    const { caches } = parseSlabinfo(text).value;
    expect(caches.map((cache) => [cache.name, cache.numObjs, cache.pagesPerSlab, cache.numSlabs])).toEqual([
      ["kmalloc-8192", 268, 8, undefined],
      ["kmalloc-4096", 786, 8, undefined],
      ["kmalloc-2048", 1456, undefined, undefined],
    ]);
  },
  "slabinfo-same-name-twice": (text) => {
    const { value, warnings } = parseSlabinfo(text);
    expect(warnings).toEqual([]);
    expect(value.caches.map((cache) => [cache.name, cache.objSizeBytes])).toEqual([
      ["bio-1", 256],
      ["bio-1", 320],
    ]);
  },
  "zoneinfo-cut": (text) => {
    const { value } = parseZoneinfo(text);
    expect(value.zones.length).toBeGreaterThan(1);
    expect(value.pcpFreePages).toBe(undefined);
  },
  "vmstat-nul-bytes": (text) => {
    const { value, warnings } = parseVmstat(text);
    expect(value.values.size).toBe(0);
    expect(warnings).toHaveLength(text.split("\n").length);
  },
  "cgroups-no-memory-row": (text) => {
    const { value, warnings } = parseCgroups(text);
    expect(warnings).toEqual([]);
    expect(value.controllers.get("memory")).toBe(undefined);
    expect(value.controllers.size).toBe(3);
  },
};

describe("malformed files", () => {
  it.each(malformedFiles())("%s gives what it can", (file) => {
    const expectation = EXPECTATIONS[file];
    if (expectation === undefined) throw new Error(`no expectation for ${file}`);
    expectation(readMalformed(file));
  });

  it("are all there", () => {
    expect(malformedFiles()).toEqual(Object.keys(EXPECTATIONS).sort());
  });
});
