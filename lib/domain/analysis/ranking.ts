import { isolatedText } from "./isolated-text.ts";
import { formatDuration, formatDurationEnds } from "../memory/quantity.ts";
import type { Interval, TrendVerdict } from "./vocabulary.ts";

/** What a place in the order of leaks depends on. */
export interface RankedTrend {
  readonly verdict: TrendVerdict;
  /** Both `null` where there was too little data for any. */
  readonly slopePerHour: number | null;
  readonly ci95: Interval | null;
}

/** The surer it is that a node leaks, the higher it stands. */
const VERDICT_ORDER: Readonly<Record<TrendVerdict, number>> = {
  leaking: 0,
  growing: 1,
  "levelling-off": 2,
  stepped: 3,
  flat: 4,
  shrinking: 5,
  insufficient: 6,
};

/**
 * Order of nodes by what they leak, for `Array.sort`: by verdict (leaking, growing, levelling-off, stepped, flat, shrinking,
 * insufficient, then none at all), within one by the lower end of the 95 % interval, the highest first, then by the slope. 0
 * for two that no number tells apart: the caller goes on with their names.
 *
 * The lower end is the growth that is certain, so a certain small leak stands above a doubtful large one. The verdict
 * comes before it because a step, a warm-up and a part of a day have lower ends as high as any leak: by the lower end
 * alone 15 of the first 100 of a fleet of 1,000 did not leak (ranking.calibration.test.ts). Trends must be of one metric
 * and one unit.
 */
export function compareLeaks(a: RankedTrend | null, b: RankedTrend | null): number {
  const place = (trend: RankedTrend | null) => (trend === null ? Infinity : VERDICT_ORDER[trend.verdict]);
  if (place(a) !== place(b)) return place(a) < place(b) ? -1 : 1;
  return (
    highestFirst(a?.ci95?.[0], b?.ci95?.[0]) ||
    highestFirst(a?.slopePerHour ?? undefined, b?.slopePerHour ?? undefined)
  );
}

/**
 * Order in which to drain or reboot, for `Array.sort`: who runs out soonest comes first, who does not comes last.
 * `leftMs` is the time left; below 0 when the forecast end has passed.
 */
export function compareTimeLeft(aLeftMs: number | undefined, bLeftMs: number | undefined): number {
  return highestFirst(negated(aLeftMs), negated(bLeftMs));
}

function negated(value: number | undefined): number | undefined {
  return value === undefined ? undefined : -value;
}

/** Absent values come last. */
function highestFirst(a: number | undefined, b: number | undefined): number {
  const [left, right] = [a ?? -Infinity, b ?? -Infinity];
  return left === right ? 0 : left > right ? -1 : 1;
}

/** When something of a node runs out. */
export interface Ending {
  /** "memory", "memory-cgroup ids", "inodes of /run". */
  readonly what: string;
  readonly atMs: number;
  /** Earliest and latest; `undefined`: the far end is open. */
  readonly ci95: readonly [number, number | undefined];
  /** Since when the growth goes on that this rests on; absent where that was not kept. */
  readonly sinceMs?: number | undefined;
}

/** A node that runs out of something. */
export interface Draining {
  readonly name: string;
  readonly ending: Ending;
}

/** Nodes of which it was asked what they run out of. */
export interface DrainQuestion {
  /** Those that still report and run out of something, soonest end first. */
  readonly reporting: readonly Draining[];
  /** Silent nodes that were going to, likewise. */
  readonly silent: readonly Draining[];
  /** How many nodes still report. */
  readonly asked: number;
  /** Of these: the window ends before their newest sample. */
  readonly past: number;
  /** Of these: too little data to say anything. */
  readonly unjudged: number;
}

/** Nodes that a sentence names after the first. */
const NAMED_AFTER = 4;

/**
 * Which node to drain or reboot first, in a sentence: time left with its interval, then who follows. A silent node cannot be
 * drained on what it said last, so it is named apart. That nothing is known is not that nothing runs out.
 *
 * @example "Drain or reboot worker-3 first: memory runs out in 13 h (95 %: 9 h to 20 h), by its growth of the last 24 h. Then
 * worker-7 (2.1 d)."
 */
export function drainSentence(nodes: DrainQuestion, nowMs: number): string {
  const silent = silentSentence(nodes.silent, nowMs);
  const [first, ...later] = nodes.reporting;
  if (first === undefined) {
    return `${nothingToDrain(nodes)}${silent}`;
  }
  const { what, atMs, ci95, sinceMs } = first.ending;
  const left = (ms: number) => formatDuration(Math.max(0, ms - nowMs));
  const far =
    ci95[1] === undefined
      ? `${left(ci95[0])} or more`
      : formatDurationEnds(Math.max(0, ci95[0] - nowMs), Math.max(0, ci95[1] - nowMs)).join(" to ");
  const verb = runsOut(what);
  const when = atMs <= nowMs ? `${verb} now` : `${verb} in ${left(atMs)} (95 %: ${far})`;
  const then = later.length === 0 ? "" : ` Then ${namedWithTime(later, nowMs)}.`;
  const by = sinceMs === undefined ? "" : `, by its growth of the last ${formatDuration(nowMs - sinceMs)}`;
  return `Drain or reboot ${isolatedText(first.name)} first: ${what} ${when}${by}.${then}${silent}`;
}

function nothingToDrain({ silent, asked, past, unjudged }: DrainQuestion): string {
  const cannot = "Cannot say which node to drain";
  if (asked > 0 && past === asked) return `${cannot}: the window ends before the newest samples.`;
  if (asked > 0 && unjudged === asked) return `${cannot}: there is too little data in the window.`;
  const open = unjudged === 0 ? "" : ` Of ${unjudged} of ${asked} nothing can be said.`;
  return silent.length === 0
    ? `Nothing to drain: no node runs out of anything by what grows.${open}`
    : `Nothing to drain: no node that still reports runs out of anything.${open}`;
}

/** Why nothing is said of a cluster that no node is in. */
export function noNodeInCluster(cluster: string): string {
  return `No node matches: none is in cluster ${isolatedText(cluster)}.`;
}

/** The verb of what runs out: "runs out" of memory, "run out" of ids and inodes. */
export function runsOut(what: string): string {
  return what.startsWith("memory-cgroup ids") || what.startsWith("inodes") ? "run out" : "runs out";
}

function namedWithTime(nodes: readonly Draining[], nowMs: number): string {
  const named = nodes
    .slice(0, NAMED_AFTER)
    .map(({ name, ending }) => `${isolatedText(name)} (${formatDuration(Math.max(0, ending.atMs - nowMs))})`)
    .join(", ");
  return nodes.length > NAMED_AFTER ? `${named}, and ${nodes.length - NAMED_AFTER} more` : named;
}

function silentSentence(nodes: readonly Draining[], nowMs: number): string {
  if (nodes.length === 0) return "";
  const are = nodes.length === 1 ? "is silent and was" : "are silent and were";
  return ` ${namedWithTime(nodes, nowMs)} ${are} going to run out of something when last heard.`;
}
