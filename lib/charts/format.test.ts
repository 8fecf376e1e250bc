import { describe, expect, test } from "vitest";
import {
  formatCountShort,
  formatDuration,
  formatGrowth,
  formatInterval,
  formatKib,
  formatKibChange,
  formatNumber,
  formatShare,
  formatSigned,
} from "./format.ts";

describe("numbers", () => {
  test("thousands, a true minus, and no sign on nothing", () => {
    expect(formatNumber(65_535)).toBe("65,535");
    expect(formatNumber(-1234.5, 1)).toBe("−1,234.5");
    expect(formatNumber(-0.2)).toBe("0");
    expect(formatSigned(3.216, 2)).toBe("+3.22");
    expect(formatSigned(-0.001, 2)).toBe("0.00");
  });

  test("an interval with a negative end uses the word", () => {
    expect(formatInterval([298, 327])).toBe("298–327");
    expect(formatInterval([-6, 13])).toBe("−6 to 13");
  });

  test("sizes take the binary unit that reads best", () => {
    expect(formatKib(22_368_844)).toBe("21.3\u00a0GiB");
    expect(formatKib(196_695_000)).toBe("188\u00a0GiB");
    expect(formatKib(512 * 1024)).toBe("512\u00a0MiB");
    expect(formatKib(96)).toBe("96.0\u00a0KiB");
    expect(formatKib(-3 * 1024 * 1024)).toBe("−3.00\u00a0GiB");
    expect(formatKibChange(1024 * 1024)).toBe("+1.00\u00a0GiB");
  });

  test("an estimate has no more digits than its interval supports", () => {
    expect(formatGrowth(312.4 * 1024, [298.1 * 1024, 326.9 * 1024])).toEqual({
      value: "312",
      interval: "298–327",
    });
    expect(formatGrowth(2.13 * 1024, [1.2 * 1024, 3.04 * 1024])).toEqual({
      value: "2.1",
      interval: "1.2–3.0",
    });
  });

  test("short counts and shares", () => {
    expect(formatCountShort(8000)).toBe("8,000");
    expect(formatCountShort(60_000)).toBe("60k");
    expect(formatCountShort(1_200_000)).toBe("1.2M");
    expect(formatShare(0.0843)).toBe("8.4\u202f%");
  });

  test("durations take at most two parts", () => {
    expect(formatDuration(3_000)).toBe("3 s");
    expect(formatDuration(47 * 60_000)).toBe("47 min");
    expect(formatDuration(14 * 3_600_000)).toBe("14 h");
    expect(formatDuration(44 * 3_600_000)).toBe("1 d 20 h");
    expect(formatDuration(59.7 * 60_000 + 3_600_000)).toBe("2 h");
    expect(formatDuration(23 * 86_400_000)).toBe("23 d");
  });
});
