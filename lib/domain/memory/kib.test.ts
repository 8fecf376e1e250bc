import { describe, expect, it } from "vitest";

import { bytesToKib, hugePagesToKib, isPageSizeBytes, kibToBytes, kibToPages, pagesToKib } from "./kib.ts";

describe("memory units", () => {
  it("turns pages into KiB with the page size of the machine", () => {
    expect(pagesToKib(3, 4096)).toBe(12);
    expect(pagesToKib(3, 65_536)).toBe(192);
    expect(kibToPages(192, 65_536)).toBe(3);
    expect(hugePagesToKib(4, 2048)).toBe(8192);
  });

  it("keeps fractions", () => {
    expect(bytesToKib(512)).toBe(0.5);
    expect(kibToBytes(0.5)).toBe(512);
  });

  it("knows a page size from another number", () => {
    expect([4096, 16_384, 65_536].every(isPageSizeBytes)).toBe(true);
    expect([0, -4096, 4, 5000, 4096.5, 2_097_152, NaN].some(isPageSizeBytes)).toBe(false);
  });
});
