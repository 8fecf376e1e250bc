import { materialSlopeKibPerHour } from "../memory/materiality.ts";
import { formatAmount, formatCount, formatDuration, formatMemory, formatNumber } from "../memory/quantity.ts";
import {
  compareVersions,
  correlationOf,
  MOMENT_HOURS,
  inKib,
  isMemory,
  kernelNumbers,
  quantityLabel,
  quantityUnit,
  type Change,
  type Evidence,
  type QuantityUnit,
} from "./evidence.ts";

/** A number that a sign was read from. */
export interface SignValue {
  readonly name: string;
  readonly value: number;
  readonly unit: QuantityUnit;
}

/** What a sign says: yes, no, or not known because what it needs was not there. */
export interface Outcome {
  readonly answer: "yes" | "no" | "unknown";
  /** A sentence without a full stop: what was found, or what would have to be known. */
  readonly text: string;
  readonly values: readonly SignValue[];
  /** What was needed and not there. */
  readonly missing: readonly string[];
  /** What the answer rests on: a slope with an interval over a day or more, fewer samples, one level, or words. */
  readonly basis: "trend" | "samples" | "level" | "words";
  readonly correlation?: number;
}

/** One thing that speaks for or against a signature. */
export type Sign = (evidence: Evidence) => Outcome;

const LEAST_RISE_KIB = 8 * 1024;
/** Between two readings within minutes a program that starts takes more than that. */
const LEAST_RISE_OF_MOMENT_KIB = 32 * 1024;
const NEAR_MAXIMUM = 0.95;
/** Below this a slope is at most suspected. */
const LEAST_HOURS = 24;
/** Without an interval a rise must be this part of where it began, so that ordinary wobble is none. */
const LEAST_RISE_SHARE = 0.1;
const LEAST_RISE_COUNT = 5;

/** What a sign says where all that it needs is known. */
export function known(
  isSo: boolean,
  text: string,
  basis: Outcome["basis"],
  values: readonly SignValue[] = [],
): Outcome {
  return { answer: isSo ? "yes" : "no", text, values, missing: [], basis };
}

export function unknown(text: string, ...missing: readonly string[]): Outcome {
  return { answer: "unknown", text, values: [], missing, basis: "level" };
}

export function valueOf(name: string, value: number): SignValue {
  return { name, value, unit: quantityUnit(name) };
}

/** A value of a quantity as text with its unit. */
export function amountText(name: string, value: number): string {
  if (isMemory(name)) return formatMemory(inKib(name, value));
  const unit = quantityUnit(name);
  if (unit === "share") return `${formatNumber(value * 100, 0)} %`;
  if (unit === "pages") return formatCount(value, "page");
  return Number.isInteger(value) ? formatNumber(value, 0) : formatAmount(value);
}

/**
 * Whether a change is growth. With an interval: its lower end is at or above the materiality threshold (of a count: above
 * 0), memory rose by 8 MiB or more, and the last value is within 5 % of the maximum. With too few samples for an interval
 * the rise must be a tenth of where it began; that is never more than a suspicion. What does not rise all along is none.
 */
export function isGrowth(name: string, change: Change, memTotalKib: number | undefined): boolean {
  if (change.persistent === false) return false;
  const rise = inKib(name, change.last - change.first);
  if (!(rise > 0) || change.last < NEAR_MAXIMUM * change.max) return false;
  const memory = isMemory(name);
  const { lowerPerHour, hours } = change;
  const isMoment = lowerPerHour === undefined && hours !== undefined && hours < MOMENT_HOURS;
  const leastKib = isMoment ? LEAST_RISE_OF_MOMENT_KIB : LEAST_RISE_KIB;
  if (rise < (memory ? leastKib : LEAST_RISE_COUNT)) return false;
  if (lowerPerHour === undefined) return rise >= LEAST_RISE_SHARE * inKib(name, Math.max(0, change.first));
  return inKib(name, lowerPerHour) >= (memory ? materialSlopeKibPerHour(memTotalKib ?? 0) : Number.MIN_VALUE);
}

function basisOf({ lowerPerHour, hours }: Change): Outcome["basis"] {
  return lowerPerHour !== undefined && (hours ?? 0) >= LEAST_HOURS ? "trend" : "samples";
}

/** Fields of /proc/meminfo that are a band as they stand. */
const FIELD_OF_BAND: Readonly<Record<string, string>> = {
  "band.kstack": "meminfo.KernelStack",
  "band.percpu": "meminfo.Percpu",
  "band.ptables": "meminfo.PageTables",
  "band.shmem": "meminfo.Shmem",
  "band.srecl": "meminfo.SReclaimable",
  "band.sunrecl": "meminfo.SUnreclaim",
};

/** What a sign misses that asks for a change: the quantity itself, or only how it went where its level is known. */
function changeMissed({ levels }: Evidence, name: string): string {
  const isLevelKnown = levels[name] !== undefined || levels[FIELD_OF_BAND[name] ?? name] !== undefined;
  return isLevelKnown ? `change:${name}` : name;
}

/** The quantity grows. */
export function grows(name: string): Sign {
  const label = quantityLabel(name);
  return (evidence) => {
    const change = evidence.changes[name];
    if (change === undefined) return unknown(`whether ${label} grows`, changeMissed(evidence, name));
    const yes = isGrowth(name, change, evidence.levels["meminfo.MemTotal"]);
    const over = change.hours === undefined ? "" : ` in ${formatDuration(change.hours * 3_600_000)}`;
    const span = `from ${amountText(name, change.first)} to ${amountText(name, change.last)}${over}`;
    const not = change.last > change.first ? "rose too little to count" : "does not grow";
    return known(yes, yes ? `${label} rose ${span}` : `${label} ${not}: ${span}`, basisOf(change), [
      valueOf(name, change.last),
      valueOf(name, change.first),
    ]);
  };
}

/** The quantity does not grow where others do. */
export function holdsStill(name: string): Sign {
  return (evidence) => {
    const outcome = grows(name)(evidence);
    return outcome.answer === "unknown"
      ? outcome
      : { ...outcome, answer: outcome.answer === "yes" ? "no" : "yes" };
  };
}

/** The newest value is above a limit in the unit of the quantity. */
export function above(name: string, limit: number): Sign {
  const label = quantityLabel(name);
  return (evidence) => {
    const value = evidence.levels[name];
    if (value === undefined)
      return unknown(`${label}, which should be above ${amountText(name, limit)}`, name);
    const yes = value > limit;
    return known(
      yes,
      `${label}: ${amountText(name, value)}, ${yes ? "above" : "not above"} ${amountText(name, limit)}`,
      "level",
      [valueOf(name, value)],
    );
  };
}

/** A quantity of memory grows, or, where no growth can be told, holds at least this part of all memory and this much. */
export function growsOrHolds(name: string, least: { readonly ofTotal: number; readonly kib: number }): Sign {
  const label = quantityLabel(name);
  return (evidence) => {
    const growth = grows(name)(evidence);
    if (growth.answer === "yes" || (growth.answer === "no" && growth.basis === "trend")) return growth;
    const value = evidence.levels[name];
    if (value === undefined) return growth;
    const kib = inKib(name, value);
    const total = evidence.levels["meminfo.MemTotal"];
    const share = total === undefined ? undefined : kib / total;
    const large = kib >= least.kib && (share === undefined || share >= least.ofTotal);
    const ofTotal =
      share === undefined ? "" : `, ${formatNumber(100 * share, share < 0.1 ? 1 : 0)} % of memory`;
    return known(
      large,
      `${label}: ${amountText(name, value)}${ofTotal}${large ? "" : ", no more than usual"}`,
      "level",
      [valueOf(name, value)],
    );
  };
}

/** What is computed of several levels holds. `compute` gets them in the order of `names`. */
export function holds(
  what: string,
  names: readonly string[],
  compute: (...values: readonly number[]) => boolean,
): Sign {
  return (evidence) => {
    const missing = names.filter((name) => evidence.levels[name] === undefined);
    if (missing.length > 0) return unknown(what, ...missing);
    const values = names.map((name) => evidence.levels[name] ?? Number.NaN);
    const yes = compute(...values);
    const shown = names.map(
      (name, place) => `${quantityLabel(name)} ${amountText(name, values[place] ?? 0)}`,
    );
    return known(
      yes,
      `${yes ? what : `not so: ${what}`} (${shown.join(", ")})`,
      "level",
      names.map((name, place) => valueOf(name, values[place] ?? Number.NaN)),
    );
  };
}

/** The rise of one quantity over the rise of another lies between two bounds. */
export function risesInStep(
  name: string,
  other: string,
  between: readonly [number, number],
  what: string,
): Sign {
  return (evidence) => {
    const [change, beside] = [evidence.changes[name], evidence.changes[other]];
    if (change === undefined || beside === undefined)
      return unknown(
        what,
        ...[name, other]
          .filter((each) => evidence.changes[each] === undefined)
          .map((each) => changeMissed(evidence, each)),
      );
    const rises = [change.last - change.first, beside.last - beside.first] as const;
    const ratio = inKib(name, rises[0]) / inKib(other, rises[1]);
    const yes = rises[1] > 0 && ratio >= between[0] && ratio <= between[1];
    return known(
      yes,
      `${yes ? what : `not so: ${what}`} (${quantityLabel(name)} by ${amountText(name, rises[0])}, ${quantityLabel(other)} by ${amountText(other, rises[1])})`,
      basisOf(change),
      [valueOf(name, rises[0]), valueOf(other, rises[1])],
    );
  };
}

/** The changes of two quantities go together. */
export function movesWith(name: string, other: string, least: number): Sign {
  return (evidence) => {
    const coefficient = correlationOf(evidence, name, other);
    const pair = `${quantityLabel(name)} and ${quantityLabel(other)}`;
    if (coefficient === undefined) return unknown(`whether ${pair} move together`, `${name} ~ ${other}`);
    const yes = coefficient >= least;
    return {
      ...known(
        yes,
        `${pair} ${yes ? "move together" : "do not move together"}, rank correlation ${formatNumber(coefficient, 2)}`,
        "samples",
        [{ name: `${name} ~ ${other}`, value: coefficient, unit: "share" }],
      ),
      correlation: coefficient,
    };
  };
}

/** `2026-11-30 18:02 UTC`. */
function minuteOf(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** The kernel, the kubelet or a runtime said it. That it did not is not known: logs are cut. */
export function reported(kind: string): Sign {
  return ({ messages, lastLoggedMs }) => {
    const count = messages?.[kind] ?? 0;
    if (count === 0) return unknown(`a log line of "${kind}"`, `log:${kind}`);
    const times = count === 1 ? "once" : `${formatNumber(count, 0)} times`;
    const lastMs = lastLoggedMs?.[kind];
    const last = lastMs === undefined ? "" : `${count === 1 ? ", at" : ", last at"} ${minuteOf(lastMs)}`;
    return {
      answer: "yes",
      text: `logged ${times}${last}: ${kind}`,
      values: [{ name: `log:${kind}`, value: count, unit: "count" }],
      missing: [],
      basis: "words",
    };
  };
}

/** What an intervention gave back of a quantity, at least or at most. */
export function gaveBack(
  kinds: readonly string[],
  name: string,
  { least = 0, most = 1 }: { readonly least?: number; readonly most?: number },
): Sign {
  const label = quantityLabel(name);
  return ({ interventions = [] }) => {
    const done = interventions.find(
      (each) => kinds.includes(each.kind) && each.freedShare?.[name] !== undefined,
    );
    const share = done?.freedShare?.[name];
    if (done === undefined || share === undefined)
      return unknown(`what ${kinds.join(" or ")} does to ${label}`, `${kinds[0] ?? ""} > ${name}`);
    return known(
      share >= least && share <= most,
      `${done.kind} gave back ${formatNumber(100 * share, 0)} % of ${label}`,
      "samples",
      [{ name: `${done.kind} > ${name}`, value: share, unit: "share" }],
    );
  };
}

/** What an intervention did to the growth of a quantity. */
export function changedSlope(kind: string, name: string, verdict: "stopped" | "unchanged"): Sign {
  return ({ interventions = [] }) => {
    const found = interventions.find((each) => each.kind === kind)?.slope?.[name];
    if (found === undefined)
      return unknown(`what ${kind} does to the growth of ${quantityLabel(name)}`, `${kind} > ${name}`);
    return known(
      found === verdict,
      `after ${kind} the growth of ${quantityLabel(name)}: ${found}`,
      "samples",
    );
  };
}

/**
 * The kernel is one of those that are affected. Only ever weighs: distributions backport, so a release proves nothing.
 * Bounds are upstream versions, the lower one included, the upper one not.
 */
export function kernelBetween(from: string | undefined, before: string | undefined): Sign {
  const words =
    from === undefined
      ? `before ${before}`
      : before === undefined
        ? `from ${from}`
        : `from ${from} to before ${before}`;
  return ({ kernelRelease }) => {
    if (kernelNumbers(kernelRelease) === undefined || kernelRelease === undefined)
      return unknown(`the kernel's release (${words})`, "kernel release");
    const low = from === undefined ? 0 : (compareVersions(kernelRelease, from) ?? 0);
    const high = before === undefined ? -1 : (compareVersions(kernelRelease, before) ?? 0);
    const yes = low >= 0 && high < 0;
    return known(
      yes,
      `kernel ${kernelRelease} is ${yes ? "" : "not "}among those affected upstream, ${words}`,
      "words",
    );
  };
}

/** A component of the node is there, and its version fits where a test for it is given. */
export function runs(
  component: string,
  fits: (version: string) => boolean = () => true,
  words = "is in use",
): Sign {
  return ({ versions }) => {
    const version = versions?.[component];
    if (version === undefined) return unknown(`the version of ${component}`, `version of ${component}`);
    const yes = fits(version);
    return known(yes, `${component} ${version} ${yes ? words : "is not among the affected"}`, "words");
  };
}

/** A foreign kernel module whose name fits is loaded. */
export function hasModule(pattern: RegExp, what: string): Sign {
  return ({ foreignModules }) => {
    if (foreignModules === undefined) return unknown(`whether ${what} is loaded`, "loaded modules");
    const found = foreignModules.filter((name) => pattern.test(name));
    return known(
      found.length > 0,
      found.length > 0 ? `${what} is loaded: ${found.join(", ")}` : `${what} is not loaded`,
      "words",
    );
  };
}

/** Yes when one is; not known when none is and one might be. The first that decides speaks. */
export function anyOf(...signs: readonly Sign[]): Sign {
  return (evidence) => {
    const outcomes: Outcome[] = [];
    for (const sign of signs) {
      const outcome = sign(evidence);
      if (outcome.answer === "yes") return outcome;
      outcomes.push(outcome);
    }
    const open = outcomes.filter(({ answer }) => answer === "unknown");
    const [first] = outcomes;
    if (open.length === 0) return first ?? unknown("nothing was asked");
    return unknown(open.map(({ text }) => text).join("; or "), ...open.flatMap(({ missing }) => missing));
  };
}

/** Yes when all are; no when one is not. */
export function allOf(...signs: readonly Sign[]): Sign {
  return (evidence) => {
    const outcomes: Outcome[] = [];
    for (const sign of signs) {
      const outcome = sign(evidence);
      if (outcome.answer === "no") return outcome;
      outcomes.push(outcome);
    }
    const open = outcomes.filter(({ answer }) => answer === "unknown");
    if (open.length > 0)
      return unknown(open.map(({ text }) => text).join("; and "), ...open.flatMap(({ missing }) => missing));
    const strongest =
      outcomes.find(({ basis }) => basis === "trend") ?? outcomes.find(({ basis }) => basis === "samples");
    return {
      answer: "yes",
      text: outcomes.map(({ text }) => text).join("; "),
      values: outcomes.flatMap(({ values }) => values),
      missing: [],
      basis: strongest?.basis ?? "level",
    };
  };
}
