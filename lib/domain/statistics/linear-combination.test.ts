import { expect, it } from "vitest";
import { linearCombination } from "./linear-combination.ts";

const FIT = {
  coefficients: [1, 2],
  covariance: [
    [4, 1],
    [1, 9],
  ],
};

it("adds coefficients and their covariance", () => {
  const { value, standardError } = linearCombination(FIT, [1, 1]);
  expect(value).toBe(3);
  expect(standardError).toBeCloseTo(Math.sqrt(15), 12);
  expect(linearCombination(FIT, [0, 2])).toEqual({ value: 4, standardError: 6 });
});

it("leaves out what has no weight, even where nothing is known of it", () => {
  const unknown = {
    coefficients: [1, Infinity],
    covariance: [
      [4, NaN],
      [NaN, Infinity],
    ],
  };
  expect(linearCombination(unknown, [1, 0])).toEqual({ value: 1, standardError: 2 });
  expect(linearCombination(unknown, [1])).toEqual({ value: 1, standardError: 2 });
});
