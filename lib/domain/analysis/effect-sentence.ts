import { insufficient } from "#lib/domain/statistics/insufficient.ts";
import type { ControlledChange } from "./controls.ts";
import type { Effect } from "./event-study.ts";
import { EFFECT_MINIMUM } from "./event-study.ts";
import { isolatedText } from "./isolated-text.ts";
import { lackingText } from "./lacking-text.ts";
import type { MetricWords } from "./metric-words.ts";
import { amountText, sentenceStart, slopeUnit } from "./metric-words.ts";
import { formatCount, formatEstimate } from "../memory/quantity.ts";
import type { Slope, SlopeVerdict } from "./vocabulary.ts";

export interface EffectWords {
  readonly metric: MetricWords;
  /** Title of the mark as written: "pull-monitor stopped". */
  readonly markTitle: string;
  /** Its time with zone, already formatted: "04:15 UTC". */
  readonly markTime: string;
  /** For a stretch of time: when it was over, formatted likewise. What lies between counts to neither side. */
  readonly markEnd?: string | undefined;
  /** `enoughAtMs` of the effect, formatted likewise. */
  readonly enoughAt?: string | undefined;
  /** Since when the node is silent, formatted likewise: then nothing is promised. */
  readonly silentSince?: string | undefined;
  /** What is left when nodes that were left alone are taken off. */
  readonly controlled?: ControlledChange | undefined;
  /** How many treated nodes an effect is the mean of. */
  readonly nodes?: number | undefined;
}

const SLOPE_WORDS: Record<SlopeVerdict, string> = {
  stopped: "stopped",
  slowed: "slowed",
  unchanged: "slope unchanged",
  faster: "faster",
  started: "started",
  inconclusive: "inconclusive",
  "too-early": "too early to tell",
};

/**
 * The effect of an intervention as one sentence: what grew how much, with interval, until which mark, how much after,
 * verdict. "No effect" stands only for unchanged and none; "memory not given back" for stopped and none.
 *
 * @example "Unreclaimable kernel memory grew 312 MiB/h (95 %: 298–327) until pull-monitor was stopped at 04:15 UTC, and
 * 4 MiB/h (−6 to 13) after: stopped, memory not given back."
 * @example of a stretch: "Unreclaimable kernel memory grew 312 MiB/h (95 %: 298–327) until pull-monitor was stopped at 04:15 UTC,
 * and 4 MiB/h (−6 to 13) after that was over at 05:10 UTC: stopped, memory not given back. What lies between counts to neither side."
 */
export function effectSentence(effect: Effect, words: EffectWords): string {
  const { metric } = words;
  const { markEnd } = words;
  const when = markWhen(words.markTitle, words.markTime, markEnd);
  const before = effect.before.slope;
  const after = effect.after.slope;
  if (before === undefined || after === undefined) {
    if (effect.slopeVerdict === "too-early") {
      const due =
        words.silentSince !== undefined
          ? `: the collector is silent since ${words.silentSince}`
          : words.enoughAt === undefined
            ? ""
            : `; enough data at ${words.enoughAt}`;
      return `Too early to tell what changed for ${metric.name} ${when}${due}.`;
    }
    return `Cannot say what changed for ${metric.name} ${when}: ${whatIsMissing(effect)}.`;
  }
  const unit = slopeUnit(metric, Math.max(Math.abs(before.slopePerHour), Math.abs(after.slopePerHour)));
  const first = formatEstimate(before.slopePerHour, before.ci95, unit);
  const then = formatEstimate(after.slopePerHour, after.ci95, unit);
  const where = words.nodes === undefined ? "" : ` on ${words.nodes} nodes`;
  return (
    `${sentenceStart(metric.name)}${where} ${verb(before)} ${first.value} ${first.unit} (95 %: ${first.interval}) ` +
    `until ${deedClause(words.markTitle) ?? `the mark ${quoted(words.markTitle)}`} at ${words.markTime}, ` +
    `and ${then.value} ${then.unit} (${then.interval}) after${markEnd === undefined ? "" : ` that was over at ${markEnd}`}: ` +
    `${effectVerdictText(effect, metric, markEnd === undefined ? "at once" : "meanwhile")}.` +
    (markEnd === undefined ? "" : " What lies between counts to neither side.") +
    (effect.inWarmUp
      ? " The node had booted less than 2 h before; what every boot starts may be part of this."
      : "") +
    (words.controlled === undefined ? "" : ` ${controlledText(words.controlled, metric)}`)
  );
}

function whatIsMissing({ after, cutShort }: Effect): string {
  if (cutShort === true) return "too little data before the next mark or reboot";
  const { pointsAfter, spanMs } = EFFECT_MINIMUM;
  if (after.n < pointsAfter) return lackingText(insufficient("points after the mark", pointsAfter, after.n));
  const minutes = ((after.toMs ?? 0) - (after.fromMs ?? 0)) / 60_000;
  return lackingText(insufficient("minutes of data after the mark", spanMs / 60_000, minutes));
}

/**
 * The comparison with nodes left alone: "Less what 4 nodes left alone did: −310 MiB/h (−330 to −290)."; that they did the
 * same where the interval holds 0.
 */
function controlledText({ nodes, differencePerHour, ci95 }: ControlledChange, metric: MetricWords): string {
  const { value, interval, unit } = formatEstimate(
    differencePerHour,
    ci95,
    slopeUnit(metric, differencePerHour),
    { signed: true },
  );
  const left = `${formatCount(nodes, "node")} left alone`;
  const size = `${value} ${unit} (${interval})`;
  return ci95[0] <= 0 && ci95[1] >= 0
    ? `No difference to ${left} can be told: ${size}.`
    : `Against ${left} the change is ${size}.`;
}

/**
 * That growth which an intervention had ended is there again.
 *
 * @example "Unreclaimable kernel memory grows again since about 2026-12-03 10:40 UTC: 290 MiB/h (95 %: 270–310), after 4 MiB/h
 * (−6 to 13)."
 */
export function returnSentence({
  metric,
  since,
  now,
  ended,
}: {
  metric: MetricWords;
  /** When, already formatted. */
  since: string;
  now: Slope;
  /** The slope that it had come down to. */
  ended: Slope | undefined;
}): string {
  const unit = slopeUnit(metric, now.slopePerHour);
  const again = formatEstimate(now.slopePerHour, now.ci95, unit);
  const text = `${sentenceStart(metric.name)} grows again since about ${since}: ${again.value} ${again.unit} (95 %: ${again.interval})`;
  if (ended === undefined) return `${text}.`;
  const before = formatEstimate(ended.slopePerHour, ended.ci95, unit);
  return `${text}, after ${before.value} ${before.unit} (${before.interval}).`;
}

/** Both verdicts as people say them: "no effect", "stopped, memory not given back", "slowed, freed 6.1 GiB at once". */
export function effectVerdictText(
  effect: Effect,
  metric: MetricWords,
  when: "at once" | "meanwhile" = "at once",
): string {
  const { slopeVerdict, levelVerdict, levelChange } = effect;
  const slope = SLOPE_WORDS[slopeVerdict];
  const what = metric.unit === "KiB" ? "memory" : "nothing";
  switch (levelVerdict) {
    case "none":
      if (slopeVerdict === "unchanged") return "no effect";
      if (slopeVerdict === "stopped")
        return `${slope}, ${what === "memory" ? "memory not given back" : "none given back"}`;
      return slope;
    case "freed":
      return `${slope}, freed ${amountText(metric, levelChange?.value ?? 0)} ${when}`;
    case "added":
      return `${slope}, added ${amountText(metric, levelChange?.value ?? 0)} ${when}`;
    case "inconclusive":
      return slopeVerdict === "unchanged" ? `${slope}, change of level inconclusive` : slope;
  }
}

function verb({ ci95 }: Slope): string {
  return ci95[0] > 0 ? "grew" : "changed by";
}

/**
 * A mark that lies ahead: nothing is known of it yet.
 *
 * @example "Nothing can have changed yet for unreclaimable kernel memory: “Upgrade runc” is marked for 2026-12-03 10:00 UTC."
 */
export function futureMarkSentence(metric: MetricWords, markTitle: string, markTime: string): string {
  return `Nothing can have changed yet for ${metric.name}: ${quoted(markTitle)} is marked for ${markTime}.`;
}

const PARTICIPLE =
  /^(.+?) (stopped|started|restarted|paused|resumed|removed|deleted|upgraded|downgraded|installed|uninstalled|enabled|disabled|deployed|drained|cordoned|rebooted|recreated|replaced|patched|changed|dropped|reverted|scaled (?:up|down)|rolled back)$/i;

/** What is no bare subject: a part of a sentence of its own, or a word that belongs to the verb. */
const MORE_THAN_A_SUBJECT =
  /[,;:()]|\b(?:not|never|no longer|was|were|is|are|be|been|being|has|have|had|will|again|then|\w+ed|\w+ly)\b/i;

/** A title that says who was done what to, as a clause: "pull-monitor was stopped". `undefined` for any other. */
function deedClause(written: string): string | undefined {
  const title = isolatedText(written.trim());
  const [, subject = "", participle = ""] = PARTICIPLE.exec(title) ?? [];
  if (subject === "" || MORE_THAN_A_SUBJECT.test(subject)) return undefined;
  const plural = /[^sui]s$/.test(subject) || / and /.test(subject);
  return `${subject} ${plural ? "were" : "was"} ${participle.toLowerCase()}`;
}

function quoted(written: string): string {
  return `“${isolatedText(written.trim())}”`;
}

/**
 * The moment of a mark after a clause: "when pull-monitor was stopped at 04:15 UTC", "at the mark “Try the new runc” of 04:15 UTC",
 * "at the mark “Drain” from 04:15 UTC to 05:10 UTC". Without `at` only which mark it is.
 */
export function markWhen(written: string, at?: string, end?: string): string {
  const deed = deedClause(written);
  const mark = deed === undefined ? `at the mark ${quoted(written)}` : `when ${deed}`;
  if (at === undefined) return mark;
  if (end !== undefined) return `${mark} from ${at} to ${end}`;
  return `${mark} ${deed === undefined ? "of" : "at"} ${at}`;
}
