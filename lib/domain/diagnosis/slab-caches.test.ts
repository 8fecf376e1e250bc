import { describe, expect, it } from "vitest";

import { explainDump } from "./explain.ts";
import { kmallocQuantity } from "./slab-caches.ts";

describe("kmallocQuantity", () => {
  it.each([
    ["kmalloc-2k", "kmalloc.2048.bytes"],
    ["kmalloc-2048", "kmalloc.2048.bytes"],
    ["kmalloc-cg-2k", "kmalloc.2048.bytes"],
    ["kmalloc-rnd-07-2k", "kmalloc.2048.bytes"],
    ["size-2048", "kmalloc.2048.bytes"],
    ["kmalloc-4M", "kmalloc.4194304.bytes"],
    ["kmalloc-96", "kmalloc.96.bytes"],
    ["kmalloc-rcl-96", undefined],
    ["dma-kmalloc-96", undefined],
    ["size-2048(DMA)", undefined],
    ["kmalloc_buckets", undefined],
    ["kmalloc-2k-mine", undefined],
    ["dentry", undefined],
  ])("%s: %s", (cache, quantity) => {
    expect(kmallocQuantity(cache)).toBe(quantity);
  });
});

describe("the caches of one size", () => {
  /** A machine of 5.4 whose shrinker lists fill slab; the caches hold so many pages of 128 objects of 32 bytes. */
  const dump = (caches: Readonly<Record<string, number>>) =>
    [
      "Linux node 5.4.0-150-generic #167-Ubuntu SMP x86_64 GNU/Linux",
      "slabinfo - version: 2.1",
      "# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables <limit> <batchcount> <sharedfactor> : slabdata <active_slabs> <num_slabs> <sharedavail>",
      ...Object.entries(caches).map(
        ([name, pages]) =>
          `${name} ${pages * 128} ${pages * 128} 32 128 1 : tunables 0 0 0 : slabdata ${pages} ${pages} 0`,
      ),
      "#subsys_name\thierarchy\tnum_cgroups\tenabled",
      "memory\t4\t24000\t1",
      "MemTotal: 67108864 kB",
      "MemFree: 30000000 kB",
      "",
    ].join("\n");
  const named = (caches: Readonly<Record<string, number>>) =>
    JSON.stringify(explainDump(dump(caches)).possible ?? []) +
    JSON.stringify(explainDump(dump(caches)).findings);

  it("count together, whatever the kernel calls them", () => {
    const half = 220_000;
    expect(named({ "kmalloc-32": half, "kmalloc-cg-32": half })).toContain("S06");
    expect(named({ "kmalloc-32": half, "kmalloc-rcl-32": half })).not.toContain("S06");
  });
});
