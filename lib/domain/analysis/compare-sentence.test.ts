import { describe, expect, it } from "vitest";
import { insufficient } from "#lib/domain/statistics/insufficient.ts";
import { compareSentence } from "./compare-sentence.ts";
import type { Contrast, MetricDifference } from "./compare.ts";

const MIB = 1024;

function contrast(value: number, half: number): Contrast {
  const side = { nodes: 1, value: 0, ci95: [0, 0] as const };
  const ci95 = [value - half, value + half] as const;
  return { value, ci95, standardError: half / 2, degreesOfFreedom: 60, a: side, b: side };
}

function difference(slopeMib: readonly [number, number], levelMib: readonly [number, number]) {
  const result: MetricDifference = {
    kind: "difference",
    design: "nodes",
    slopePerHour: contrast(slopeMib[0] * MIB, slopeMib[1] * MIB),
    level: contrast(levelMib[0] * MIB, levelMib[1] * MIB),
    leftOut: [],
  };
  return result;
}

const named = (name: string, result: MetricDifference) => ({ name, result });
const total = (slope: readonly [number, number], level: readonly [number, number]) =>
  named("unreclaimable kernel memory", difference(slope, level));

describe("compareSentence", () => {
  it("says growth, the part that differs most clearly, and the level", () => {
    const bands = [
      named("percpu", difference([60, 12], [400, 20])),
      named("unreclaimable slab", difference([150, 20], [800, 20])),
    ];
    expect(compareSentence(total([210, 30], [1229, 100]), bands, "time")).toBe(
      "Side B grows 210 MiB/h (95 %: 180–240) more than side A in unreclaimable kernel memory, most clearly in " +
        "unreclaimable slab: 150 MiB/h (130–170) more. Side B's mean level is 1.20 GiB (1.10–1.30) higher.",
    );
  });
  it("says less, lower, and what the clock began with", () => {
    expect(compareSentence(total([-210, 30], [-1229, 100]), [], "boot")).toBe(
      "Since boot, side B grows 210 MiB/h (95 %: 180–240) less than side A in unreclaimable kernel memory. " +
        "Side B's mean level is 1.20 GiB (1.10–1.30) lower.",
    );
  });
  it("says that nothing can be told, with what is left possible", () => {
    expect(compareSentence(total([2, 6], [10, 40]), [], "mark")).toBe(
      "After the mark, no difference in the growth of unreclaimable kernel memory can be told: +2 MiB/h (95 %: −4 to 8). " +
        "No difference of mean level can be told: +10 MiB (95 %: −30 to 50).",
    );
  });
  it("names the part with the largest t, not the one that differs most", () => {
    const large = named("unaccounted", difference([150, 100], [0, 5]));
    const clear = named("percpu", difference([60, 3], [0, 5]));
    expect(compareSentence(total([210, 30], [0, 5]), [large, clear], "time")).toContain(
      "most clearly in percpu: 60 MiB/h (57–63) more.",
    );
  });
  it("names no part that goes the other way than the total", () => {
    const against = named("percpu", difference([-60, 3], [0, 5]));
    expect(compareSentence(total([210, 30], [0, 5]), [against], "time")).not.toContain("percpu");
  });
  it("names a part beside an undecided total only where that is certain among all parts", () => {
    const doubtful = named("percpu", difference([20, 18], [0, 5]));
    const certain = named("page tables", difference([90, 20], [0, 5]));
    const sentence = compareSentence(total([2, 6], [10, 40]), [doubtful, certain], "time");
    expect(sentence).toContain("Page tables grows 90 MiB/h (70–110) more on side B.");
    expect(
      compareSentence(total([2, 6], [10, 40]), [doubtful, named("x", difference([0, 5], [0, 5]))], "time"),
    ).not.toContain("percpu");
  });
  it("says what is missing, and where", () => {
    const missing = {
      ...insufficient("points in the common stretch", 24, 7),
      side: "b" as const,
      leftOut: [],
    };
    expect(compareSentence({ name: "x", result: missing }, [], "time")).toBe(
      "Cannot compare: 7 points in the common stretch on side B, 24 needed.",
    );
  });
});
