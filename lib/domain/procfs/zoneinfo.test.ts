import { describe, expect, it } from "vitest";

import { readTreeFile } from "../../../scripts/testing/fixture-trees.ts";
import { parseZoneinfo } from "./zoneinfo.ts";

const EL7 = `Node 0, zone      DMA
  pages free     3976
        min      8
        low      10
        high     12
        scanned  0
        spanned  4095
        present  3998
        managed  3977
    nr_free_pages 3976
    nr_alloc_batch 2
        protection: (0, 2815, 15869, 15869)
  pagesets
    cpu: 0
              count: 0
              high:  0
              batch: 1
  vm stats threshold: 6
  all_unreclaimable: 1
  start_pfn:         1
  inactive_ratio:    1
Node 1, zone   Normal
  pages free     100
        min      20
        low      25
        high     30
        managed  4000
    nr_free_pages 100
  pagesets
    cpu: 0
              count: 31
              high:  186
              batch: 31
  vm stats threshold: 6
    cpu: 1
              count: 12
              high:  186
              batch: 31
  vm stats threshold: 6
  all_unreclaimable: 0
  start_pfn:         4096
  inactive_ratio:    3
`;

describe("parseZoneinfo", () => {
  it("reads the zones and sums the per-CPU lists of a 3.10 kernel", () => {
    const { value, warnings } = parseZoneinfo(EL7);
    expect(warnings).toEqual([]);
    expect(value.pcpFreePages).toBe(43);
    expect(value.nodeStats.size).toBe(0);
    expect(value.zones).toEqual([
      {
        node: 0,
        name: "DMA",
        freePages: 3976,
        minPages: 8,
        lowPages: 10,
        highPages: 12,
        spannedPages: 4095,
        presentPages: 3998,
        managedPages: 3977,
        pcpPages: 0,
        statThreshold: 6,
        other: new Map([
          ["scanned", 0],
          ["nr_free_pages", 3976],
          ["nr_alloc_batch", 2],
          ["all_unreclaimable", 1],
          ["start_pfn", 1],
          ["inactive_ratio", 1],
        ]),
      },
      {
        node: 1,
        name: "Normal",
        freePages: 100,
        minPages: 20,
        lowPages: 25,
        highPages: 30,
        spannedPages: undefined,
        presentPages: undefined,
        managedPages: 4000,
        pcpPages: 43,
        statThreshold: 6,
        other: new Map([
          ["nr_free_pages", 100],
          ["all_unreclaimable", 0],
          ["start_pfn", 4096],
          ["inactive_ratio", 3],
        ]),
      },
    ]);
  });

  it("reads a 6.18 kernel whole, with per-node counters and zones without pages", () => {
    const text = readTreeFile("6.18-debian12-x86_64", "proc/zoneinfo") ?? "";
    const { value, warnings } = parseZoneinfo(text);
    expect(warnings).toEqual([]);
    expect(value.zones.map((zone) => zone.name)).toEqual(["DMA", "DMA32", "Normal", "Movable", "Device"]);
    const counts = [...text.matchAll(/^\s+count:\s+(\d+)$/gm)].map((match) => Number(match[1]));
    expect(counts.length).toBe(6);
    expect(value.pcpFreePages).toBe(counts.reduce((sum, count) => sum + count, 0));
    expect(value.zones[3]).toMatchObject({ managedPages: 0, pcpPages: undefined });
    const slab = Number(/^\s+nr_slab_unreclaimable (\d+)$/m.exec(text)?.[1]);
    expect(value.nodeStats.get(0)?.get("nr_slab_unreclaimable")).toBe(slab);
    expect(value.zones[1]?.highPages).toBe(Number([...text.matchAll(/^ +high +(\d+)$/gm)][1]?.[1]));
  });

  it("gives no sum of the per-CPU lists when the text is cut inside a zone", () => {
    expect(parseZoneinfo(EL7.slice(0, EL7.lastIndexOf("  all_unreclaimable"))).value.pcpFreePages).toBe(
      undefined,
    );
    expect(parseZoneinfo(EL7.slice(0, EL7.indexOf("count: 12"))).value.pcpFreePages).toBe(undefined);
    expect(parseZoneinfo(EL7.slice(0, -1)).value.pcpFreePages).toBe(undefined);
    expect(parseZoneinfo(EL7.replace("count: 12", "count: x")).value.pcpFreePages).toBe(undefined);
    expect(parseZoneinfo(EL7.slice(0, EL7.indexOf("  pagesets"))).value.pcpFreePages).toBe(undefined);
  });

  it("names what stands outside of any zone", () => {
    expect(parseZoneinfo("hello\n").warnings).toEqual([
      { path: "/proc/zoneinfo", lineNumber: 1, line: "hello", expected: "`Node N, zone NAME`" },
    ]);
  });
});
