import type { Insufficient } from "#lib/domain/statistics/insufficient.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import { lackingText } from "./lacking-text.ts";
import type { MetricWords } from "./metric-words.ts";
import { amountText, sentenceStart, slopeUnit } from "./metric-words.ts";
import { formatDuration, formatEstimate, type EstimateText } from "../memory/quantity.ts";
import { sinceWords } from "./newest-stretch.ts";
import type { Trend } from "./trend.ts";

/**
 * A trend as one or two sentences: what grew how much, with interval, over which time, verdict; and, where the verdict is held
 * back, what would settle it. A flat trend says so where its interval is above zero without being certain enough. Where growth changed within the window, what it is since then stands last.
 *
 * @example "Unreclaimable kernel memory grew 312 MiB/h (95 %: 298–327) over 24 h: leaking."
 */
export function trendSentence(trend: Trend | Insufficient, metric: MetricWords): string {
  if (isInsufficient(trend)) {
    return `Cannot say whether ${metric.name} grows: ${lackingText(trend)}.`;
  }
  return `${windowSentence(trend, metric)}${newestSentence(trend, metric)}`;
}

/** What goes on, where that is not what the window as a whole says. */
function newestSentence({ newest, verdict, gates, ci95: whole, toMs }: Trend, metric: MetricWords): string {
  if (newest === undefined || isInsufficient(newest.trend)) return "";
  const { ci95, ...now } = newest.trend;
  const isOneLine = (verdict === "leaking" || verdict === "growing") && gates.significant;
  if (isOneLine && ci95[0] <= whole[1] && whole[0] <= ci95[1]) return "";
  const largest = Math.max(Math.abs(ci95[0]), Math.abs(ci95[1]));
  const { value, unit, interval } = formatEstimate(now.slopePerHour, ci95, slopeUnit(metric, largest));
  return ` ${sentenceStart(sinceWords(newest, toMs))}: ${value} ${unit} (${interval}).`;
}

function windowSentence(trend: Trend, metric: MetricWords): string {
  const largest = Math.max(Math.abs(trend.ci95[0]), Math.abs(trend.ci95[1]));
  const estimate = formatEstimate(trend.slopePerHour, trend.ci95, slopeUnit(metric, largest));
  const verb = trend.gates.significant && trend.ci95[0] > 0 ? "grew" : "changed by";
  const over = formatDuration(trend.toMs - trend.fromMs);
  const start = `${sentenceStart(metric.name)} ${verb} ${estimate.value} ${estimate.unit} (95 %: ${estimate.interval}) over ${over}`;
  switch (trend.verdict) {
    case "flat":
      return `${start}: ${flatWords(trend)}.`;
    case "insufficient":
      return (
        `Cannot say whether ${metric.name} grows: it changed by ${estimate.value} ${estimate.unit} ` +
        `(95 %: ${estimate.interval}) over ${over}; ${notExcluded(trend, estimate)} is not excluded.`
      );
    case "leaking":
    case "shrinking":
      return `${start}: ${trend.verdict}.`;
    case "stepped":
      return `${start}, by steps and not steadily: stepped.`;
    case "levelling-off":
      return `${start}, less towards the end: levelling off.`;
    case "growing":
      if (trend.newest && !trend.gates.significant) return `${start}, which is not one line: growing.`;
      return `${start}: growing. ${whatWouldSettle(trend, metric)}`;
  }
}

/** The wider end, rounded as the interval beside it. */
function notExcluded({ ci95: [lower, upper] }: Trend, { ends, unit }: EstimateText): string {
  return upper >= -lower
    ? `growth of up to ${ends[1]} ${unit}`
    : `a fall of up to ${ends[0].replace("−", "")} ${unit}`;
}

function flatWords({ gates, ci95: [lower, upper] }: Trend): string {
  if (!gates.significant && lower > 0) return "not certain enough to be called growth, so flat";
  if (!gates.significant && upper < 0) return "not certain enough to be called shrinking, so flat";
  return "flat";
}

function whatWouldSettle(trend: Trend, metric: MetricWords): string {
  if (!trend.gates.significant)
    return "Over the whole fleet this may be chance; a longer window would settle it.";
  if (!trend.gates.material)
    return "The lower end is under the least growth that counts; a longer window would settle it.";
  if (!trend.gates.persistent) return "It may have come by a step; more points would settle it.";
  if (!trend.gates.beyondDailyRange) {
    return `A daily rhythm could rise by ${amountText(metric, trend.rise)} as well; 48 h of data would settle it.`;
  }
  return "So soon after a boot it may be a warm-up; 48 h of data would settle it.";
}
