import { describe, expect, it } from "vitest";
import type { MetricSeries } from "#lib/contracts/series.ts";
import { laneTable } from "./chart-tables.ts";
import { laneChanges } from "./lane-model.ts";
import { OBJECT_METRICS, cgroupLanes, objectFinding, objectLanes, placeLanes } from "./object-lanes.ts";

const timesMs = Array.from({ length: 20 }, (_, index) => index * 60_000);

function series(values: Record<string, number | ((index: number) => number | null)>): MetricSeries {
  return {
    nodeId: 1,
    from: 0,
    to: 1_200_000,
    timesMs,
    gaps: [],
    reboots: [],
    resolution: { source: "raw", bucketSeconds: 60 },
    series: Object.entries(values).map(([metric, value]) => ({
      metric,
      label: metric,
      unit: metric.endsWith("Kib") || metric.startsWith("meminfo.") ? "KiB" : "count",
      kind: "gauge",
      values: timesMs.map((_, index) => (typeof value === "number" ? value : value(index))),
    })),
  };
}

describe("lanes of kernel objects", () => {
  it("are there for what was reported alone, and a limit once a count comes near it", () => {
    const lanes = objectLanes(
      series({ "fs.fileNr.allocated": 4000, "fs.fileNr.max": 10_000, "keyUsers.nkeys": (at) => 40 + at }),
    );
    expect(lanes.map(({ key }) => key)).toEqual(["files", "keys"]);
    expect(lanes[0]?.limit).toEqual({ value: 10_000, label: "file-max 10,000" });
    const far = objectLanes(series({ "fs.fileNr.allocated": 40, "fs.fileNr.max": 10_000 }));
    expect(far[0]?.limit).toBeUndefined();
    expect(objectLanes(series({ "meminfo.MemTotal": 1000 }))).toEqual([]);
  });

  it("name each line so that it is read without its title, in rows and in the heads of a CSV", () => {
    const lanes = objectLanes(series(Object.fromEntries(OBJECT_METRICS.map((metric) => [metric, 5]))));
    const names = lanes.flatMap((lane) => lane.series.map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(["dentries, unused", "inodes in memory, unused"]));
    expect(lanes.flatMap((lane) => laneTable(lane).columns.slice(1))).toEqual(names);
  });

  it("say which kinds rose, what stands out most first, and nothing where there is one sample", () => {
    const told = (values: Parameters<typeof series>[0], reboots: Parameters<typeof objectFinding>[1] = []) =>
      objectFinding(objectLanes(series(values)), reboots);
    const values = {
      "fs.dentryState.nr_dentry": (at: number) => 1000 + at * 10,
      "tasks.zombies": (at: number) => 2 + at * 100,
      "fs.inodeNr.nr_inodes": 5000,
      // What nothing uses is no leak.
      "fs.inodeNr.nr_free_inodes": (at: number) => at * 5000,
    };
    expect(told(values)).toBe(
      "2 of 3 kinds of kernel objects rose by a tenth or more: zombie processes +1,900 (2 to 1,902); dentries, all +190 (1,000 to 1,190).",
    );
    const many = { "fs.dentryState.nr_negative": (at: number) => 400_000 + at * 20_000 };
    expect(told({ ...many, "sockstat.TCP.alloc": (at) => 15 + at * 3 })).toMatch(
      /: dentries, negative \+380,000 .*; TCP/,
    );
    expect(told({ "keyUsers.nkeys": (at) => 40 + at / 2 })).toBe(
      "Of 1 kind of kernel objects none rose by a tenth in this window.",
    );
    expect(told({ "keyUsers.nkeys": (at) => (at === 3 ? 40 : null) })).toMatch(/^Too few samples/);
    expect(told({})).toMatch(/sends no counts/);
    // After a reboot only what happened since counts.
    expect(told(values, [{ at: 17.5 * 60_000 }])).toBe(
      "Of 3 kinds of kernel objects none rose by a tenth in this window.",
    );
  });

  it("change since the first sample of the window or of the boot, never across one", () => {
    const [lane] = objectLanes(series({ "keyUsers.nkeys": (at) => (at < 10 ? 100 + at : at) }));
    if (!lane) throw new Error("no lane");
    expect(laneChanges(lane, [])).toEqual([-81]);
    expect(laneChanges(lane, [], 5 * 60_000)).toEqual([5]);
    expect(laneChanges(lane, [{ at: 10 * 60_000 }])).toEqual([9]);
    expect(laneChanges(lane, [{ at: 19 * 60_000 }])).toEqual([null]);
  });

  it("have room above a line that would run along the upper edge", () => {
    const [mounts] = objectLanes(series({ "mounts.total": 20 }));
    expect(mounts?.axis.ticks.at(-1)).toBe(20);
    expect(mounts?.axis.high).toBeGreaterThan(20);
    expect(objectLanes(series({ "mounts.total": 15 }))[0]?.axis.high).toBe(20);
  });

  it("ask for no more metrics than one request may name", () => {
    expect(new Set(OBJECT_METRICS).size).toBe(OBJECT_METRICS.length);
    expect(OBJECT_METRICS.length).toBeLessThanOrEqual(40);
  });
});

it("draws the limit of ids where dying cgroups hold theirs, and dying ones on an axis of their own", () => {
  const lanes = cgroupLanes(
    series({ "cgroup.memory.live": 300, "cgroup.memory.dying": (at) => 20_000 + at }),
    true,
  );
  expect(lanes.map(({ key, limit }) => [key, limit?.value])).toEqual([
    ["cgroups", 65_535],
    ["live", undefined],
    ["dying", undefined],
  ]);
});

it("draws the kernel's count of memory cgroups where live and dying are not told apart", () => {
  const count = { "cgroup.memory.count": 223 };
  expect(cgroupLanes(series(count), false).map(({ key }) => key)).toEqual(["counted"]);
  const told = cgroupLanes(series({ ...count, "cgroup.memory.live": 80 }), false).map(({ key }) => key);
  expect(told).toEqual(["cgroups", "live"]);
});

it("draws each directory and mount that has samples, with the limits of the mount", () => {
  const lanes = placeLanes(
    series({
      "watch./run/crio/exits.files": (at) => 100 + at,
      "tmpfs./run.inodes": 900,
      "tmpfs./run.usedKib": 700 * 1024,
      "meminfo.Shmem": 800 * 1024,
    }),
    {
      directories: ["/run/crio/exits", "/run/libpod/exits"],
      mounts: [{ mount: "/run", sizeKib: 1024 * 1024, inodes: 1000 }],
    },
  );
  expect(lanes.map(({ title, limit }) => [title, limit?.value])).toEqual([
    ["files in /run/crio/exits", undefined],
    ["inodes on /run", 1000],
    ["used on /run, GiB", 1024 * 1024],
    ["Shmem, MiB", undefined],
  ]);
});
