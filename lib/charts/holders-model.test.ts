import { expect, it } from "vitest";
import { allocationTable, firstReadingMs, vmallocTable } from "./holders-model.ts";

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

it("looks for the first reading of the newest boot where the window's start has none", () => {
  const hourMs = 3_600_000;
  const window = { fromMs: at - 6 * hourMs, toMs: at };
  const timesMs = [at - 5 * hourMs, at - 2 * hourMs, at - hourMs];
  const now = { bootId: "b", details: { vmalloc: vmalloc(at, 4000) } };
  const before = { bootId: "b", details: { vmalloc: vmalloc(window.fromMs - 1, 1000) } };
  const minutes20 = 20 * 60_000;
  expect(firstReadingMs(window, { timesMs, reboots: [] }, now, before)).toBeUndefined();
  expect(firstReadingMs(window, { timesMs, reboots: [] }, now, undefined)).toBe(at - 5 * hourMs + minutes20);
  const reboots = [{ at: at - 3 * hourMs, bootId: "b", lastSampleAt: null }];
  expect(firstReadingMs(window, { timesMs, reboots }, now, { ...before, bootId: "a" })).toBe(
    at - 2 * hourMs + minutes20,
  );
  expect(firstReadingMs(window, { timesMs: [], reboots: [] }, now, undefined)).toBeUndefined();
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
