import fc from "fast-check";
import { expect, it } from "vitest";
import { benjaminiHochberg, holm } from "./multiple-testing.ts";

it("agrees with statsmodels 0.13.5, multipletests(p, method='fdr_bh')", () => {
  const p = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216, 0.222, 0.251, 0.269, 0.275];
  const rest = [0.34, 0.341, 0.384, 0.569, 0.594, 0.696, 0.762, 0.94, 0.942, 0.975, 0.986];
  const expected = [
    0.025,
    0.1,
    0.21,
    0.21,
    0.21,
    0.25,
    0.264285714286,
    ...new Array<number>(7).fill(0.491071428571),
  ];
  const expectedRest = [0.5328125, 0.5328125, 0.564705882353, 0.781578947368, 0.781578947368, 0.87];
  const last = [0.907142857143, 0.986, 0.986, 0.986, 0.986];
  benjaminiHochberg([...p, ...rest]).forEach((adjusted, i) =>
    expect(adjusted).toBeCloseTo([...expected, ...expectedRest, ...last][i] as number, 10),
  );
});

it("gives the worked example", () => {
  const adjusted = benjaminiHochberg([0.01, 0.04, 0.03, 0.005]);
  adjusted.forEach((value, i) => expect(value).toBeCloseTo([0.02, 0.04, 0.04, 0.02][i] as number, 12));
  expect(benjaminiHochberg([])).toEqual([]);
});

it("never lowers a p value, never exceeds 1, keeps the order of the evidence", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 }), (p) => {
      const adjusted = benjaminiHochberg(p);
      p.forEach((value, i) => {
        expect(adjusted[i]).toBeGreaterThanOrEqual(value);
        expect(adjusted[i]).toBeLessThanOrEqual(1);
        p.forEach((other, j) => {
          if (value < other) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j] as number);
        });
      });
    }),
  );
});

it("agrees with statsmodels 0.13.5, multipletests(p, method='holm')", () => {
  const adjusted = holm([0.01, 0.04, 0.03, 0.005]);
  adjusted.forEach((value, i) => expect(value).toBeCloseTo([0.03, 0.06, 0.06, 0.02][i] as number, 12));
  expect(holm([])).toEqual([]);
  expect(holm([0.6, 0.7])).toEqual([1, 1]);
});
