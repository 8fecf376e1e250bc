import { describe, expect, it } from "vitest";

import { readTreeFile } from "../../../scripts/testing/fixture-trees.ts";
import { parseVmallocinfo, sumByCaller } from "./vmallocinfo.ts";

describe("parseVmallocinfo", () => {
  it("reads every area of a 6.18 kernel, whose pages are VmallocUsed", () => {
    const text = readTreeFile("6.18-debian12-x86_64", "proc/vmallocinfo") ?? "";
    const { value, warnings } = parseVmallocinfo(text);
    expect(warnings).toEqual([]);
    expect(value.areas).toHaveLength(text.trimEnd().split("\n").length);
    const pages = value.areas.reduce((sum, area) => sum + (area.pages ?? 0), 0);
    const meminfo = readTreeFile("6.18-debian12-x86_64", "proc/meminfo") ?? "";
    const usedKib = Number(/^VmallocUsed: +(\d+) kB$/m.exec(meminfo)?.[1]);
    // The two files are read some milliseconds apart, between which tasks come and go.
    expect(Math.abs(pages * 4 - usedKib)).toBeLessThan(400);
  });

  it("reads caller, pages and flags", () => {
    const { value } = parseVmallocinfo(
      "0x0000-0x0001   20480 kernel_clone+0x94/0x3e0 pages=4 vmalloc N0=4\n" +
        "0x0000-0x0001    8192 acpi_os_map_iomem+0x1bc/0x1e0 phys=0x00000000000a0000 ioremap\n" +
        "0x0000-0x0001 33554432 pcpu_get_vm_areas+0x0/0x550 vmalloc\n" +
        "0x0000-0x0001 4096 unpurged vm_area\n",
    );
    expect(value.areas).toEqual([
      { sizeBytes: 20_480, caller: "kernel_clone", pages: 4, flags: ["vmalloc"] },
      { sizeBytes: 8192, caller: "acpi_os_map_iomem", pages: undefined, flags: ["ioremap"] },
      { sizeBytes: 33_554_432, caller: "pcpu_get_vm_areas", pages: undefined, flags: ["vmalloc"] },
      { sizeBytes: 4096, caller: "unpurged vm_area", pages: undefined, flags: [] },
    ]);
  });

  it("names lines that are no area, and a last one that may be cut", () => {
    const { value, warnings } = parseVmallocinfo("hello\n0x0-0x1 x\n0x0-0x1 4096 a+0x1/0x2 pages=1");
    expect(value.areas).toEqual([]);
    expect(warnings.map((each) => each.lineNumber)).toEqual([1, 2, 3]);
  });

  it("sums by caller, the largest first, and names the module", () => {
    const { value } = parseVmallocinfo(
      "0x0-0x1 20480 kernel_clone+0x94/0x3e0 pages=4 vmalloc N0=4\n" +
        "0x0-0x1 20480 kernel_clone+0x94/0x3e0 pages=4 vmalloc N0=4\n" +
        "0x0-0x1 8192 acpi_os_map_iomem+0x1bc/0x1e0 ioremap\n" +
        "0x0-0x1 4198400 nvidia_alloc+0x1/0x2 [nvidia] pages=1024 vmalloc\n",
    );
    expect(sumByCaller(value)).toEqual([
      { caller: "nvidia_alloc", module: "nvidia", areas: 1, pages: 1024, sizeBytes: 4_198_400 },
      { caller: "kernel_clone", module: undefined, areas: 2, pages: 8, sizeBytes: 40_960 },
      { caller: "acpi_os_map_iomem", module: undefined, areas: 1, pages: undefined, sizeBytes: 8192 },
    ]);
  });
});
