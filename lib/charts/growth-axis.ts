/** Ticks of the growth axis that all nodes of a list share, MiB/h. */
export const GROWTH_TICKS = [0, 10, 100, 1000] as const;

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
