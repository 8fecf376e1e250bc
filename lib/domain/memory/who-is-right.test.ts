import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { composeMemory, type Composition } from "./composition.ts";
import { reconcileUsed, type UsedMemory } from "./who-is-right.ts";

type Fields = Record<string, number>;

function compose(fields: Fields, pcpFreeKib?: number): Composition {
  const composition = composeMemory({ meminfo: (key) => fields[key], pcpFreeKib });
  if (composition === undefined) throw new Error("nothing to compose");
  return composition;
}

function reconcile(fields: Fields, cgroupMode?: "v1" | "v2", pcpFreeKib?: number): UsedMemory {
  return reconcileUsed({
    composition: compose(fields, pcpFreeKib),
    meminfo: (key) => fields[key],
    cgroupMode,
  });
}

const usedBy = ({ views }: UsedMemory) => Object.fromEntries(views.map(({ key, usedKib }) => [key, usedKib]));
const kernelLeftOutBy = ({ views }: UsedMemory) =>
  Object.fromEntries(views.map(({ key, kernelLeftOutKib }) => [key, kernelLeftOutKib]));

/** The node of `smem -w` with 22,368,844 kB of non-cache kernel memory; of the caches only the sum is known. */
const CONTAINER_LEAK: Fields = {
  MemTotal: 196_688_344,
  MemFree: 171_566_560,
  MemAvailable: 172_900_000,
  AnonPages: 699_404,
  Buffers: 200_000,
  Cached: 1_353_536,
  Shmem: 53_536,
  Slab: 9_500_000,
  SReclaimable: 500_000,
  SUnreclaim: 9_000_000,
  "Inactive(file)": 900_000,
};

/** A machine of 24,684,092 kB under PostgreSQL and builds; 15,072 kB are in no counter. */
const BUSY: Fields = {
  MemTotal: 24_684_092,
  MemFree: 21_258_664,
  Buffers: 10_656,
  Cached: 1_488_520 + 1_569_780,
  Shmem: 1_569_780,
  AnonPages: 134_608,
  Slab: 36_084 + 33_532,
  SReclaimable: 36_084,
  SUnreclaim: 33_532,
  KernelStack: 2648,
  PageTables: 14_816,
  Percpu: 1064,
  VmallocUsed: 10_592 + 2648,
  SwapTotal: 0,
  SwapCached: 0,
  HugePages_Total: 0,
};

describe("reconcileUsed", () => {
  it("gives what each calls used on the leaking node", () => {
    expect(usedBy(reconcile(CONTAINER_LEAK))).toEqual({
      "free-total": 25_121_784,
      "free-buffers": 23_568_248,
      "free-slab": 14_068_248,
      "free-reclaimable": 23_068_248,
      "free-available": 23_788_344,
      "kubelet-v1": 1_352_940,
      "kubelet-v2": 1_352_940,
      "kubelet-v2-meminfo": 24_221_784,
      "node-problem-detector": 14_068_248,
      "dashboard-available": 23_788_344,
      "dashboard-cache": 23_068_248,
      plumbline: 23_121_784,
    });
  });

  it("says that kubelet sees none of the kernel's memory, and node-problem-detector no slab", () => {
    const reconciled = reconcile(CONTAINER_LEAK);
    // 22,368,844 as smem counts it, and the slab that it takes for cache.
    expect(reconciled.kernelKib).toBe(22_868_844);
    expect(kernelLeftOutBy(reconciled)).toMatchObject({
      "free-total": 0,
      "free-slab": 9_500_000,
      "free-reclaimable": 500_000,
      "kubelet-v1": 22_868_844,
      "kubelet-v2": 22_868_844,
      "kubelet-v2-meminfo": 0,
      "node-problem-detector": 9_500_000,
    });
  });

  it("takes stacks out of vmalloc and free lists out of used, as the composition does", () => {
    const reconciled = reconcile(BUSY, undefined, 108_056);
    expect(reconciled.kernelKib).toBe(113_808);
    // tmpfs and anonymous pages, and the kernel without reclaimable slab.
    expect(usedBy(reconciled).plumbline).toBe(1_569_780 + 134_608 + 77_724);
    // Each tool but the first takes tmpfs for cache.
    expect(usedBy(reconciled)["free-reclaimable"]).toBe(
      24_684_092 - 21_258_664 - 10_656 - 3_058_300 - 36_084,
    );
  });

  it("says which counter is missing instead of counting it as nothing", () => {
    const { MemAvailable: _available, "Inactive(file)": _inactive, ...rest } = CONTAINER_LEAK;
    const byKey = new Map(reconcile(rest).views.map((view) => [view.key, view]));
    expect(byKey.get("free-available")).toMatchObject({ usedKib: undefined, missing: ["MemAvailable"] });
    expect(byKey.get("kubelet-v1")).toMatchObject({ usedKib: undefined, missing: ["Inactive(file)"] });
    expect(byKey.get("plumbline")?.usedKib).toBe(23_121_784);
    const { SReclaimable: _srecl, ...unsplit } = CONTAINER_LEAK;
    expect(new Map(reconcile(unsplit).views.map((view) => [view.key, view])).get("plumbline")).toMatchObject({
      usedKib: undefined,
      missing: ["SReclaimable"],
    });
  });

  it("does not say that none of the kernel is left out where the counters are missing", () => {
    const { SReclaimable: _srecl, ...unsplit } = CONTAINER_LEAK;
    expect(kernelLeftOutBy(reconcile(unsplit))).toMatchObject({
      "free-total": 0,
      "free-slab": undefined,
      "free-available": undefined,
      plumbline: undefined,
    });
    const { SUnreclaim: _sunrecl, ...whole } = unsplit;
    expect(kernelLeftOutBy(reconcile(whole))).toMatchObject({
      "free-slab": 9_500_000,
      "free-available": undefined,
    });
    const { Slab: _slab, ...without } = whole;
    const left = kernelLeftOutBy(reconcile(without));
    expect(left).toMatchObject({ "free-slab": undefined, "node-problem-detector": undefined });
    // Slab is in what is unaccounted then, which kubelet leaves out.
    expect(left["kubelet-v2"]).toBe(22_868_844);
    const { AnonPages: _anon, ...unmapped } = CONTAINER_LEAK;
    expect(kernelLeftOutBy(reconcile(unmapped))["kubelet-v2"]).toBeUndefined();
  });

  it("marks what another cgroup mode gives, where the mode is known", () => {
    const applying = (mode: "v1" | "v2" | undefined) =>
      reconcile(CONTAINER_LEAK, mode).views.flatMap(({ key, applies }) =>
        applies === undefined ? [] : [[key, applies]],
      );
    expect(applying("v1")).toEqual([
      ["kubelet-v1", true],
      ["kubelet-v2", false],
      ["kubelet-v2-meminfo", false],
    ]);
    expect(applying("v2").map(([, applies]) => applies)).toEqual([false, true, true]);
    expect(applying(undefined)).toEqual([]);
  });

  it("accounts for all memory: working set, inactive cache, free and left out are MemTotal", () => {
    const amount = fc.integer({ min: 0, max: 2 ** 30 });
    fc.assert(
      fc.property(fc.record({ ...mapAll(BUSY, () => amount) }), amount, (fields, inactive) => {
        // A tmpfs larger than the cache, or address space in VmallocUsed, is not counted as it is printed.
        const sound: Fields = {
          ...fields,
          MemTotal: 2 ** 36,
          Cached: (fields.Cached ?? 0) + (fields.Shmem ?? 0),
          SwapTotal: 0,
          HugePages_Total: 0,
          "Inactive(file)": inactive,
        };
        const { views } = reconcile(sound, "v2", 1000);
        const kubelet = views.find(({ key }) => key === "kubelet-v2");
        const leftOut = kubelet?.leavesOut.reduce((sum, { kib }) => sum + kib, 0) ?? NaN;
        expect((kubelet?.usedKib ?? NaN) + inactive + (sound.MemFree ?? 0) + 1000 + leftOut).toBe(2 ** 36);
      }),
    );
  });
});

function mapAll<Value>(fields: Fields, value: () => Value): Record<string, Value> {
  return Object.fromEntries(Object.keys(fields).map((key) => [key, value()]));
}
