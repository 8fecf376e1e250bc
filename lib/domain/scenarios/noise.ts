import type { Rng } from "#lib/domain/statistics/rng.ts";

/**
 * Stationary AR(1) noise: each value is `phi` times the one before plus fresh normal noise, with standard deviation `sd` from
 * the first value on.
 */
export function autoregressiveNoise(rng: Rng, n: number, phi: number, sd: number): number[] {
  const innovation = Math.sqrt(1 - phi * phi);
  const values = new Array<number>(n);
  let state = rng.normal();
  for (let i = 0; i < n; i += 1) {
    if (i > 0) state = phi * state + innovation * rng.normal();
    values[i] = state * sd;
  }
  return values;
}

/** AR(1) noise that is asked for step by step; `phi` per 5 minutes. */
export function noiseSource(rng: Rng, sdKib: number, phi: number, stepMs: number): () => number {
  const memory = phi ** (stepMs / 300_000);
  const fresh = Math.sqrt(1 - memory * memory);
  let state = rng.normal();
  return () => {
    const value = state * sdKib;
    state = memory * state + fresh * rng.normal();
    return value;
  };
}
