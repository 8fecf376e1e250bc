import { describe, expect, it } from "vitest";
import { COMPOSED_MEMINFO_KEYS } from "#lib/domain/memory/composition.ts";
import { parseMetric } from "#lib/domain/memory/metrics.ts";
import { snapshotSchema } from "#lib/domain/snapshot/schema.ts";
import {
  asSnapshotColumn,
  columnOfMeminfo,
  columnOfMetric,
  HEADLINE_COLUMNS,
  SNAPSHOT_COLUMN_SOURCES,
  SNAPSHOT_COLUMNS,
} from "./snapshot-columns.ts";

const least = {
  schemaVersion: 1,
  node: "n",
  at: 1000,
  bootId: "b",
  uptimeSeconds: 1.5,
  kernelRelease: "6.1.0",
  cpus: 2,
  meminfo: { MemTotal: 1024, "Active(anon)": 7 },
};

function read(fields: object): Record<string, number> {
  const snapshot = snapshotSchema.parse({ ...least, ...fields });
  return Object.fromEntries(
    SNAPSHOT_COLUMN_SOURCES.flatMap(({ column, read }) => {
      const value = read(snapshot);
      return value === undefined ? [] : [[column, value]];
    }),
  );
}

describe("the columns of Snapshot", () => {
  it("hold every counter that a composition reads", () => {
    expect(COMPOSED_MEMINFO_KEYS.filter((key) => columnOfMeminfo(key) === undefined)).toEqual([]);
    expect(columnOfMeminfo("Active(anon)")).toBe("Active_anon");
    expect(columnOfMeminfo("NFS_Unstable")).toBe(undefined);
  });

  it("go by the names of the API's metrics", () => {
    const internal = /^(node|collector|zoneinfo)\.|^vmstat\.zspages$/;
    const metrics = SNAPSHOT_COLUMN_SOURCES.map(({ metric }) => metric).filter(
      (name) => !internal.test(name),
    );
    expect(metrics.filter((name) => parseMetric(name) === undefined)).toEqual([]);
    expect(columnOfMetric("cgroup.memory.dying")).toBe("cgroupDying");
  });

  it("are named once and safe to stand in SQL", () => {
    expect(new Set(SNAPSHOT_COLUMNS).size).toBe(SNAPSHOT_COLUMNS.length);
    expect(SNAPSHOT_COLUMNS.filter((name) => !/^\w+$/.test(name))).toEqual([]);
    expect(HEADLINE_COLUMNS.map(asSnapshotColumn)).toEqual([...HEADLINE_COLUMNS]);
    expect(asSnapshotColumn('x"; drop')).toBe(undefined);
  });

  it("are absent, never zero, where the snapshot has nothing", () => {
    expect(read({})).toEqual({ MemTotal: 1024, Active_anon: 7, uptimeMs: 1500 });
  });

  it("hold pages as KiB only where the page size is known", () => {
    expect(read({ pcpFreePages: 10, vmstat: { nr_zspages: 2 } })).not.toHaveProperty("pcpFreeKib");
    expect(read({ pcpFreePages: 10, vmstat: { nr_zspages: 2 }, pageSizeBytes: 65_536 })).toMatchObject({
      pcpFreeKib: 640,
      zspagesKib: 128,
    });
    expect(read({ pcpFreePages: Number.MAX_SAFE_INTEGER, pageSizeBytes: 4096 })).not.toHaveProperty(
      "pcpFreeKib",
    );
  });

  it("hold what is known of cgroups, containers and the collector", () => {
    expect(
      read({
        cgroups: { memoryCount: 9, dying: 0 },
        containersStarted: 5,
        vmapStack: false,
        self: { cpuSeconds: 0.25, rssKib: 60_000 },
      }),
    ).toMatchObject({
      cgroupMemoryCount: 9,
      cgroupDying: 0,
      containersStarted: 5,
      vmapStack: 0,
      selfCpuMs: 250,
      selfRssKib: 60_000,
    });
  });
});
