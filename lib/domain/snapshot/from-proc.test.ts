import { describe, expect, it } from "vitest";
import {
  buildSlab,
  buildSnapshot,
  countCpus,
  type BootFacts,
  type Extras,
  type FrequentTexts,
} from "./from-proc.ts";
import type { Sources, SourceText } from "./take-source.ts";
import { snapshotSchema } from "./schema.ts";

const AT = new Date("2026-04-05T06:07:08.009Z");
const IDENTITY = { node: "n1", labels: {}, versions: {} };
const BOOT: BootFacts = {
  bootId: "00000000-1111-4222-8333-444444444444",
  kernelRelease: "6.1.0",
  pageSizeBytes: 65_536,
  cpus: 4,
};
const ok = (text: string): SourceText => ({ status: "ok", text, readMs: 0.1 });
const absent: SourceText = { status: "absent", readMs: 0.1 };

function texts(overrides: Partial<FrequentTexts> = {}): FrequentTexts {
  return {
    meminfo: ok("MemTotal: 1000 kB\nMemFree: 10 kB\n"),
    vmstat: ok("nr_free_pages 3\noom_kill 0\n"),
    zoneinfo: absent,
    stat: ok("cpu 1 2 3 4\ncpu0 1 2 3 4\nprocesses 77\n"),
    uptime: ok("12.34 56.78\n"),
    cgroups: ok("#subsys_name\thierarchy\tnum_cgroups\tenabled\nmemory\t4\t33\t1\n"),
    cgroupStat: absent,
    ...overrides,
  };
}

function build(overrides: Partial<FrequentTexts> = {}, extras: Extras = {}, boot = BOOT) {
  const sources: Sources = {};
  return { snapshot: buildSnapshot(AT, IDENTITY, boot, texts(overrides), extras, sources), sources };
}

describe("buildSnapshot", () => {
  it("leaves out what could not be read and says why", () => {
    const { snapshot } = build();
    expect(snapshot).toMatchObject({
      at: "2026-04-05T06:07:08.009Z",
      uptimeSeconds: 12.34,
      forks: 77,
      cgroups: { mode: "v1", memoryCount: 33 },
      sources: { meminfo: { status: "ok" }, zoneinfo: { status: "absent" } },
    });
    expect(snapshot?.pcpFreePages).toBeUndefined();
    expect(snapshotSchema.safeParse(JSON.parse(JSON.stringify(snapshot))).success).toBe(true);
  });

  it("takes live and dying of v1 from a walk only", () => {
    expect(build({}, { v1Walk: { live: 8, dying: 25 } }).snapshot?.cgroups).toEqual({
      mode: "v1",
      memoryCount: 33,
      live: 8,
      dying: 25,
    });
  });

  it("reads a missing memory row as v2", () => {
    const { snapshot } = build({
      cgroups: ok("#subsys_name\thierarchy\tnum_cgroups\tenabled\ncpu\t0\t90\t1\n"),
      cgroupStat: ok("nr_descendants 80\nnr_dying_descendants 12\n"),
    });
    expect(snapshot?.cgroups).toMatchObject({ mode: "v2", live: 81, dying: 12 });
  });

  it("prefers the count of the memory controller where the kernel has one", () => {
    const { snapshot } = build({
      cgroups: ok("memory\t0\t95\t1\n"),
      cgroupStat: ok(
        "nr_descendants 80\nnr_subsys_memory 70\nnr_dying_descendants 12\nnr_dying_subsys_memory 11\n",
      ),
    });
    expect(snapshot?.cgroups).toEqual({ mode: "v2", memoryCount: 95, live: 71, dying: 11 });
  });

  it.each(["meminfo", "uptime"] as const)("makes nothing without %s", (name) => {
    const { snapshot, sources } = build({ [name]: ok("nonsense\n") });
    expect(snapshot).toBeUndefined();
    expect(sources[name]?.status).toBe("malformed");
  });

  it("makes nothing without a boot id, and counts CPUs by /proc/stat where sysfs is absent", () => {
    expect(build({}, {}, { ...BOOT, bootId: undefined }).snapshot).toBeUndefined();
    expect(build({}, {}, { ...BOOT, cpus: undefined }).snapshot?.cpus).toBe(1);
  });

  it("names the first line that was not understood and keeps the others", () => {
    const { snapshot, sources } = build({ vmstat: ok("nr_free_pages 3\nodd\n") });
    expect(snapshot?.vmstat).toEqual({ nr_free_pages: 3 });
    expect(sources.vmstat).toMatchObject({
      status: "ok",
      detail: expect.stringContaining("/proc/vmstat line 2") as string,
    });
  });

  it("does not use a text that was cut", () => {
    const { snapshot, sources } = build({ vmstat: { status: "truncated", text: "nr_free_pages 3\n" } });
    expect(snapshot?.vmstat).toBeUndefined();
    expect(sources.vmstat?.status).toBe("truncated");
  });
});

describe("buildSlab", () => {
  const slabinfo = (caches: [string, number][]) =>
    ok(
      `slabinfo - version: 2.1\n# name\n${caches
        .map(([name, slabs]) => `${name} 5 10 512 8 2 : tunables 0 0 0 : slabdata ${slabs} ${slabs} 0\n`)
        .join("")}`,
    );

  it("sends the largest and those asked for, with the machine's own page size", () => {
    const many: [string, number][] = Array.from({ length: 60 }, (_, index) => [
      `cache-${index}`,
      100 + index,
    ]);
    const sources: Sources = {};
    const slab = buildSlab(
      slabinfo([...many, ["dentry", 1], ["kmalloc-cg-1k", 2], ["tiny", 1]]),
      65_536,
      sources,
    );
    expect(slab).toHaveLength(42);
    expect(slab?.[0]).toEqual({
      name: "cache-59",
      activeObjs: 5,
      numObjs: 10,
      objSizeBytes: 512,
      sizeKib: 159 * 128,
    });
    expect(slab?.map(({ name }) => name).slice(-2)).toEqual(["kmalloc-cg-1k", "dentry"]);
    expect(sources.slabinfo?.status).toBe("ok");
  });

  it("adds up two caches of one name", () => {
    const slab = buildSlab(
      slabinfo([
        ["twice", 1],
        ["twice", 2],
      ]),
      4096,
      {},
    );
    expect(slab).toEqual([{ name: "twice", activeObjs: 10, numObjs: 20, objSizeBytes: 512, sizeKib: 24 }]);
  });

  it("makes nothing up without a page size or without permission", () => {
    const sources: Sources = {};
    expect(buildSlab(slabinfo([["a", 1]]), undefined, sources)).toBeUndefined();
    expect(sources.slabinfo).toMatchObject({
      status: "malformed",
      detail: expect.stringContaining("page size") as string,
    });
    expect(buildSlab({ status: "denied" }, 4096, sources)).toBeUndefined();
    expect(sources.slabinfo).toEqual({ status: "denied" });
  });
});

describe("countCpus", () => {
  it.each([
    ["0\n", 1],
    ["0-3\n", 4],
    ["0-3,8,10-11\n", 7],
    ["", undefined],
    ["all", undefined],
    [undefined, undefined],
  ])("reads %j as %s", (list, cpus) => expect(countCpus(list)).toBe(cpus));
});
