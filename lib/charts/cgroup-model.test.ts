import { describe, expect, it } from "vitest";
import type { ForecastList } from "#lib/contracts/forecast.ts";
import {
  cgroupFinding,
  emptyCgroupTable,
  idMetric,
  noEmptyCgroupText,
  rootLeavesKernelOut,
  treeTable,
} from "./cgroup-model.ts";
import { withoutEmptyColumns } from "./reported-columns.ts";

const cgroups = { count: 60_000, live: 500, dying: 59_500, idLimit: 65_535 as const };

describe("memory-cgroup ids", () => {
  it("are held by dying cgroups too before kernel 4.8", () => {
    expect(idMetric("3.10.0-957.el7")).toBe("cgroup.memory.count");
    expect(
      cgroupFinding({ kernelRelease: "3.10.0-957.el7", cgroups: { ...cgroups, idsHeld: 60_000 } }, [], 0),
    ).toBe(
      "60,000 of 65,535 memory-cgroup ids are held (91.6\u202f%): 500 live, 59,500 dying; dying ones hold theirs on this kernel.",
    );
  });

  it("run out at a time that the heading says, where it is foreseen within a month", () => {
    const held = { kernelRelease: "3.10.0-957.el7", cgroups: { ...cgroups, idsHeld: 60_000 } };
    const foreseen = (at: number) =>
      ({
        metric: "cgroup.memory.count",
        exhaustion: { what: "memory-cgroup ids", at, ci95: [at - 3_600_000, at + 3_600_000] },
      }) as ForecastList["forecasts"][number];
    const told = (hours: number) => cgroupFinding(held, [foreseen(hours * 3_600_000)], 0);
    expect(told(14)).toMatch(/on this kernel\. They run out in 14 h \(13 h to 15 h\) if growth goes on\.$/);
    expect(told(24 * 40)).toMatch(/on this kernel\.$/);
  });

  it("are held by live ones alone from 4.8 on, and not known where these were not counted", () => {
    expect(idMetric("4.19.0-6-amd64")).toBe("cgroup.memory.live");
    expect(cgroupFinding({ kernelRelease: "6.1.0", cgroups: { ...cgroups, idsHeld: 500 } }, [], 0)).toMatch(
      /^500 of .*given theirs back\.$/,
    );
    const unknown = { count: 60_000, live: null, dying: null, idsHeld: null, idLimit: 65_535 as const };
    expect(cgroupFinding({ kernelRelease: "6.1.0", cgroups: unknown }, [], 0)).toBe(
      "How many memory-cgroup ids are held is not known: the live cgroups were not counted. The kernel counts 60,000, dying ones included.",
    );
  });
});

describe("largest trees", () => {
  const trees = [
    { path: "/", usageKib: 800, kernelKib: 300 },
    { path: "/kubepods", usageKib: 1000, kernelKib: 290 },
  ];

  it("say of the root of v1, and of no other, that kernel memory is left out", () => {
    expect(treeTable(trees, "v1").rows.map(([path]) => path)).toEqual([
      "/ (all: without kernel memory)",
      "/kubepods",
    ]);
    for (const mode of ["v2", null] as const) {
      expect(rootLeavesKernelOut(trees, mode)).toBe(false);
      expect(treeTable(trees, mode).rows[0]?.[0]).toBe("/");
    }
    expect(rootLeavesKernelOut(trees.slice(1), "v1")).toBe(false);
  });

  it("leave out columns that the kernel does not report, and name them", () => {
    const { table, left } = withoutEmptyColumns(treeTable(trees, "v2"));
    expect(table).toEqual({
      columns: ["cgroup", "all (KiB)", "kernel (KiB)"],
      rows: [
        ["/", 800, 300],
        ["/kubepods", 1000, 290],
      ],
    });
    expect(left).toContain("slab (KiB)");
  });
});

it("says how many directories were looked at where none is empty", () => {
  expect(noEmptyCgroupText([{ hierarchy: "memory", directories: 1200, empty: 0, clusters: [] }])).toBe(
    "None: each directory that was looked at has a process or a child (directories: memory 1,200).",
  );
});

it("lists empty cgroups by name, the commonest first", () => {
  const table = emptyCgroupTable([
    { hierarchy: "memory", directories: 90, empty: 12, clusters: [{ name: "run-r*.scope", empty: 12 }] },
    {
      hierarchy: "name=systemd",
      directories: 40,
      empty: 30,
      clusters: [{ name: "crio-*.scope", empty: 30 }],
    },
  ]);
  expect(table.rows).toEqual([
    ["name=systemd", "crio-*.scope", 30, 40],
    ["memory", "run-r*.scope", 12, 90],
  ]);
});
