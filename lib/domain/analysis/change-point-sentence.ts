import type { SlopeChange } from "#lib/domain/statistics/change-points.ts";
import type { MetricWords } from "./metric-words.ts";
import { sentenceStart, slopeUnit } from "./metric-words.ts";
import { formatEstimate } from "../memory/quantity.ts";

/** Times of a change point, already formatted: "04:15 UTC", and both ends of its interval: "04:09", "04:21". */
export interface ChangePointTimes {
  readonly at: string;
  readonly from: string;
  readonly to: string;
}

/**
 * A change of slope as one sentence.
 *
 * @example "Unreclaimable kernel memory grew 312 MiB/h (95 %: 298–327) until 04:15 UTC (04:09 to 04:21), and 4 MiB/h
 * (−6 to 13) after."
 */
export function changePointSentence(
  { before, after }: SlopeChange,
  metric: MetricWords,
  times: ChangePointTimes,
): string {
  const unit = slopeUnit(metric, Math.max(Math.abs(before.perHour), Math.abs(after.perHour)));
  const first = formatEstimate(before.perHour, before.ci95, unit);
  const then = formatEstimate(after.perHour, after.ci95, unit);
  const verb = before.ci95[0] > 0 ? "grew" : "changed by";
  return (
    `${sentenceStart(metric.name)} ${verb} ${first.value} ${first.unit} (95 %: ${first.interval}) ` +
    `until ${times.at} (${times.from} to ${times.to}), and ${then.value} ${then.unit} (${then.interval}) after.`
  );
}
