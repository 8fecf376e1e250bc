import { describe, expect, it } from "vitest";
import { linearSlope } from "./linear-slope.ts";
import { praisWinsten } from "./prais-winsten.ts";
import { isInsufficient } from "./insufficient.ts";

const HOUR_MS = 3_600_000;
const line = (hours: readonly number[]) => ({
  timesMs: Float64Array.from(hours, (hour) => hour * HOUR_MS),
  values: new Float64Array(hours.length),
  columns: [new Float64Array(hours.length).fill(1), Float64Array.from(hours)],
});

describe("linearSlope", () => {
  it("gives the worked example", () => {
    const slopeOf = linearSlope([line([0, 1, 2])], { column: 1, stepMs: HOUR_MS, phi: 0 });
    expect(slopeOf?.([Float64Array.of(1, 3, 5)]).slopePerHour).toBeCloseTo(2, 12);
    expect(slopeOf?.([Float64Array.of(0, 0, 3)]).slopePerHour).toBeCloseTo(1.5, 12);
    expect(slopeOf?.([Float64Array.of(1, 3, 8)]).slopePerHour).toBeCloseTo(3.5, 12);
  });
  it("agrees with Prais-Winsten where the memory is the one that the weights were made for", () => {
    const hours = Array.from({ length: 40 }, (_, i) => i).filter((hour) => hour < 20 || hour > 23);
    const values = Float64Array.from(hours, (hour) => 0.3 * hour + (((hour * hour * 37) % 101) / 101) * 2);
    const design = { ...line(hours), values };
    const fit = praisWinsten([design]);
    if (isInsufficient(fit)) throw new Error(fit.reason);
    const slopeOf = linearSlope([design], { column: 1, stepMs: HOUR_MS, phi: fit.phi });
    const slope = slopeOf?.([values]);
    expect(slope?.slopePerHour).toBeCloseTo(fit.coefficients[1] ?? NaN, 9);
    expect(slope?.phi).toBeCloseTo(fit.phi, 4);
    const half = ((slope?.ci95[1] ?? 0) - (slope?.ci95[0] ?? 0)) / 2;
    expect(half / Math.sqrt(fit.covariance[1]?.[1] ?? NaN)).toBeGreaterThan(1.9);
  });
  it("is sure of a constant, and knows no slope of columns that say the same", () => {
    const slopeOf = linearSlope([line([0, 1, 2, 3])], { column: 1, stepMs: HOUR_MS, phi: 0.5 });
    expect(slopeOf?.([new Float64Array(4)])).toMatchObject({ slopePerHour: 0, ci95: [0, 0], pValue: 1 });
    const twice = { ...line([0, 1, 2]), columns: [Float64Array.of(1, 1, 1), Float64Array.of(2, 2, 2)] };
    expect(linearSlope([twice], { column: 1, stepMs: HOUR_MS, phi: 0 })).toBeUndefined();
  });
});
