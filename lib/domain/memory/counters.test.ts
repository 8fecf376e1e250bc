import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { counterDelta, counterIncrease, type CounterSample } from "./counters.ts";

const at = (
  atMs: number,
  value: number | null | undefined,
  bootId: string | undefined = "a",
): CounterSample => ({
  atMs,
  bootId,
  value,
});

describe("counterDelta", () => {
  it("gives rise, time and rate", () => {
    expect(counterDelta(at(0, 100), at(30_000, 103))).toEqual({
      increase: 3,
      elapsedMs: 30_000,
      perHour: 360,
    });
    expect(counterDelta(at(0, 7), at(1000, 7))).toEqual({ increase: 0, elapsedMs: 1000, perHour: 0 });
  });

  it.each([
    ["a reset", at(0, 100), at(1000, 2)],
    ["a reboot, even with a higher value", at(0, 1), at(1000, 50, "b")],
    ["two unknown boots", { atMs: 0, bootId: undefined, value: 1 }, { atMs: 9, bootId: undefined, value: 2 }],
    ["a hole", at(0, null), at(1000, 50)],
    ["a hole behind", at(0, 5), at(1000, undefined)],
    ["no number", at(0, 5), at(1000, NaN)],
    ["no time", at(5, 1), at(5, 2)],
    ["time that runs backwards", at(5, 1), at(4, 2)],
  ])("gives nothing for %s", (_what, previous, current) => {
    expect(counterDelta(previous, current)).toBe(undefined);
  });
});

describe("counterIncrease", () => {
  it("steps over holes, resets and reboots, and counts only the time it can speak of", () => {
    const samples = [
      at(0, 10),
      at(10, null),
      at(20, 14),
      at(30, 1),
      at(40, 3),
      at(50, 90, "b"),
      at(60, 91, "b"),
    ];
    expect(counterIncrease(samples)).toEqual({ increase: 7, elapsedMs: 40, perHour: (7 / 40) * 3_600_000 });
  });

  it("has nothing to say about one reading", () => {
    expect(counterIncrease([at(0, 1)])).toBe(undefined);
    expect(counterIncrease([at(0, 1), at(9, 2, "b")])).toBe(undefined);
  });

  it("is the difference of the ends within one boot without resets", () => {
    const rises = fc.array(fc.nat(1000), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(rises, (steps) => {
        let value = 0;
        const samples = steps.map((step, index) => at(index * 15_000, (value += step)));
        expect(counterIncrease(samples)?.increase).toBe(value - (steps[0] ?? 0));
      }),
    );
  });
});
