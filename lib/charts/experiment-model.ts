import type { Experiment, ExperimentStatus, FollowUp } from "#lib/contracts/experiment.ts";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import { formatCount } from "#lib/domain/memory/quantity.ts";
import { formatGrowth, formatNumber } from "./format.ts";
import { formatMoment, formatWindow, zoneName } from "./format-time.ts";
import { effectVerdictText } from "./verdict.ts";
import type { VerdictText } from "./verdict.ts";

const HORIZONS = [
  { name: "1h", label: "1 h" },
  { name: "6h", label: "6 h" },
  { name: "24h", label: "24 h" },
  { name: "7d", label: "7 d" },
] as const;
const HOURS: Readonly<Record<(typeof HORIZONS)[number]["name"], number>> = {
  "1h": 1,
  "6h": 6,
  "24h": 24,
  "7d": 168,
};
const HOUR_MS = 3_600_000;

/** One cell of the verdicts after 1 h, 6 h, 24 h and 7 d. */
export interface HorizonCell {
  readonly label: string;
  readonly verdict: VerdictText;
  /** One word for a narrow cell. */
  readonly short: string;
  /** The sentence, the windows and what it was compared with, line by line. */
  readonly lines: readonly string[];
  /** The node's page over the window and data that the verdict rests on; undefined while there is none. */
  readonly href: string | undefined;
}

/** Where an experiment stands, as people say it. */
export interface StandingText extends VerdictText {
  /** Since when, or when it is looked at next. */
  readonly note: string;
}

/** An experiment ready to be listed. */
export interface ExperimentRow {
  readonly annotationId: number;
  readonly when: string;
  readonly kind: string;
  readonly title: string;
  readonly author: string;
  readonly treated: string;
  /** At least one of the treated nodes is made up. */
  readonly simulated: boolean;
  readonly controls: string;
  readonly cells: readonly HorizonCell[];
  readonly standing: StandingText;
  /** What was found last, with its numbers; empty before anything was. */
  readonly sentence: string;
  /** Which look the sentence is of: the page of a node looks anew, and may show other figures. Empty without one. */
  readonly look: string;
  /** The windows that the sentence rests on. */
  readonly restsOn: string;
  /** The first treated node over the window of the newest verdict, or around the mark. */
  readonly href: string | undefined;
}

interface View {
  readonly zone: string;
  readonly nowMs: number;
}

/** Follow-ups of what an experiment is judged by: of one node, or of all treated as one where there are several. */
function headline(experiment: Experiment, nodeId?: number): FollowUp[] {
  const [metric = ""] = experiment.metrics;
  const own = experiment.followUps.filter((each) => each.metric === metric && each.supersededAt === null);
  if (nodeId !== undefined) return own.filter((each) => each.nodeId === nodeId);
  const pooled = own.filter((each) => each.nodeId === null);
  const [first] = own;
  return pooled.length > 0 ? pooled : own.filter((each) => each.nodeId === first?.nodeId);
}

const WORDS: Readonly<Record<FollowUp["effect"]["slopeVerdict"], string>> = {
  stopped: "stopped",
  slowed: "slowed",
  unchanged: "unchanged",
  faster: "faster",
  started: "started",
  inconclusive: "unclear",
  "too-early": "too early",
};

function shortOf({ slopeVerdict, levelVerdict }: FollowUp["effect"]): string {
  if (slopeVerdict === "unchanged" && levelVerdict === "none") return "no effect";
  const isSlopeSilent = slopeVerdict === "unchanged" || slopeVerdict === "inconclusive";
  return isSlopeSilent && (levelVerdict === "freed" || levelVerdict === "added")
    ? levelVerdict
    : WORDS[slopeVerdict];
}

/** `/nodes/7?from=…&to=…`: the page of a node over both sides of an effect. */
export function effectHref(
  nodeId: number,
  { at, before, after }: Pick<FollowUp["effect"], "at" | "before" | "after">,
): string {
  const fromMs = Math.min(before.from, at - HOUR_MS);
  const toMs = Math.max(after.to, at + HOUR_MS);
  return `/nodes/${nodeId}?from=${Math.floor(fromMs)}&to=${Math.ceil(toMs)}`;
}

/** Which windows and how many points an effect rests on. */
export function windowsText(
  { before, after }: Pick<FollowUp["effect"], "before" | "after">,
  view: View,
): string {
  const side = ({ from, to, n }: FollowUp["effect"]["before"]) =>
    n === 0 ? "no data" : `${formatWindow(from, to, view.zone, view.nowMs)} (${formatCount(n, "point")})`;
  return `before: ${side(before)}; after: ${side(after)}; ${zoneName(after.to, view.zone)}`;
}

/** The four cells of an experiment; with `nodeId` those of one treated node. */
export function horizonCells(experiment: Experiment, view: View, nodeId?: number): HorizonCell[] {
  const found = headline(experiment, nodeId);
  const settledMs = Math.max(experiment.at, experiment.endsAt ?? experiment.at);
  const over = experiment.status !== "following";
  return HORIZONS.map(({ name, label }) => {
    const followUp = found.findLast(({ horizon }) => horizon === name);
    if (followUp === undefined) {
      const dueMs = settledMs + HOURS[name] * HOUR_MS;
      const ended = over && found.length > 0;
      return {
        label,
        verdict: { word: ended ? "ended" : "due", tone: "unknown" },
        short: ended ? "–" : "due",
        lines: [
          ended
            ? "The next mark ended the window: there is no more to say."
            : `Due ${formatMoment(dueMs, view.zone, view.nowMs)}.`,
        ],
        href: undefined,
      };
    }
    const { effect } = followUp;
    const subject = followUp.nodeId ?? followUp.treatedNodeIds[0];
    return {
      label,
      verdict: effectVerdictText(effect),
      short: shortOf(effect),
      lines: [
        effect.text,
        windowsText(effect, view),
        effect.controls === null
          ? "Compared with no other node."
          : `Less what ${formatNumber(effect.controls.nodes)} left alone did: ${slopeText(effect)}.`,
        `Computed ${formatMoment(followUp.computedAt, view.zone, view.nowMs)}; kept as it was then.`,
      ],
      href: subject === undefined ? undefined : effectHref(subject, effect),
    };
  });
}

function slopeText({ controls, unit }: FollowUp["effect"]): string {
  if (controls === null) return "";
  if (unit !== "KiB") return `${formatNumber(controls.differencePerHour)} an hour`;
  const text = formatGrowth(controls.differencePerHour, controls.ci95, { signed: true });
  return `${text.value} MiB/h (${text.interval})`;
}

/** Where an experiment stands. */
export function standingText(experiment: Experiment, { zone, nowMs }: View): StandingText {
  const { status, returnedAt, nextLookAt } = experiment;
  const moment = (atMs: number) => formatMoment(atMs, zone, nowMs);
  const TEXTS: Readonly<Record<ExperimentStatus, StandingText>> = {
    following: {
      word: "following",
      tone: "unknown",
      note:
        experiment.at > nowMs
          ? `begins ${moment(experiment.at)}`
          : nextLookAt === null || nextLookAt <= nowMs
            ? "being looked at"
            : `next look ${moment(nextLookAt)}`,
    },
    settled: { word: "settled", tone: "flat", note: "" },
    returned: {
      word: "growth returned",
      tone: "leaking",
      note: returnedAt === null ? "" : `since about ${moment(returnedAt)}`,
    },
    "cannot-say": { word: "cannot say", tone: "unknown", note: "the data allow no verdict" },
  };
  return TEXTS[status];
}

function names(nodes: Experiment["treated"], count: number): string {
  const shown = nodes.slice(0, 3).map(({ name }) => isolatedText(name));
  return count > shown.length
    ? [...shown, `${formatNumber(count - shown.length)} more`].join(", ")
    : shown.join(", ");
}

/** What came of a deed on one node. */
export interface FollowedDeed {
  readonly cells: readonly HorizonCell[];
  readonly standing: StandingText;
}

/** What came of the deeds on one node that are followed, by annotation. */
export function followedDeeds(
  experiments: readonly Experiment[],
  nodeId: number,
  view: View,
): ReadonlyMap<number, FollowedDeed> {
  return new Map(
    experiments.map((experiment) => [
      experiment.annotationId,
      { cells: horizonCells(experiment, view, nodeId), standing: standingText(experiment, view) },
    ]),
  );
}

/** The log of experiments as it is drawn, in the order given. */
export function experimentRows(experiments: readonly Experiment[], view: View): ExperimentRow[] {
  return experiments.map((experiment) => {
    const { controls, controlNodes, followUps } = experiment;
    const found = headline(experiment);
    const newest = followUps.findLast(({ horizon }) => horizon === "return") ?? found.at(-1);
    const subject = newest?.nodeId ?? experiment.treated[0]?.nodeId;
    return {
      annotationId: experiment.annotationId,
      when: formatMoment(experiment.at, view.zone, view.nowMs),
      kind: experiment.kind,
      title: isolatedText(experiment.title),
      author: isolatedText(experiment.author),
      treated: names(experiment.treated, experiment.treatedCount),
      simulated: experiment.treated.some((node) => node.simulated),
      controls:
        controls === "none"
          ? "no comparison"
          : controlNodes.length > 0
            ? `against ${names(controlNodes, controlNodes.length)}`
            : "no node left alone",
      cells: horizonCells(experiment, view),
      standing: standingText(experiment, view),
      sentence: newest?.effect.text ?? "",
      look: newest === undefined ? "" : lookText(newest, view),
      restsOn: newest === undefined ? "" : windowsText(newest.effect, view),
      href:
        subject === undefined
          ? undefined
          : effectHref(
              subject,
              newest?.effect ?? {
                at: experiment.at,
                before: empty(experiment.at - 6 * HOUR_MS),
                after: empty(experiment.at + HOUR_MS),
              },
            ),
    };
  });
}

function lookText({ horizon, computedAt }: FollowUp, view: View): string {
  const label = HORIZONS.find(({ name }) => name === horizon)?.label;
  const computed = `computed ${formatMoment(computedAt, view.zone, view.nowMs)} and kept`;
  return label === undefined
    ? `Look at growth that returned, ${computed}`
    : `Look after ${label}, ${computed}`;
}

function empty(atMs: number): FollowUp["effect"]["before"] {
  return { from: atMs, to: atMs, n: 0, slopePerHour: null, ci95: null };
}
