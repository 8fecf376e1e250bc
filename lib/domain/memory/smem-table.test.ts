import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { fixtureTrees, readTreeFile, treePath } from "../../../scripts/testing/fixture-trees.ts";
import { parseMeminfo } from "#lib/domain/procfs/meminfo.ts";
import { SMEM_MEMINFO_KEYS, smemTable, type SmemMeminfoKey, type SmemOptions } from "./smem-table.ts";

/** A node of 187.6 GiB whose unreclaimable kernel memory grew with every container; only the sum of caches is known. */
const CONTAINER_LEAK: Record<SmemMeminfoKey, number> = {
  MemTotal: 196_688_344,
  MemFree: 171_566_560,
  AnonPages: 699_404,
  Mapped: 318_360,
  Buffers: 200_000,
  Cached: 1_353_536,
  SReclaimable: 500_000,
};

function cells(fields: Partial<Record<SmemMeminfoKey, number>>, options?: SmemOptions) {
  const table = smemTable((key) => fields[key], options);
  return table?.map((row) => [row.label, row.usedKib, row.cacheKib, row.noncacheKib]);
}

describe("smemTable", () => {
  it("gives the rows that were seen on the leaking node", () => {
    expect(cells(CONTAINER_LEAK, { kernelImageKib: 12_629, physicalKib: 196_688_344 })).toEqual([
      ["firmware/hardware", 0, 0, 0],
      ["kernel image", 12_629, 0, 12_629],
      ["kernel dynamic memory", 24_104_020, 1_735_176, 22_368_844],
      ["userspace memory", 1_017_764, 318_360, 699_404],
      ["free memory", 171_566_560, 171_566_560, 0],
    ]);
  });

  it("does not claim to know firmware and image", () => {
    expect(cells(CONTAINER_LEAK)?.slice(0, 2)).toEqual([
      ["firmware/hardware", undefined, undefined, undefined],
      ["kernel image", undefined, undefined, undefined],
    ]);
    expect(cells(CONTAINER_LEAK, { physicalKib: 201_326_592 })?.[0]?.[1]).toBe(201_326_592 - 196_688_344);
  });

  it("does not clamp what is mapped beyond the page cache", () => {
    expect(cells({ ...CONTAINER_LEAK, Cached: 0, Buffers: 0, SReclaimable: 0 })?.[2]?.[2]).toBe(-318_360);
  });

  it.each(SMEM_MEMINFO_KEYS)("has no table without %s", (key) => {
    const { [key]: _left, ...rest } = CONTAINER_LEAK;
    expect(cells(rest)).toBe(undefined);
  });
});

const SMEM = "/usr/bin/smem";

/** `smem -w` on a folder that holds proc/, as numbers by row. */
function runSmem(root: string, ...options: string[]): Record<string, number[]> {
  const output = execFileSync(SMEM, ["-w", "-H", "-S", root, ...options], { encoding: "utf8" });
  return Object.fromEntries(
    output
      .trimEnd()
      .split("\n")
      .map((line) => [line.slice(0, 24).trim(), line.slice(24).trim().split(/\s+/).map(Number)]),
  );
}

function ours(text: string, options?: SmemOptions): Record<string, number[]> {
  const values = parseMeminfo(text).value.values;
  const table = smemTable((key) => values.get(key), options);
  if (table === undefined) throw new Error("no table");
  return Object.fromEntries(
    table.map((row) => [row.label, [row.usedKib ?? 0, row.cacheKib ?? 0, row.noncacheKib ?? 0]]),
  );
}

describe.runIf(existsSync(SMEM))("the installed smem", () => {
  it.each(fixtureTrees())("prints the same table for %s", (tree) => {
    expect(ours(readTreeFile(tree, "proc/meminfo") ?? "")).toEqual(runSmem(treePath(tree)));
  });

  it("prints the same table for the leaking node and for one with more memory than the kernel manages", () => {
    const root = mkdtempSync(path.join(tmpdir(), "smem-"));
    try {
      // smem stops without SwapTotal, though its table does not use it.
      const text = Object.entries({ ...CONTAINER_LEAK, SwapTotal: 0 })
        .map(([key, kib]) => `${key}: ${kib} kB\n`)
        .join("");
      mkdirSync(path.join(root, "proc"));
      writeFileSync(path.join(root, "proc/meminfo"), text);
      expect(ours(text)).toEqual(runSmem(root));
      expect(ours(text, { physicalKib: 201_326_592 })).toEqual(runSmem(root, "-R", "192G"));
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
