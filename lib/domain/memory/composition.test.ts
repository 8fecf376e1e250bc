import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { fixtureTrees, treeCounters } from "../../../scripts/testing/fixture-trees.ts";
import { BANDS } from "./bands.ts";
import {
  COMPOSED_MEMINFO_KEYS,
  composeMemory,
  type Composition,
  type ComposedMeminfoKey,
  type MemoryCounters,
} from "./composition.ts";

type Fields = Partial<Record<ComposedMeminfoKey, number | null>>;

function compose(fields: Fields, rest: Omit<MemoryCounters, "meminfo"> = {}): Composition {
  const composition = composeMemory({ meminfo: (key) => fields[key], ...rest });
  if (composition === undefined) throw new Error("not composed");
  return composition;
}

function sumOfBands(composition: Composition): number {
  return BANDS.reduce((sum, { key }) => sum + (composition.bands[key] ?? 0), 0);
}

const kinds = (composition: Composition) => composition.notes.map((note) => note.kind);

/** A 6.18 machine at rest, caches dropped: measured, kB. */
const IDLE: Fields = {
  MemTotal: 24_684_092,
  MemFree: 24_202_004,
  Buffers: 8444,
  Cached: 116_856,
  SwapCached: 0,
  "Active(anon)": 1000,
  "Inactive(anon)": 134_604,
  Mlocked: 0,
  SwapTotal: 0,
  Zswap: 0,
  AnonPages: 126_748,
  Shmem: 8856,
  KReclaimable: 5912,
  Slab: 26_376,
  SReclaimable: 5912,
  SUnreclaim: 20_464,
  KernelStack: 1632,
  PageTables: 3932,
  SecPageTables: 0,
  Bounce: 0,
  WritebackTmp: 0,
  VmallocUsed: 5892,
  VmallocChunk: 0,
  Percpu: 952,
  HugePages_Total: 0,
  Hugepagesize: 2048,
  Hugetlb: 0,
};

describe("composeMemory", () => {
  it("gives the measured bands of an idle machine, 15,012 kB unaccounted", () => {
    const composition = compose(IDLE, { pcpFreeKib: 177_876, zspagesKib: 0, vmapStack: true });
    expect(composition.bands).toEqual({
      free: 24_202_004,
      pcp: 177_876,
      file: 108_000,
      buffers: 8444,
      shmem: 8856,
      anon: 126_748,
      srecl: 5912,
      sunrecl: 20_464,
      kstack: 1632,
      ptables: 3932,
      percpu: 952,
      vmalloc: 4260,
      hugetlb: 0,
      other: 0,
      unacc: 15_012,
    });
    expect(composition.notes).toEqual([]);
    expect(composition.kernelUnreclaimableKib).toBe(20_464 + 1632 + 3932 + 952 + 4260 + 15_012);
    expect(composition.kernelNoncacheKib).toBe(24_684_092 - 24_202_004 - 126_748 - 8444 - 116_856 - 5912);
  });

  it.each(fixtureTrees())("sums to MemTotal on %s", (tree) => {
    const counters = treeCounters(tree);
    const composition = composeMemory(counters);
    if (composition === undefined) throw new Error("not composed");
    expect(sumOfBands(composition)).toBe(counters.meminfo("MemTotal"));
    expect(composition.bands.pcp).toBeGreaterThanOrEqual(0);
  });

  it("sums to MemTotal whatever is missing and however absurd the values", () => {
    const kib = fc.option(fc.integer({ min: 0, max: 2 ** 40 }));
    const fields = fc.record({
      ...Object.fromEntries(COMPOSED_MEMINFO_KEYS.map((key) => [key, kib])),
      // Their product stays an exact integer.
      HugePages_Total: fc.option(fc.integer({ min: 0, max: 2 ** 24 })),
      Hugepagesize: fc.option(fc.integer({ min: 0, max: 2 ** 24 })),
    });
    fc.assert(
      fc.property(
        fields,
        kib,
        kib,
        fc.option(fc.boolean()),
        fc.option(fc.constantFrom("3.10.0-1160.el7.x86_64", "4.19.0", "6.1.0-13-amd64", "")),
        fc.option(fc.boolean()),
        (values, pcpFreeKib, zspagesKib, vmapStack, kernelRelease, balloonLeavesMemTotal) => {
          const given = values as Fields;
          const composition = composeMemory({
            meminfo: (key) => given[key],
            pcpFreeKib,
            zspagesKib,
            vmapStack,
            kernelRelease,
            balloonLeavesMemTotal,
          });
          if (!given.MemTotal || given.MemFree == null) {
            expect(composition).toBe(undefined);
            return;
          }
          if (composition === undefined) throw new Error("not composed");
          expect(sumOfBands(composition)).toBe(given.MemTotal);
          const otherParts = Object.values(composition.other).filter((part) => part !== undefined);
          expect(otherParts.reduce((sum, part) => sum + part, 0)).toBe(composition.bands.other ?? 0);
          for (const { key } of BANDS) {
            if (key !== "unacc") expect(composition.bands[key] ?? 0).toBeGreaterThanOrEqual(0);
          }
        },
      ),
    );
  });

  it("composes fractional means as well", () => {
    const composition = compose({ ...IDLE, MemFree: 24_202_004.3, AnonPages: 126_747.8 });
    expect(sumOfBands(composition)).toBeCloseTo(24_684_092, 6);
  });

  it("needs MemTotal and MemFree and takes NaN for a hole", () => {
    expect(composeMemory({ meminfo: () => undefined })).toBe(undefined);
    expect(composeMemory({ meminfo: (key) => (key === "MemFree" ? null : 5) })).toBe(undefined);
    expect(composeMemory({ meminfo: (key) => (key === "MemTotal" ? NaN : 5) })).toBe(undefined);
  });

  describe("what a kernel does not report", () => {
    it("is undefined, part of unaccounted and named", () => {
      const composition = compose({
        ...IDLE,
        Percpu: null,
        VmallocUsed: 0,
        KReclaimable: null,
        SecPageTables: null,
      });
      expect(composition.bands.percpu).toBe(undefined);
      expect(composition.bands.vmalloc).toBe(undefined);
      expect(composition.bands.unacc).toBe(15_012 + 177_876 + 952 + 4260);
      expect(composition.notes).toEqual([
        { kind: "folded", terms: ["pcp", "percpu", "vmalloc", "largeKmalloc"] },
      ]);
    });

    it("does not change the unreclaimable total", () => {
      const full = compose(IDLE, { pcpFreeKib: 177_876, vmapStack: true });
      const old = compose({ ...IDLE, Percpu: null, VmallocUsed: 0 }, { pcpFreeKib: 177_876 });
      expect(old.kernelUnreclaimableKib).toBe(full.kernelUnreclaimableKib);
    });

    it("keeps Slab whole where it is not split, and Shmem in the page cache where it is not told", () => {
      const composition = compose({ ...IDLE, SReclaimable: null, SUnreclaim: null, Shmem: null });
      expect(composition.bands.sunrecl).toBe(26_376);
      expect(composition.bands.file).toBe(116_856);
      expect(composition.kernelNoncacheKib).toBe(undefined);
      expect(kinds(composition)).toEqual(["folded", "shmem-in-file", "slab-not-split", "vmap-stack-assumed"]);
      expect(compose({ ...IDLE, SUnreclaim: null }).bands.sunrecl).toBe(20_464);
    });
  });

  describe("VmallocUsed", () => {
    it("is address space where VmallocChunk is a real number", () => {
      const composition = compose({ ...IDLE, VmallocUsed: 369_000, VmallocChunk: 34_358_947_836 });
      expect(composition.bands.vmalloc).toBe(undefined);
      expect(kinds(composition)).toContain("vmalloc-is-address-space");
    });

    it("is address space on a release up to 4.3 when VmallocChunk is not there to tell", () => {
      const old = { ...IDLE, VmallocUsed: 369_000, VmallocChunk: null };
      for (const kernelRelease of ["3.10.0-1160.el7.x86_64", "4.3.0", "2.6.32"]) {
        expect(compose(old, { kernelRelease }).bands.vmalloc).toBe(undefined);
      }
      for (const kernelRelease of ["4.19.0", "4.30.1", "5.4.0", "not a release", null]) {
        expect(compose(old, { kernelRelease, vmapStack: false }).bands.vmalloc).toBe(369_000);
      }
    });

    it("is not memory beyond MemTotal", () => {
      expect(compose({ ...IDLE, VmallocUsed: 34_359_738_367 }).bands.vmalloc).toBe(undefined);
    });

    it("contains the stacks when vmallocinfo says so, and by assumption when it is large enough", () => {
      expect(compose({ ...IDLE, VmallocUsed: 1000 }, { vmapStack: true }).bands.vmalloc).toBe(0);
      expect(compose({ ...IDLE, VmallocUsed: 1000 }, { vmapStack: false }).bands.vmalloc).toBe(1000);
      const assumed = compose({ ...IDLE, VmallocUsed: 1469 });
      expect(assumed.bands.vmalloc).toBe(0);
      expect(kinds(assumed)).toContain("vmap-stack-assumed");
      const apart = compose({ ...IDLE, VmallocUsed: 1468 });
      expect(apart.bands.vmalloc).toBe(1468);
      expect(kinds(apart)).not.toContain("vmap-stack-assumed");
    });
  });

  describe("the band other", () => {
    it("adds what stands beside the large bands", () => {
      const composition = compose(
        {
          ...IDLE,
          KReclaimable: 6012,
          Bounce: 1,
          WritebackTmp: 2,
          Zswap: 50,
          HardwareCorrupted: 4,
          GPUActive: 8,
          GPUReclaim: 16,
          Balloon: 32,
        },
        { zspagesKib: 70, balloonLeavesMemTotal: true },
      );
      expect(composition.other).toEqual({
        swapcache: 0,
        kmiscRecl: 100,
        bounce: 1,
        fuseTmp: 2,
        zcomp: 70,
        hwpoison: 4,
        gpu: 24,
        balloon: 32,
      });
      expect(composition.bands.other).toBe(233);
    });

    it("leaves a balloon out unless its driver leaves MemTotal alone", () => {
      const unknown = compose({ ...IDLE, Balloon: 4096 });
      expect(unknown.other.balloon).toBe(undefined);
      expect(unknown.notes).toContainEqual({ kind: "balloon-not-placed", balloonKib: 4096 });
      const taken = compose({ ...IDLE, Balloon: 4096 }, { balloonLeavesMemTotal: false });
      expect(taken.other.balloon).toBe(undefined);
      expect(kinds(taken)).not.toContain("balloon-not-placed");
    });

    it("takes from SwapCached what is not mapped, and gives a range when pages are locked", () => {
      const swapping: Fields = { ...IDLE, SwapTotal: 1_000_000, SwapCached: 500 };
      expect(compose({ ...swapping, "Inactive(anon)": 134_904 }).other.swapcache).toBe(300);
      expect(compose({ ...swapping, "Inactive(anon)": 999_999 }).other.swapcache).toBe(500);
      expect(compose({ ...swapping, "Inactive(anon)": 0 }).other.swapcache).toBe(0);
      expect(compose({ ...swapping, SwapTotal: 0, "Inactive(anon)": 999_999 }).other.swapcache).toBe(0);
      expect(compose({ ...swapping, Mlocked: 1268 }).notes).toEqual([
        { kind: "folded", terms: ["pcp"] },
        { kind: "vmap-stack-assumed" },
        { kind: "swapcache-range", lowKib: 0, highKib: 500 },
      ]);
      expect(kinds(compose({ ...swapping, Mlocked: 1267 }))).not.toContain("swapcache-range");
      expect(kinds(compose({ ...swapping, Mlocked: 1268, SwapTotal: 0 }))).not.toContain("swapcache-range");
    });
  });

  it("counts huge pages of the default size where Hugetlb is not there", () => {
    expect(compose({ ...IDLE, Hugetlb: null, HugePages_Total: 512 }).bands.hugetlb).toBe(1_048_576);
    expect(compose({ ...IDLE, Hugetlb: 77, HugePages_Total: 512 }).bands.hugetlb).toBe(77);
    expect(compose({ ...IDLE, Hugetlb: null, HugePages_Total: null }).bands.hugetlb).toBe(undefined);
  });

  it("does not take the page tables of virtual machines for all of them", () => {
    const { PageTables: _tables, ...rest } = IDLE;
    expect(compose({ ...rest, SecPageTables: 0 }).bands.ptables).toBeUndefined();
  });

  it("adds shadow stacks, second-level page tables and quicklists to their bands", () => {
    const { bands } = compose({ ...IDLE, ShadowCallStack: 10, SecPageTables: 20, Quicklists: 30 });
    expect(bands.kstack).toBe(1642);
    expect(bands.vmalloc).toBe(5892 - 1632 - 10);
    expect(bands.ptables).toBe(3982);
  });

  it("keeps a negative remainder, calls it drift within one percent and doubtful beyond", () => {
    const surplus = (kib: number) => compose({ ...IDLE, MemFree: 24_202_004 + kib }, { vmapStack: true });
    const drift = surplus(15_012 + 177_876 + 100);
    expect(drift.bands.unacc).toBe(-100);
    expect(drift.notes.at(-1)).toEqual({ kind: "unaccounted-drift" });
    const doubtful = surplus(15_012 + 177_876 + 300_000);
    expect(doubtful.bands.unacc).toBe(-300_000);
    expect(doubtful.notes.at(-1)).toEqual({
      kind: "unaccounted-negative",
      shareOfTotal: -300_000 / 24_684_092,
    });
  });
});
