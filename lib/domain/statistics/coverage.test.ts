import { expect, it } from "vitest";
import { autoregressiveNoise } from "#lib/domain/scenarios/noise.ts";
import { isInsufficient } from "./insufficient.ts";
import { createRng } from "./rng.ts";
import { theilSen } from "./theil-sen.ts";

/* The short form of coverage.calibration.test.ts: 300 runs, where 95 % are known to within 3.8 % (three standard errors). */
it.each([0, 0.8])("a 95 %% interval covers the slope about as often as it says: phi %f", (phi) => {
  const rng = createRng(2026);
  const runs = 300;
  const n = 144;
  const timesMs = Float64Array.from({ length: n }, (_, i) => i * 300_000);
  let covers = 0;
  for (let run = 0; run < runs; run += 1) {
    const noise = autoregressiveNoise(rng, n, phi, 1);
    const estimate = theilSen([{ timesMs, values: Float64Array.from(noise, (value, i) => value + i / 12) }]);
    if (isInsufficient(estimate)) throw new Error(estimate.reason);
    if (estimate.ci95[0] <= 1 && 1 <= estimate.ci95[1]) covers += 1;
  }
  expect(covers / runs).toBeGreaterThan(0.912);
  expect(covers / runs).toBeLessThan(0.988);
});
