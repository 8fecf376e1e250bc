import type { ValueAxis } from "#lib/charts/value-axis.ts";

/** Label of one line of a value axis; Recharts gives the place. */
export function AxisLabel({
  axis,
  x,
  y,
  payload,
}: {
  readonly axis: ValueAxis;
  readonly x?: number;
  readonly y?: number;
  readonly payload?: { readonly value: number };
}) {
  const index = payload ? axis.ticks.indexOf(payload.value) : -1;
  if (x === undefined || y === undefined || index < 0) return null;
  return (
    <text x={x + 2} y={y + 4} textAnchor="end" fontSize={11} fill="var(--ink-2)">
      {axis.labels[index]}
    </text>
  );
}
