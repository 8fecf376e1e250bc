/** A source of reproducible randomness. Everything random in lib/domain takes one as a parameter. */
export interface Rng {
  /** Uniform on [0, 1), 32 bits of resolution. */
  uniform(): number;
  /** Standard normal deviate. */
  normal(): number;
  /** Whole number from 0 to `below` - 1, each equally likely. */
  integer(below: number): number;
  /** Poisson deviate with the given mean. */
  poisson(mean: number): number;
}

/**
 * Seeded generator: the same seed gives the same sequence on every platform.
 *
 * The state is a 32-bit counter that steps by an odd constant (so the period is 2^32) and is scrambled by two
 * multiply-and-shift rounds. Good enough for simulation; not for secrets. Normal deviates come from Marsaglia's polar
 * method, two at a time. Poisson deviates up to a mean of 30 are counted from products of uniforms (Knuth), above that
 * taken from the rounded normal approximation.
 *
 * Misleads: with more than about 10^8 draws from one seed, where the period is felt.
 * Reference: G. Marsaglia and T. A. Bray, SIAM Review 6 (1964) 260-264, for the polar method.
 * Cost: O(1) a draw.
 */
export function createRng(seed: number): Rng {
  let state = Math.imul(seed | 0, 0x2c1b3c6d) ^ 0x5bd1e995;
  let spare: number | undefined;

  const uniform = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    mixed ^= mixed >>> 15;
    return (mixed >>> 0) / 4294967296;
  };

  const normal = (): number => {
    if (spare !== undefined) {
      const deviate = spare;
      spare = undefined;
      return deviate;
    }
    for (;;) {
      const x = 2 * uniform() - 1;
      const y = 2 * uniform() - 1;
      const radius = x * x + y * y;
      if (radius > 0 && radius < 1) {
        const factor = Math.sqrt((-2 * Math.log(radius)) / radius);
        spare = y * factor;
        return x * factor;
      }
    }
  };

  const poisson = (mean: number): number => {
    if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
    const limit = Math.exp(-mean);
    let count = 0;
    for (let product = uniform(); product > limit; product *= uniform()) count += 1;
    return count;
  };

  return { uniform, normal, poisson, integer: (below) => Math.floor(uniform() * below) };
}
