import { expect, it } from "vitest";
import { createRng } from "./rng.ts";

it("repeats itself for a seed and differs between seeds", () => {
  const draw = (seed: number) => {
    const rng = createRng(seed);
    return Array.from({ length: 5 }, () => rng.uniform());
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});

it("has the moments of its distributions", () => {
  const rng = createRng(1);
  const n = 100_000;
  const moments = (draw: () => number) => {
    const values = Array.from({ length: n }, draw);
    const mean = values.reduce((sum, value) => sum + value / n, 0);
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2 / n, 0);
    const lagOne = values
      .slice(1)
      .reduce((sum, v, i) => sum + (v - mean) * ((values[i] as number) - mean), 0);
    return { mean, variance, lagOne: lagOne / n / variance };
  };
  const normal = moments(() => rng.normal());
  expect(normal.mean).toBeCloseTo(0, 1);
  expect(Math.abs(normal.variance - 1)).toBeLessThan(0.02);
  expect(Math.abs(normal.lagOne)).toBeLessThan(0.013);
  const uniform = moments(() => rng.uniform());
  expect(Math.abs(uniform.mean - 0.5)).toBeLessThan(0.004);
  expect(Math.abs(uniform.variance - 1 / 12)).toBeLessThan(0.001);
  for (const mean of [0.2, 4, 60]) {
    const poisson = moments(() => rng.poisson(mean));
    expect(Math.abs(poisson.mean / mean - 1)).toBeLessThan(0.03);
    expect(Math.abs(poisson.variance / mean - 1)).toBeLessThan(0.05);
  }
  const faces = new Array<number>(6).fill(0);
  for (let i = 0; i < 60_000; i += 1) {
    const face = rng.integer(6);
    faces[face] = (faces[face] ?? 0) + 1;
  }
  expect(faces).toHaveLength(6);
  faces.forEach((count) => expect(Math.abs(count - 10_000)).toBeLessThan(400));
});
