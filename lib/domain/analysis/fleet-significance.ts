import { benjaminiHochberg } from "#lib/domain/statistics/multiple-testing.ts";
import type { Trend } from "./trend.ts";

/**
 * Holds the share of false leaks over many nodes (or many slab caches) at `level`, default 1 %: *leaking* stays only where
 * the p value is still below it after Benjamini-Hochberg over all trends given; otherwise it becomes *growing*. Pass every
 * trend that was computed, the flat ones too; leaving them out is choosing after looking. `others` are p values of the same
 * question asked of nodes that are not judged now.
 *
 * What it says of its newest stretch goes with it. The answer has the order of the input. Trends of another verdict are returned as they are.
 */
export function confirmAcrossFleet(
  trends: readonly Trend[],
  level = 0.01,
  others: readonly number[] = [],
): Trend[] {
  const adjusted = benjaminiHochberg([...trends.map(({ pValue }) => pValue), ...others]);
  return trends.map((trend, index) =>
    trend.verdict === "leaking" && (adjusted[index] ?? 1) >= level
      ? { ...trend, verdict: "growing", gates: { ...trend.gates, significant: false }, newest: undefined }
      : trend,
  );
}
