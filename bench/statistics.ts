/** Value below which the share `q` of the samples lies, by linear interpolation; NaN of none. */
export function quantile(samples: readonly number[], q: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const position = (sorted.length - 1) * q;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? below;
  return below + (above - below) * (position - Math.floor(position));
}

/** Runs `work` `rounds` times after `warmUp` unmeasured ones; milliseconds of each. */
export async function timed(rounds: number, warmUp: number, work: () => Promise<unknown>): Promise<number[]> {
  for (let round = 0; round < warmUp; round += 1) await work();
  const took: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const since = performance.now();
    await work();
    took.push(performance.now() - since);
  }
  return took;
}
