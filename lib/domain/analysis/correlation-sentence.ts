import type { Insufficient } from "#lib/domain/statistics/insufficient.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import type { ContainerCorrelation } from "./correlation.ts";
import { HOUR_MS } from "./boot-segments.ts";
import type { CreationChange } from "./creation-change.ts";
import { markClause } from "./effect-sentence.ts";
import type { MetricWords } from "./metric-words.ts";
import { sentenceStart, slopeUnit } from "./metric-words.ts";
import {
  formatAmount,
  formatDuration,
  formatEstimate,
  formatNumber,
  memoryUnit,
} from "../memory/quantity.ts";
import type { Estimate } from "./vocabulary.ts";

const EXPERIMENT = "stop the job that starts containers on one node for an hour and mark it";

/** A deed that changed how many containers are created, and the growth of the metric with it. */
export interface BackingDeed {
  readonly title: string;
  readonly change: CreationChange;
  readonly slopeVerdict: "stopped" | "slowed" | "started" | "faster";
}

/**
 * What memory has to do with containers, in one to four sentences made from the numbers. "Goes with", never "causes": only
 * an intervention shows that, and where there was one (`backing`) it is told. Where containers cannot be told from something
 * else, the experiment that would.
 *
 * @example "Growth of unreclaimable kernel memory goes with container creation: 74.9 KiB (95 %: 73.1–76.7) are left behind
 * per container, beside 0.6 MiB/h (−0.2 to 1.4) that goes with neither."
 */
export function correlationSentence(
  correlation: ContainerCorrelation | Insufficient,
  metric: MetricWords,
  backing?: BackingDeed,
): string {
  if (isInsufficient(correlation)) {
    const had = formatNumber(Math.floor(correlation.had), 0);
    return `Cannot say what ${metric.name} has to do with containers: ${had} ${correlation.reason}, ${formatNumber(correlation.needed, 0)} needed.`;
  }
  switch (correlation.verdict) {
    case "leaves-behind":
      return `Growth of ${metric.name} goes with container creation: ${perContainer(correlation, metric)}${besides(correlation, metric)}.${backing === undefined ? rhythmCaution(correlation) : ` ${backingSentence(backing)}`}`;
    case "in-use":
      return `${sentenceStart(metric.name)} goes with containers alive: ${amount(correlation.perLiveContainer, metric)} each. Nothing is seen to be left behind: ${perContainer(correlation, metric)}.`;
    case "unrelated":
      return `Growth of ${metric.name} does not go with containers: ${perContainer(correlation, metric)}${besides(correlation, metric)}.`;
    case "cannot-separate":
      return `Cannot separate ${obstacleText(correlation, metric)}`;
  }
}

const GROWTH_DID = {
  stopped: "growth stopped",
  slowed: "growth slowed",
  started: "growth began",
  faster: "growth became faster",
} as const;

function backingSentence({ title, change, slopeVerdict }: BackingDeed): string {
  const verb = change.direction === "fewer" ? "fell" : "rose";
  const rates = `from ${formatAmount(change.before)} to ${formatAmount(change.after)} containers/h`;
  return `That they are the cause is backed by an intervention: when ${markClause(title)}, creation ${verb} ${rates} and ${GROWTH_DID[slopeVerdict]}.`;
}

function obstacleText(correlation: ContainerCorrelation, metric: MetricWords): string {
  const rate = `${formatAmount(correlation.containersPerHour)} containers/h`;
  switch (correlation.obstacle) {
    case "live-unknown":
      return `what is left behind from what is in use: the number of containers alive is not known. To tell, ${EXPERIMENT}: what was in use comes back, what was left behind stays.`;
    case "steady-rate":
      return `containers from time: about ${rate} were started all along, so that whatever grows steadily goes with them. To tell, ${EXPERIMENT}.`;
    case "collinear":
      return `containers from time: their count, the number alive and the time of day rose and fell together. To tell, ${EXPERIMENT}.`;
    default:
      return `containers from time: the interval, ${amount(correlation.perContainer, metric)} per container, holds both nothing and all of the growth. To tell, ${EXPERIMENT}.`;
  }
}

function perContainer({ perContainer: estimate }: ContainerCorrelation, metric: MetricWords): string {
  return `${amount(estimate, metric)} left behind per container`;
}

/** What a live container holds, and what grows by itself. */
function besides({ perLiveContainer, backgroundPerHour }: ContainerCorrelation, metric: MetricWords): string {
  const parts = [
    ...(perLiveContainer === undefined ? [] : [`${amount(perLiveContainer, metric)} held by each one alive`]),
    ...(backgroundPerHour === undefined
      ? []
      : [`${growth(backgroundPerHour, metric)} that goes with neither`]),
  ];
  return parts.length === 0 ? "" : `, beside ${parts.join(" and ")}`;
}

function amount(estimate: Estimate | undefined, { unit }: MetricWords): string {
  if (estimate === undefined) return "an amount that is not known";
  const largest = Math.max(...estimate.ci95.map(Math.abs));
  const size = unit === "KiB" ? memoryUnit(largest / 10) : { label: unit, size: 1 };
  const text = formatEstimate(estimate.value, estimate.ci95, size);
  return `${text.value} ${text.unit} (95 %: ${text.interval})`;
}

function growth({ value, ci95 }: Estimate, metric: MetricWords): string {
  const text = formatEstimate(value, ci95, slopeUnit(metric, Math.max(...ci95.map(Math.abs))));
  return `${text.value} ${text.unit} (${text.interval})`;
}

function rhythmCaution({ withRhythm, fromMs, toMs }: ContainerCorrelation): string {
  if (withRhythm) return "";
  const over = toMs - fromMs < 48 * HOUR_MS ? formatDuration(toMs - fromMs) : "so few points";
  return ` In ${over} a daily rhythm of both could look alike; 48 h of data would rule that out.`;
}
