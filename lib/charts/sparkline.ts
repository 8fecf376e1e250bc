/** A small line without axes, as an SVG path, and the place of its newest point. */
export interface Sparkline {
  readonly path: string;
  readonly last: { readonly x: number; readonly y: number } | undefined;
}

/**
 * Path of a sparkline. Its height stands for at least `least` (in the unit of the values), so that noise stays flat;
 * null breaks the line.
 */
export function sparkline(
  timesMs: readonly number[],
  values: readonly (number | null)[],
  size: { widthPx: number; heightPx: number; least: number },
): Sparkline {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value === null) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const fromMs = timesMs[0];
  const toMs = timesMs.at(-1);
  if (high < low || fromMs === undefined || toMs === undefined) return { path: "", last: undefined };
  const span = Math.max(high - low, size.least, 1e-9);
  const middle = (low + high) / 2;
  const x = (atMs: number) => 1 + ((atMs - fromMs) / Math.max(1, toMs - fromMs)) * (size.widthPx - 4);
  const y = (value: number) => 3 + (1 - (value - (middle - span / 2)) / span) * (size.heightPx - 6);
  const steps: string[] = [];
  let joined = false;
  values.forEach((value, index) => {
    if (value === null) {
      joined = false;
      return;
    }
    steps.push(`${joined ? "L" : "M"}${x(timesMs[index] ?? fromMs).toFixed(1)} ${y(value).toFixed(1)}`);
    joined = true;
  });
  const newest = values.at(-1);
  return { path: steps.join(""), last: newest == null ? undefined : { x: x(toMs), y: y(newest) } };
}
