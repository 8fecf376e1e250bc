import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  MAD_TO_STANDARD_DEVIATION,
  median,
  medianAbsoluteDeviation,
  quantile,
  selectInPlace,
} from "./robust.ts";

/*
 * Reference: NumPy 1.24.2 and SciPy 1.10.1 on Python 3.11
 *   y = [3,1,4,1,5,9,2,6,5,3,5,8]
 *   [np.quantile(y, p) for p in (0, .1, .25, .5, .9, 1)]; st.median_abs_deviation(y); 1 / st.norm.ppf(.75)
 */
const values = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8];

describe("quantile", () => {
  it("agrees with NumPy", () => {
    [0, 0.1, 0.25, 0.5, 0.9, 1].forEach((p, i) =>
      expect(quantile(values, p)).toBeCloseTo([1, 1.1, 2.75, 4.5, 7.8, 9][i] as number, 12),
    );
    expect(quantile([10, 20, 30, 40], 0.25)).toBe(17.5);
  });
  it("has no answer without values", () => {
    expect(quantile([], 0.5)).toBeUndefined();
    expect(median([])).toBeUndefined();
    expect(medianAbsoluteDeviation([])).toBeUndefined();
  });
  it("leaves its input alone", () => {
    const input = Float64Array.of(3, 1, 2);
    median(input);
    expect([...input]).toEqual([3, 1, 2]);
  });
});

describe("median and medianAbsoluteDeviation", () => {
  it("agree with SciPy and the worked examples", () => {
    expect(median([3, 1, 100, 2])).toBe(2.5);
    expect(medianAbsoluteDeviation(values)).toBe(1.5);
    expect(medianAbsoluteDeviation([1, 1, 2, 2, 4, 6, 9])).toBe(1);
    expect(MAD_TO_STANDARD_DEVIATION).toBeCloseTo(1.482602218505602, 14);
  });
});

describe("selectInPlace", () => {
  it("finds what a sort would put at the rank, for any data", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 60 }),
        fc.nat(),
        (data, seed) => {
          const rank = seed % data.length;
          const buffer = Float64Array.from(data);
          expect(selectInPlace(buffer, rank)).toBe(Float64Array.from(data).sort()[rank]);
          expect([...buffer.subarray(0, rank)].every((value) => value <= (buffer[rank] as number))).toBe(
            true,
          );
          expect([...buffer.subarray(rank)].every((value) => value >= (buffer[rank] as number))).toBe(true);
        },
      ),
    );
  });
});
