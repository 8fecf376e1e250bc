import { describe, expect, it } from "vitest";

import { fixtureTrees, readTreeFile, treeCounters } from "../../../scripts/testing/fixture-trees.ts";
import { parseMeminfo } from "#lib/domain/procfs/meminfo.ts";
import { composeMemory } from "./composition.ts";
import { checkLru, LRU_MEMINFO_KEYS, type LruMeminfoKey } from "./lru-check.ts";

/** An arm64 host on which 229 GB of huge pages stayed on the lists after the last process had gone. */
const ORPHANED: Record<LruMeminfoKey, number> = {
  Active: 237_019_008,
  Inactive: 1_838_464,
  Unevictable: 643_904,
  Cached: 2_025_664,
  Buffers: 320,
  AnonPages: 2_868_800,
};

describe("checkLru", () => {
  it("finds pages on the lists that no counter owns", () => {
    const check = checkLru((key) => ORPHANED[key]);
    expect(check).toMatchObject({ differenceKib: 234_606_592, verdict: "orphaned-pages" });
  });

  it("tolerates a hundredth of the pages and at least 64 MiB", () => {
    const check = (differenceKib: number) =>
      checkLru((key) => (key === "Active" ? 4_894_784 - 2_482_368 + differenceKib : ORPHANED[key]));
    expect(check(65_536)).toEqual({ differenceKib: 65_536, toleranceKib: 65_536, verdict: "agree" });
    expect(check(65_537)?.verdict).toBe("orphaned-pages");
    expect(check(-65_537)?.verdict).toBe("pages-off-lists");
    const large = checkLru((key) => ({ ...ORPHANED, Cached: 236_000_000 })[key]);
    expect(large).toMatchObject({ toleranceKib: 2_388_691.2, verdict: "agree" });
  });

  it.each(LRU_MEMINFO_KEYS)("says nothing without %s", (key) => {
    expect(checkLru((each) => (each === key ? undefined : ORPHANED[each]))).toBe(undefined);
  });

  it.each(fixtureTrees())("agrees on %s", (tree) => {
    const meminfo = parseMeminfo(readTreeFile(tree, "proc/meminfo") ?? "").value.values;
    const swapcacheKib = composeMemory(treeCounters(tree))?.other.swapcache;
    expect(checkLru((key) => meminfo.get(key), swapcacheKib)?.verdict).toBe("agree");
  });
});
