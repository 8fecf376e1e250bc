import type { Insufficient } from "#lib/domain/statistics/insufficient.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import type { ContainerCorrelation } from "./correlation.ts";
import { HOUR_MS } from "./boot-segments.ts";
import type { CreationChange } from "./creation-change.ts";
import { markWhen } from "./effect-sentence.ts";
import { lackingText } from "./lacking-text.ts";
import type { MetricWords } from "./metric-words.ts";
import { sentenceStart, slopeUnit } from "./metric-words.ts";
import { formatAmount, formatDuration, formatEstimate, memoryUnit } from "../memory/quantity.ts";
import type { Estimate } from "./vocabulary.ts";

/** How what growth is held against is spoken of. */
export interface DriverWords {
  /** What counts, in a sentence after "goes with". */
  readonly counted: string;
  /** All of them, as the object of a sentence. */
  readonly all: string;
  /** After an amount: "left behind". */
  readonly kept: string;
  /** "per container". */
  readonly each: string;
  /** What is kept, as a whole. */
  readonly whole: string;
  /** Of rates: "containers". */
  readonly noun: string;
  /** What came to be: "containers started". */
  readonly came: string;
  /** Subject of a rate: "creation fell". */
  readonly coming: string;
  /** After "were": started. */
  readonly done: string;
  /** What would tell it apart from time, and from what is in use. */
  readonly experiment: string;
  readonly wouldShow: string;
}

/** Containers that are created: what growth is held against where nothing else is asked for. */
export const CONTAINERS: DriverWords = {
  counted: "container creation",
  all: "containers",
  kept: "left behind",
  each: "per container",
  whole: "what is left behind",
  noun: "containers",
  came: "containers started",
  coming: "creation",
  done: "started",
  experiment: "stop the job that starts containers on one node for an hour and mark it",
  wouldShow: "what was in use comes back, what was left behind stays",
};

/** Files that pile up in a directory of a runtime. */
export function filesIn(directory: string): DriverWords {
  return {
    counted: `the files in ${directory}`,
    all: `the files in ${directory}`,
    kept: "held",
    each: "for each file",
    whole: "what files hold",
    noun: "files",
    came: "files added",
    coming: "what is added",
    done: "added",
    experiment: "remove on one node the files whose containers are gone and mark it",
    wouldShow: "what they hold comes back, what is in use stays",
  };
}

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
  driver: DriverWords = CONTAINERS,
): string {
  if (isInsufficient(correlation)) {
    const reason = correlation.reason.replace(CONTAINERS.came, driver.came);
    return `Cannot say what ${metric.name} has to do with ${driver.all}: ${lackingText({ ...correlation, reason })}.`;
  }
  const perOne = `${amount(correlation.perContainer, metric)} ${driver.kept} ${driver.each}`;
  switch (correlation.verdict) {
    case "leaves-behind":
      return `Growth of ${metric.name} goes with ${driver.counted}: ${perOne}${besides(correlation, metric)}.${backing === undefined ? rhythmCaution(correlation) : ` ${backingSentence(backing, driver)}`}`;
    case "in-use":
      return `${sentenceStart(metric.name)} goes with containers alive: ${amount(correlation.perLiveContainer, metric)} each. Nothing is seen to be left behind: ${perOne}.`;
    case "unrelated":
      return `Growth of ${metric.name} does not go with ${driver.all}: ${perOne}${besides(correlation, metric)}.`;
    case "cannot-separate":
      return `Cannot separate ${obstacleText(correlation, metric, driver)}`;
  }
}

const GROWTH_DID = {
  stopped: "growth stopped",
  slowed: "growth slowed",
  started: "growth began",
  faster: "growth became faster",
} as const;

function backingSentence(
  { title, change, slopeVerdict }: BackingDeed,
  { coming, noun }: DriverWords,
): string {
  const verb = change.direction === "fewer" ? "fell" : "rose";
  const rates = `from ${formatAmount(change.before)} to ${formatAmount(change.after)} ${noun}/h`;
  return `That they are the cause is backed by an intervention: ${markWhen(title)}, ${coming} ${verb} ${rates} and ${GROWTH_DID[slopeVerdict]}.`;
}

function obstacleText(
  correlation: ContainerCorrelation,
  metric: MetricWords,
  { all, each, whole, noun, done, experiment, wouldShow }: DriverWords,
): string {
  const rate = `${formatAmount(correlation.containersPerHour)} ${noun}/h`;
  const toTell = `To tell, ${experiment}`;
  switch (correlation.obstacle) {
    case "live-unknown":
      return `${whole} from what is in use: the number of containers alive is not known. ${toTell}: ${wouldShow}.`;
    case "steady-rate":
      return `${all} from time: about ${rate} were ${done} all along, so that whatever grows steadily goes with them. ${toTell}.`;
    case "collinear":
      return `${all} from time: their count, the number alive and the time of day rose and fell together. ${toTell}.`;
    default:
      return `${all} from time: the interval, ${amount(correlation.perContainer, metric)} ${each}, holds both nothing and all of the growth. ${toTell}.`;
  }
}

/** What a live container holds, and what grows by itself. */
function besides({ perLiveContainer, backgroundPerHour }: ContainerCorrelation, metric: MetricWords): string {
  const parts = [
    ...(perLiveContainer === undefined
      ? []
      : // Nothing holds less than nothing: then something else moves against the number alive.
        [
          `${amount(perLiveContainer, metric)} ${perLiveContainer.value < 0 ? "with" : "held by"} each one alive`,
        ]),
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
