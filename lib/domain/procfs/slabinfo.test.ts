import { describe, expect, it } from "vitest";

import { readTreeFile } from "../../../scripts/testing/fixture-trees.ts";
import { parseSlabinfo, slabCacheBytes } from "./slabinfo.ts";

const HEADER =
  "slabinfo - version: 2.1\n# name <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab>\n";
const TAIL = ": tunables    0    0    0 : slabdata";

describe("parseSlabinfo", () => {
  it("reads every cache of a 6.18 kernel", () => {
    const text = readTreeFile("6.18-debian12-x86_64", "proc/slabinfo") ?? "";
    const { value, warnings } = parseSlabinfo(text);
    expect(warnings).toEqual([]);
    expect(value.version).toBe("2.1");
    const rebuilt = value.caches.map((cache) => [
      cache.name,
      ...[cache.activeObjs, cache.numObjs, cache.objSizeBytes, cache.objPerSlab, cache.pagesPerSlab].map(
        String,
      ),
      ...[cache.activeSlabs, cache.numSlabs].map(String),
    ]);
    const expected = text
      .trimEnd()
      .split("\n")
      .slice(2)
      .map((line) => line.split(/\s+/))
      .map((fields) => [...fields.slice(0, 6), ...fields.slice(13, 15)]);
    expect(rebuilt).toEqual(expected);
  });

  it("gives the bytes of whole slabs, in the machine's pages", () => {
    const [cache] = parseSlabinfo(`${HEADER}dentry 10 42 192 42 2 ${TAIL} 7 8 0\n`).value.caches;
    if (cache === undefined) throw new Error("no cache");
    expect(slabCacheBytes(cache, 4096)).toBe(8 * 2 * 4096);
    expect(slabCacheBytes(cache, 65_536)).toBe(8 * 2 * 65_536);
    expect(slabCacheBytes({ ...cache, numSlabs: undefined }, 4096)).toBe(undefined);
  });

  it("reads 2.0 and the statistics that follow", () => {
    const text = `slabinfo - version: 2.0 (statistics)
# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables <batchcount> <limit> <sharedfactor> : slabdata <active_slabs> <num_slabs> <sharedavail> : globalstat <listallocs>
size-8192          25926  25927   8192    1    2 : tunables    8    4    0 : slabdata  25926  25927      0 : globalstat   30000  26000 1 2 : cpustat 1 2 3 4
`;
    expect(parseSlabinfo(text)).toEqual({
      value: {
        version: "2.0",
        caches: [
          {
            name: "size-8192",
            activeObjs: 25_926,
            numObjs: 25_927,
            objSizeBytes: 8192,
            objPerSlab: 1,
            pagesPerSlab: 2,
            activeSlabs: 25_926,
            numSlabs: 25_927,
          },
        ],
      },
      warnings: [],
    });
  });

  it("reads the columns of 1.1, where slabs come before pages, and of 1.0", () => {
    const { value } = parseSlabinfo(
      "slabinfo - version: 1.1 (SMP)\nkmem_cache            80     82    244    5    6    1 :  252  126\nfat inode cache 1 2 3 4 5 6\n",
    );
    expect(value.version).toBe("1.1");
    expect(value.caches).toEqual([
      {
        name: "kmem_cache",
        activeObjs: 80,
        numObjs: 82,
        objSizeBytes: 244,
        objPerSlab: undefined,
        pagesPerSlab: 1,
        activeSlabs: 5,
        numSlabs: 6,
      },
      {
        name: "fat inode cache",
        activeObjs: 1,
        numObjs: 2,
        objSizeBytes: 3,
        objPerSlab: undefined,
        pagesPerSlab: 6,
        activeSlabs: 4,
        numSlabs: 5,
      },
    ]);
    expect(parseSlabinfo("slabinfo - version: 1.0\nkmem_cache 29 42\n").value.caches).toMatchObject([
      { name: "kmem_cache", activeObjs: 29, numObjs: 42, objSizeBytes: undefined, numSlabs: undefined },
    ]);
  });

  it("keeps caches of the same name apart, and names with colons, dots and parentheses", () => {
    const text = ["kmalloc-64", ":0000512", "dm_bufio_buffer-7:3", "ip6_dst_cache(0:1847)", "kmalloc-64"]
      .map((name) => `${name} 1 2 3 4 5 ${TAIL} 6 7 0\n`)
      .join("");
    const { value, warnings } = parseSlabinfo(text);
    expect(warnings).toEqual([]);
    expect(value.version).toBe(undefined);
    expect(value.caches.map((cache) => cache.name)).toEqual([
      "kmalloc-64",
      ":0000512",
      "dm_bufio_buffer-7:3",
      "ip6_dst_cache(0:1847)",
      "kmalloc-64",
    ]);
  });

  it("reads lines without their last columns, and drops a number that may be cut", () => {
    const { value, warnings } = parseSlabinfo(
      `kmalloc-8192         268    268   8192    4    8\ndentry 10 42 192\nradix 1 2 3 4 5 ${TAIL} 6 7`,
    );
    expect(warnings).toEqual([]);
    expect(
      value.caches.map((cache) => [cache.name, cache.pagesPerSlab, cache.activeSlabs, cache.numSlabs]),
    ).toEqual([
      ["kmalloc-8192", 8, undefined, undefined],
      ["dentry", undefined, undefined, undefined],
      ["radix", 5, 6, undefined],
    ]);
  });

  it("names the lines that are no cache", () => {
    const { value, warnings } = parseSlabinfo(
      "slabinfo - version: x\ndentry\ndentry 5\ncat: Permission denied\n",
    );
    expect(value.caches).toEqual([]);
    expect(warnings.map((each) => each.lineNumber)).toEqual([1, 2, 3, 4]);
  });
});
