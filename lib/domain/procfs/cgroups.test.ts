import { describe, expect, it } from "vitest";

import { readTreeFile } from "../../../scripts/testing/fixture-trees.ts";
import { parseCgroupStat } from "./cgroup-stat.ts";
import { parseCgroups } from "./cgroups.ts";

describe("parseCgroups", () => {
  it("reads a hybrid machine", () => {
    const { value, warnings } = parseCgroups(readTreeFile("6.18-debian12-x86_64", "proc/cgroups") ?? "");
    expect(warnings).toEqual([]);
    expect([...value.controllers.keys()]).toEqual([
      "cpuset",
      "cpu",
      "cpuacct",
      "blkio",
      "memory",
      "devices",
      "freezer",
      "net_cls",
      "perf_event",
      "net_prio",
      "hugetlb",
      "pids",
    ]);
    expect(value.controllers.get("memory")).toEqual({ hierarchy: 4, numCgroups: 43, enabled: true });
    expect(value.controllers.get("hugetlb")?.hierarchy).toBe(0);
  });

  it("has no memory row where the kernel prints none or the text ends inside it", () => {
    expect(parseCgroups("cpu\t0\t7\t1\n").value.controllers.has("memory")).toBe(false);
    const cut = parseCgroups("memory\t4\t655", "cgroups");
    expect(cut.value.controllers.size).toBe(0);
    expect(cut.warnings).toEqual([
      {
        path: "cgroups",
        lineNumber: 1,
        line: "memory\t4\t655",
        expected: "name, hierarchy, num_cgroups, enabled",
      },
    ]);
  });

  it("takes the first of two rows and a disabled controller", () => {
    const { value, warnings } = parseCgroups("memory 0 1 0\nmemory 4 9 1\nx 1 2 3 4\n");
    expect(value.controllers.get("memory")).toEqual({ hierarchy: 0, numCgroups: 1, enabled: false });
    expect(warnings.map((each) => each.lineNumber)).toEqual([2, 3]);
  });
});

describe("parseCgroupStat", () => {
  it("tells the dying from the living, by controller where the kernel does", () => {
    const text =
      "nr_descendants 12\nnr_dying_descendants 340\nnr_subsys_memory 10\nnr_dying_subsys_memory 339\n";
    expect(parseCgroupStat(text).value).toMatchObject({
      descendants: 12,
      dyingDescendants: 340,
      memoryDescendants: 10,
      dyingMemoryDescendants: 339,
    });
  });

  it("has nothing for the controllers of an older kernel", () => {
    expect(parseCgroupStat("nr_descendants 0\n").value).toMatchObject({
      descendants: 0,
      dyingDescendants: undefined,
      memoryDescendants: undefined,
    });
  });
});
