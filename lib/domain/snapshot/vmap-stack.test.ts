import { describe, expect, it } from "vitest";

import { readTreeFile } from "../../../scripts/testing/fixture-trees.ts";
import { parseVmallocinfo } from "#lib/domain/procfs/vmallocinfo.ts";
import { readVmapStack } from "./vmap-stack.ts";

const read = (text: string) => readVmapStack(parseVmallocinfo(text).value);

describe("readVmapStack", () => {
  it("finds the stacks of a 6.18 kernel", () => {
    expect(read(readTreeFile("6.18-debian12-x86_64", "proc/vmallocinfo") ?? "")).toBe(true);
  });

  it("knows the callers of older kernels", () => {
    for (const caller of ["_do_fork", "dup_task_struct", "copy_process.part.0"]) {
      const text = `0xffffa0-0xffffa4   20480 ${caller}+0x54/0x1b0 pages=4 vmalloc N0=4\n`;
      expect(read(text), caller).toBe(true);
    }
  });

  it("says no when vmalloc space is used by others only, and nothing without a line", () => {
    expect(read("0xffffa0-0xffffa4   20480 module_alloc+0x54/0x1b0 pages=4 vmalloc N0=4\n")).toBe(false);
    expect(read("")).toBe(undefined);
  });
});
