import type { AttributeCohorts, CohortCounts, CohortReason, Cohorts, ValueCohort } from "./cohorts.ts";
import { COHORT_MINIMUM } from "./cohorts.ts";
import { isolatedText } from "./isolated-text.ts";
import { sentenceStart } from "./metric-words.ts";
import { describeAttribute } from "./node-attributes.ts";
import { formatCount, formatNumber } from "../memory/quantity.ts";

/** Programs keep the case of their names. */
const started = (attribute: string, text: string) =>
  attribute.startsWith("version.") ? text : sentenceStart(text);
/** Labels and values are what nodes report: they must not turn the sentence around. */
const labelOf = (key: string) => isolatedText(describeAttribute(key)?.label ?? key);
const valueOf = (value: string | null | undefined) => isolatedText(value ?? "not reported");
const nounOf = (key: string) => describeAttribute(key)?.valuesNoun ?? "values";
const count = (value: number) => formatNumber(value, 0);
const nodes = (value: number) => formatCount(value, "node");
const ofDecided = ({ leaking, healthy }: CohortCounts) => `${count(leaking)} of ${count(leaking + healthy)}`;

/**
 * One attribute in a sentence: the value that stands out against the others, or why nothing can be said; then what else
 * separates as well.
 *
 * @example "runc 1.0.0-rc8: 14 of 15 leak; other versions: 0 of 30."
 */
export function attributeSentence(cohorts: AttributeCohorts): string {
  const label = labelOf(cohorts.attribute);
  if (cohorts.reason !== undefined) return reasonSentence(cohorts.reason, cohorts);
  const evidence = evidenceOf(cohorts.attribute, cohorts.standsOut);
  if (cohorts.verdict === "no-difference") {
    return `${started(cohorts.attribute, label)} does not separate leaking nodes from healthy ones; the largest difference may be chance: ${evidence}`;
  }
  return [started(cohorts.attribute, evidence), confoundedSentence(cohorts)].filter(Boolean).join(" ");
}

function evidenceOf(attribute: string, cohort: ValueCohort | undefined): string {
  const others = cohort?.comparison?.others;
  if (cohort === undefined || others === undefined) return "";
  return (
    `${labelOf(attribute)} ${valueOf(cohort.value)}: ${ofDecided(cohort.counts)} leak; ` +
    `other ${nounOf(attribute)}: ${ofDecided(others)}.`
  );
}

function confoundedSentence({ attribute, sameAs }: AttributeCohorts): string {
  const named = sameAs.slice(0, 3).map(labelOf);
  if (named.length === 0) return "";
  const more = sameAs.length > 3 ? ` and ${count(sameAs.length - 3)} more` : "";
  const list = more === "" ? listed(named) : named.join(", ") + more;
  return (
    `Confounded: ${list} ${sameAs.length === 1 ? "separates" : "separate"} them as well, and no nodes show which it is. ` +
    `Change ${labelOf(attribute)} alone on a few nodes.`
  );
}

const listed = (words: readonly string[]) =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1) ?? ""}`;

function reasonSentence(reason: CohortReason, { attribute, values }: AttributeCohorts): string {
  const label = labelOf(attribute);
  switch (reason) {
    case "none-leaks":
      return "Cannot say what leaking nodes have in common: no node leaks.";
    case "all-leak":
      return "Cannot say what leaking nodes have in common: no node is known to be healthy.";
    case "one-value": {
      const [only] = values;
      return only?.value == null
        ? `Cannot say whether ${label} matters: no node reports it.`
        : `Cannot say whether ${label} matters: every node that reports it has ${valueOf(only.value)}.`;
    }
    case "too-few":
      return `Cannot say whether ${label} matters: no value has ${count(COHORT_MINIMUM)} leaking or healthy nodes and as many beside it.`;
  }
}

/** The fleet in one or two sentences: which attribute separates best, and how many nodes stand on neither side. */
export function cohortsSentence({ counts, attributes }: Cohorts): string {
  const [best] = attributes;
  const aside = [
    counts.undecided > 0
      ? `${nodes(counts.undecided)} ${counts.undecided === 1 ? "is" : "are"} growing, stepped or levelling off`
      : "",
    counts.unknown > 0 ? `${nodes(counts.unknown)} cannot be judged yet` : "",
  ].filter(Boolean);
  const rest =
    aside.length > 0
      ? ` ${sentenceStart(aside.join(" and "))}; ${counts.undecided + counts.unknown === 1 ? "it counts" : "they count"} on neither side.`
      : "";
  if (best === undefined) return "No node has reported yet.";
  if (best.verdict === "separates") return attributeSentence(best) + rest;
  if (best.verdict === "no-difference") {
    return `Nothing that nodes report separates the ${count(counts.leaking)} leaking from the ${count(counts.healthy)} healthy ones.${rest}`;
  }
  if (counts.leaking === 0 || counts.healthy === 0) return attributeSentence(best) + rest;
  return `Cannot say what leaking nodes have in common: ${count(counts.leaking)} leak and ${count(counts.healthy)} are healthy, too few of each value to compare.${rest}`;
}
