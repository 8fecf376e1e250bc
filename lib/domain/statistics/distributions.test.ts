import { describe, expect, it } from "vitest";
import { normalQuantile, normalUpperTail } from "./normal-distribution.ts";
import { tQuantile, tUpperTail } from "./t-distribution.ts";

/* Reference: SciPy 1.10.1, scipy.stats.norm.sf, norm.ppf, t.sf, t.ppf, printed with repr(). */
const relative = (actual: number, expected: number) => Math.abs(actual / expected - 1);

describe("normal distribution", () => {
  it.each([
    [0, 0.5],
    [0.3, 0.3820885778110474],
    [1, 0.15865525393145707],
    [2.9, 0.0018658133003840375],
    [3.1, 0.0009676032132183563],
    [6, 9.865876450376946e-10],
    [12, 1.776482112077653e-33],
    [30, 4.906713927147908e-198],
    [-2, 0.9772498680518208],
  ])("upper tail at %f", (z, expected) => {
    expect(relative(normalUpperTail(z), expected)).toBeLessThan(1e-12);
  });
  it.each([
    [0.6, 0.2533471031357997],
    [0.975, 1.959963984540054],
    [0.995, 2.5758293035489004],
    [0.999999, 4.753424308817087],
    [1e-10, -6.361340902404056],
    [0.02425, -1.972961051311885],
  ])("quantile at %f", (p, expected) => {
    expect(relative(normalQuantile(p), expected)).toBeLessThan(1e-10);
  });
  it("has the infinities at 0 and 1 and nothing outside", () => {
    expect(normalQuantile(0)).toBe(-Infinity);
    expect(normalQuantile(1)).toBe(Infinity);
    expect(normalQuantile(0.5)).toBe(0);
    expect(normalQuantile(1.1)).toBeNaN();
    expect(normalUpperTail(NaN)).toBeNaN();
  });
});

describe("Student's t distribution", () => {
  it.each([
    [1.5, 3, 0.11529193262241141],
    [2, 12.5, 0.03385547162485758],
    [40, 5, 9.205981085886476e-8],
    [-1, 8, 0.8267032464563329],
    [6, 200, 4.557560174405202e-9],
  ])("upper tail at %f with %f degrees of freedom", (t, df, expected) => {
    expect(relative(tUpperTail(t, df), expected)).toBeLessThan(1e-10);
  });
  it.each([
    [0.975, 1, 12.706204736432095],
    [0.975, 2.5, 3.5746548420118773],
    [0.975, 10, 2.2281388519649385],
    [0.995, 30, 2.7499956535670305],
    [0.6, 4, 0.2707222947059493],
    [0.975, 283, 1.9683819234318902],
    [0.9999, 7, 7.063432838879061],
    [0.01, 50000, -2.3264224578136847],
  ])("quantile at %f with %f degrees of freedom", (p, df, expected) => {
    // SciPy's own t.sf(t.ppf(.9999, 7), 7) is 1e-4 less 1e-12: its quantile is good to 2e-9.
    expect(relative(tQuantile(p, df), expected)).toBeLessThan(2e-9);
  });
  it("has no answer without degrees of freedom", () => {
    expect(tQuantile(0.975, 0)).toBeNaN();
    expect(tUpperTail(1, -1)).toBeNaN();
    expect(tQuantile(0.5, 3)).toBe(0);
    expect(tQuantile(1, 3)).toBe(Infinity);
  });
});
