const CANDIDATES = [0, 10_000, 1000, 100, 10, 1] as const;

/**
 * Ticks of the growth axis that all nodes of a list share, MiB/h: zero and powers of ten, none nearer to another than
 * `apart` (a part of the axis, 0 to 1).
 */
export function growthTicks(domain: readonly [number, number], apart: number): number[] {
  const kept: number[] = [];
  for (const tick of CANDIDATES) {
    if (tick > domain[1]) continue;
    const at = growthPosition(tick, domain);
    if (kept.every((other) => Math.abs(growthPosition(other, domain) - at) >= apart)) kept.push(tick);
  }
  return kept.sort((a, b) => a - b);
}

/**
 * Place of a growth on the list's shared axis, 0 to 1. Signed square root, so that 2 and 300 MiB/h both have a place
 * and intervals keep a visible width at either end.
 */
export function growthPosition(mibPerHour: number, domain: readonly [number, number]): number {
  const root = (value: number) => Math.sign(value) * Math.sqrt(Math.abs(value));
  const [low, high] = [root(domain[0]), root(domain[1])];
  const clamped = Math.min(domain[1], Math.max(domain[0], mibPerHour));
  return (root(clamped) - low) / Math.max(1e-9, high - low);
}

/** Ends of the shared axis for these slopes and intervals, MiB/h. */
export function growthDomain(values: readonly number[]): readonly [number, number] {
  const high = values.reduce((most, value) => Math.max(most, value), 50);
  const low = values.reduce((least, value) => Math.min(least, value), 0);
  return [Math.max(low, -high / 2, -200) - high * 0.015, high * 1.1];
}
