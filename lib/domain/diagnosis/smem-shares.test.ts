import { describe, expect, it } from "vitest";

import { explainDump } from "./explain.ts";

const shares = (kernel: string, user: string) =>
  "$ smem -tw -p\nArea                           Used      Cache   Noncache \n" +
  `kernel dynamic memory        77.50%     14.70%     ${kernel} \n` +
  `userspace memory             14.70%      2.20%     ${user} \n` +
  "free memory                   7.80%      7.80%      0.00% \n";

describe("smem -p", () => {
  it("names kernel memory that is no cache by its share, and invents no amount", () => {
    const { verdict, holders, keyNumbers } = explainDump(shares("62.70%", "12.50%"));
    expect(verdict).toBe("unclear");
    expect(holders[0]).toMatchObject({
      name: "kernel-dynamic noncache (not broken down)",
      kib: undefined,
      reason: "63 % of memory is kernel memory that is no cache",
    });
    expect(keyNumbers.smem_kernel_noncache_percent).toBe(62.7);
    expect(Object.keys(keyNumbers).filter((name) => !name.endsWith("_percent"))).toEqual([]);
  });

  it("names none where the share is small", () => {
    expect(explainDump(shares("3.00%", "72.20%")).suspects).toEqual([]);
  });
});
