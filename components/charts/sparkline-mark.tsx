import type { Sparkline } from "#lib/charts/sparkline.ts";

/** A small line in a table; its finding stands in the columns beside it. */
export function SparklineMark({
  spark,
  widthPx,
  heightPx,
}: {
  readonly spark: Sparkline;
  readonly widthPx: number;
  readonly heightPx: number;
}) {
  return (
    <svg width={widthPx} height={heightPx} viewBox={`0 0 ${widthPx} ${heightPx}`} aria-hidden="true">
      <path d={spark.path} fill="none" stroke="var(--ink-2)" strokeWidth="1.25" />
      {spark.last ? <circle cx={spark.last.x} cy={spark.last.y} r="1.7" fill="var(--ink)" /> : null}
    </svg>
  );
}
