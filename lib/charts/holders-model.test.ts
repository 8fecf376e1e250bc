import { expect, it } from "vitest";
import type { MetricSeries, SnapshotAt } from "#lib/contracts/series.ts";
import { allocationTable, readBefore, vmallocTable } from "./holders-model.ts";
import type { Part } from "./node-data.ts";

const at = Date.UTC(2026, 2, 3, 12);
const vmalloc = (atMs: number, usedKib: number) => ({
  at: atMs,
  value: {
    areas: 12,
    pcpuKib: 0,
    callers: [
      { caller: "ioremap", areas: 2, sizeKib: 40 },
      { caller: "bpf_map_area_alloc", module: "bpf", areas: 10, usedKib, sizeKib: usedKib + 40 },
    ],
  },
});

it("lists callers of vmalloc by the memory behind their areas, with the change within one boot", () => {
  const now = { bootId: "a", details: { vmalloc: vmalloc(at, 4000) } };
  const before = { bootId: "a", details: { vmalloc: vmalloc(at - 3_600_000, 1000) } };
  expect(vmallocTable(now, before)).toEqual({
    at,
    sinceMs: at - 3_600_000,
    table: {
      columns: ["caller", "memory (KiB)", "change (KiB)", "areas", "address space (KiB)"],
      rows: [
        ["bpf_map_area_alloc [bpf]", 4000, 3000, 10, 4040],
        ["ioremap", null, 0, 2, 40],
      ],
    },
  });
  const ofAnotherBoot = vmallocTable(now, { ...before, bootId: "b" });
  expect(ofAnotherBoot?.table.rows.map((row) => row[2])).toEqual([null, null]);
  expect(ofAnotherBoot?.sinceMs).toBeUndefined();
  // The same reading twice is no change.
  expect(vmallocTable(now, now)?.sinceMs).toBeUndefined();
  expect(vmallocTable({ bootId: "a", details: {} }, before)).toBeUndefined();
});

it("puts callers that hold memory before those of mere address space, and what is freed last", () => {
  const callers = [
    { caller: "unpurged vm_area", areas: 119, sizeKib: 2_400_000 },
    { caller: "ioremap", areas: 2, sizeKib: 900_000 },
    { caller: "kernel_clone", areas: 100, usedKib: 1600, sizeKib: 2000 },
  ];
  const now = { bootId: "a", details: { vmalloc: { at, value: { areas: 102, pcpuKib: 0, callers } } } };
  expect(vmallocTable(now, undefined)?.table.rows.map(([caller]) => caller)).toEqual([
    "kernel_clone",
    "ioremap",
    "unpurged vm_area (freed, not purged yet)",
  ]);
});

it("compares with the first reading of the newest boot where the window's start has none", async () => {
  const hourMs = 3_600_000;
  const window = { fromMs: at - 6 * hourMs, toMs: at };
  const sample = (atMs: number, bootId = "b") =>
    ({ ok: true, data: { at: atMs, bootId, details: { vmalloc: vmalloc(atMs, 1000) } } }) as Part<SnapshotAt>;
  const none: Part<SnapshotAt> = { ok: false, message: "", requestId: undefined, absent: true };
  const chosen = async (
    before: Part<SnapshotAt>,
    read: (atMs: number) => Part<SnapshotAt> = sample,
    reboots: MetricSeries["reboots"] = [],
  ) => {
    const asked: number[] = [];
    const timesMs = [at - 5 * hourMs, at - 2 * hourMs, at - hourMs];
    const series = { ok: true, data: { timesMs, reboots } } as unknown as Part<MetricSeries>;
    const found = await readBefore(window, { series, snapshot: sample(at), before }, (atMs) => {
      asked.push(atMs);
      return Promise.resolve(read(atMs));
    });
    return { asked, at: found.ok ? found.data.at : undefined };
  };
  const start = window.fromMs - 1;
  expect(await chosen(sample(start))).toEqual({ asked: [], at: start });
  const first = at - 5 * hourMs;
  expect(await chosen(none)).toEqual({ asked: [first], at: first });
  const later = first + 20 * 60_000;
  expect(await chosen(none, (atMs) => (atMs > first ? sample(atMs) : none))).toEqual({
    asked: [first, later],
    at: later,
  });
  const reboots = [{ at: at - 3 * hourMs, bootId: "b", lastSampleAt: null }];
  expect((await chosen(sample(start, "a"), sample, reboots)).at).toBe(at - 2 * hourMs);
});

it("lists lines of code by the memory that they asked for", () => {
  const sites = [
    { site: "mm/slub.c:1 func:a", bytes: 1024, calls: 1 },
    { site: "net/core/skbuff.c:2 func:b", bytes: 4096, calls: 7 },
  ];
  const now = { bootId: "a", details: { allocinfo: { at, value: { bytes: 5120, sites } } } };
  expect(allocationTable(now, undefined)?.table.rows).toEqual([
    ["net/core/skbuff.c:2 func:b", 4, null, 7],
    ["mm/slub.c:1 func:a", 1, null, 1],
  ]);
  expect(allocationTable({ bootId: "a", details: {} }, undefined)).toBeUndefined();
});
