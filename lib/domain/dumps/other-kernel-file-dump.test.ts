import { describe, expect, it } from "vitest";

import { readDump } from "./read-dump.ts";

describe("files of a whole snapshot that say nothing about memory", () => {
  const text = [
    "==> /proc/uptime <==\n345600.12 2700000.00\n",
    "==> /host/proc/stat <==\ncpu  100 0 100 1000 0 0 0 0 0 0\ncpu0 50 0 50 500 0 0 0 0 0 0\nprocesses 812345\n",
    "==> /proc/sys/kernel/random/boot_id <==\n0b1d0f6a-3c1e-4a57-9d4e-5f4c2a9b7e11\n",
  ].join("\n");

  it("are understood, and give no number", () => {
    const { unrecognised, keyNumbers, warnings } = readDump(text);
    expect({ unrecognised, warnings, numbers: [...keyNumbers] }).toEqual({
      unrecognised: [],
      warnings: [],
      numbers: [],
    });
  });

  it("are known only by the path above them", () => {
    expect(readDump("345600.12 2700000.00\nprocesses 812345\n").unrecognised).toHaveLength(1);
  });
});
