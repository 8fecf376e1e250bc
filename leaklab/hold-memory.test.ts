import { describe, expect, it } from "vitest";
import { holdMemory, KINDS, type Kind } from "./hold-memory.ts";
import { readMeminfo } from "./machine.ts";

const MIB = 48;

/** The counter that must rise with each kind; full pipes are in none, which is their point. */
const COUNTER: Record<Kind, string | undefined> = {
  tmpfs: "Shmem",
  threads: "KernelStack",
  "page-tables": "PageTables",
  "page-cache": "Cached",
  pipes: undefined,
};

describe("holdMemory", () => {
  it.each(KINDS)("takes %s for real and gives it back", { timeout: 60_000 }, async (kind) => {
    const counter = COUNTER[kind];
    const level = () => (counter === undefined ? 0 : (readMeminfo().get(counter) ?? 0));
    const before = level();
    const held = await holdMemory(kind, MIB);
    try {
      expect(held.kib).toBe(MIB * 1024);
      // Other processes move the same counters meanwhile; most of the amount must be there all the same.
      if (counter !== undefined) expect(level() - before).toBeGreaterThan(MIB * 1024 * 0.6);
    } finally {
      await held.release();
    }
  });

  it("refuses more than the machine has free", async () => {
    await expect(holdMemory("tmpfs", 1024 * 1024 * 1024)).rejects.toThrow(/MiB are free/);
  });
});
