import { describe, expect, it } from "vitest";
import { cgroupFinding, emptyCgroupTable, idMetric } from "./cgroup-model.ts";

const cgroups = { count: 60_000, live: 500, dying: 59_500, idLimit: 65_535 as const };

describe("memory-cgroup ids", () => {
  it("are held by dying cgroups too before kernel 4.8", () => {
    expect(idMetric("3.10.0-957.el7")).toBe("cgroup.memory.count");
    expect(cgroupFinding({ kernelRelease: "3.10.0-957.el7", cgroups: { ...cgroups, idsHeld: 60_000 } })).toBe(
      "60,000 of 65,535 memory-cgroup ids are held (91.6\u202f%): 500 live, 59,500 dying; dying ones hold theirs on this kernel.",
    );
  });

  it("are held by live ones alone from 4.8 on, and not known where these were not counted", () => {
    expect(idMetric("4.19.0-6-amd64")).toBe("cgroup.memory.live");
    expect(cgroupFinding({ kernelRelease: "6.1.0", cgroups: { ...cgroups, idsHeld: 500 } })).toMatch(
      /^500 of .*given theirs back\.$/,
    );
    const unknown = { count: 60_000, live: null, dying: null, idsHeld: null, idLimit: 65_535 as const };
    expect(cgroupFinding({ kernelRelease: "6.1.0", cgroups: unknown })).toMatch(/is not known/);
  });
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
