import type { Annotation, Effect } from "#lib/contracts/annotation.ts";
import type { Trend } from "#lib/contracts/trend.ts";
import { EFFECT_MINIMUM } from "#lib/domain/analysis/event-study.ts";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import { formatCount } from "#lib/domain/memory/quantity.ts";
import { effectHref, windowsText } from "./experiment-model.ts";
import { formatDuration, formatGrowth, formatInterval, formatSigned, KIB_PER_MIB } from "./format.ts";
import type { EstimateText } from "./format.ts";
import { formatClock, formatDay, formatMoment, sameDay } from "./format-time.ts";
import { effectVerdictText } from "./verdict.ts";
import type { VerdictText } from "./verdict.ts";

/** A mark as it stands on the charts, numbered in order of time within the window. */
export interface Mark {
  readonly number: number;
  readonly annotation: Annotation;
  /** Title, text and author as they are shown: whoever wrote them, they do not reorder the line. */
  readonly title: string;
  readonly text: string;
  readonly author: string;
  readonly effect: Effect | undefined;
  readonly verdict: VerdictText | undefined;
  readonly byMachine: boolean;
}

/** The marks of a window in order of time, each with its effect where one was computed. */
export function marksOf(
  annotations: readonly Annotation[],
  effects: readonly Effect[],
  window: { fromMs: number; toMs: number },
): Mark[] {
  const byAnnotation = new Map(effects.map((effect) => [effect.annotationId, effect]));
  return annotations
    .filter((each) => each.at <= window.toMs && (each.endsAt ?? each.at) >= window.fromMs)
    .toSorted((a, b) => a.at - b.at || a.annotationId - b.annotationId)
    .map((annotation, index) => {
      const effect = byAnnotation.get(annotation.annotationId);
      return {
        number: index + 1,
        annotation,
        title: isolatedText(annotation.title),
        text: isolatedText(annotation.text ?? ""),
        author: isolatedText(annotation.author),
        effect,
        verdict: effect ? effectVerdictText(effect) : undefined,
        byMachine: annotation.madeBy === "machine",
      };
    });
}

/** Text on a flag: number and time, then title, then verdict. Long titles are cut with an ellipsis. */
export function flagText(mark: Mark, zone: string): { when: string; title: string; verdict: string } {
  const written = [...mark.annotation.title];
  return {
    when: `${mark.number} ${formatClock(mark.annotation.at, zone)}`,
    title: isolatedText(
      written.length > 36 ? `${written.slice(0, 35).join("").trimEnd()}\u2026` : written.join(""),
    ),
    verdict: mark.verdict?.word ?? "",
  };
}

/** Width of a flag in pixels, slightly on the wide side so that text never leaves its frame. */
export function flagWidthPx(text: { when: string; title: string; verdict: string }): number {
  const wide = (value: string) =>
    [...value].reduce(
      (sum, char) =>
        sum +
        (char.charCodeAt(0) > 0x2e7f
          ? 12
          : /[ilj.,:;'|! ]/.test(char)
            ? 4
            : /[mwMW@%]/.test(char)
              ? 10
              : 6.6),
      0,
    );
  return Math.ceil(wide(text.when) + wide(text.title) + wide(text.verdict) * 1.06 + 24);
}

/** A row of the table "What was tried, what happened". Numbers are MiB and MiB/h with 95 % intervals. */
export interface EffectRow {
  readonly mark: Mark;
  readonly when: string;
  readonly before: EstimateText | undefined;
  readonly after: EstimateText | undefined;
  readonly slopeChange: EstimateText | undefined;
  readonly levelChange: EstimateText | undefined;
  /** Slopes for the drawing, MiB/h: estimate, lower and upper end. */
  readonly beforePlot: readonly [number, number, number] | undefined;
  readonly afterPlot: readonly [number, number, number] | undefined;
  /** What is missing, when there is no verdict yet. */
  readonly pending: string;
  readonly controls: string;
  /** The windows that the numbers rest on, and the page over just these; undefined without numbers. */
  readonly restsOn: { readonly text: string; readonly href: string } | undefined;
}

function growth(side: Effect["before"]): EstimateText | undefined {
  return side.slopePerHour !== null && side.ci95 ? formatGrowth(side.slopePerHour, side.ci95) : undefined;
}

function plot(side: Effect["before"]): readonly [number, number, number] | undefined {
  if (side.slopePerHour === null || !side.ci95) return undefined;
  return [side.slopePerHour / KIB_PER_MIB, side.ci95[0] / KIB_PER_MIB, side.ci95[1] / KIB_PER_MIB];
}

function change(value: number, ci95: readonly [number, number]): EstimateText {
  return formatGrowth(value, ci95, { signed: true });
}

/** Rows of the table of effects, in order of time. */
export function effectRows(marks: readonly Mark[], view: { zone: string; nowMs: number }): EffectRow[] {
  return marks.map((mark) => {
    const { effect } = mark;
    const at = mark.annotation.at;
    const day = sameDay(at, view.nowMs, view.zone) ? "" : `${formatDay(at, view.zone)} `;
    const controls = effect?.controls;
    return {
      mark,
      when: `${day}${formatClock(at, view.zone)}`,
      before: effect && growth(effect.before),
      after: effect && growth(effect.after),
      slopeChange: effect?.slopeChange
        ? change(effect.slopeChange.perHour, effect.slopeChange.ci95)
        : undefined,
      levelChange: effect?.levelChange
        ? change(effect.levelChange.value, effect.levelChange.ci95)
        : undefined,
      beforePlot: effect && plot(effect.before),
      afterPlot: effect && plot(effect.after),
      pending: pendingText(mark, view),
      restsOn:
        effect && effect.before.n > 0
          ? { text: windowsText(effect, view), href: effectHref(effect.nodeId, effect) }
          : undefined,
      controls: controls
        ? `${formatSigned(controls.differencePerHour / KIB_PER_MIB)} MiB/h (${formatInterval([
            controls.ci95[0] / KIB_PER_MIB,
            controls.ci95[1] / KIB_PER_MIB,
          ])}) against ${formatCount(controls.nodes, "node")} left alone`
        : "",
    };
  });
}

/** What one side of a mark lacks for a slope; empty when nothing. */
function lack({ from, to, n }: Effect["before"], where: "before" | "after"): string {
  if (n === 0) return `no data ${where}`;
  const points = where === "after" ? EFFECT_MINIMUM.pointsAfter : EFFECT_MINIMUM.points;
  if (n < points) return `${n} of ${formatCount(points, "point")} ${where}`;
  return to - from < EFFECT_MINIMUM.spanMs
    ? `${formatDuration(to - from)} of ${formatDuration(EFFECT_MINIMUM.spanMs)} ${where}`
    : "";
}

const width = ({ ci95 }: Effect["before"]) => (ci95 ? ci95[1] - ci95[0] : 0);

function pendingText({ annotation, effect }: Mark, view: { zone: string; nowMs: number }): string {
  if (!effect) return `not measured: ${annotation.kind.replace("-", " ")}`;
  const { before, after, slopeVerdict, levelVerdict, enoughAt } = effect;
  if (enoughAt !== null && enoughAt > view.nowMs)
    return `due ${formatMoment(enoughAt, view.zone, view.nowMs)}`;
  if (after.slopePerHour === null) return lack(before, "before") || lack(after, "after");
  // Waiting makes the side after the mark surer, never the one before.
  const said = levelVerdict === "freed" || levelVerdict === "added";
  return slopeVerdict === "inconclusive" && !said && width(before) > width(after)
    ? `the ${formatDuration(before.to - before.from)} before are too little to tell`
    : "";
}

/** Common axis of the whiskers of a table, MiB/h: always holds zero, never narrower than 10 MiB/h. */
export function whiskerDomain(
  rows: readonly Pick<EffectRow, "beforePlot" | "afterPlot">[],
): readonly [number, number] {
  const ends = rows.flatMap((row) => [...(row.beforePlot ?? []), ...(row.afterPlot ?? [])]);
  const low = Math.min(0, ...ends);
  const high = Math.max(0, ...ends);
  const span = Math.max(high - low, 10);
  return [low - span * 0.06, Math.max(high, low + span) + span * 0.06];
}

/** A slope written on the chart over the stretch it was measured in. */
export interface SlopeLabel {
  readonly fromMs: number;
  readonly toMs: number;
  readonly text: string;
}

/** Slopes before the first mark and after each, or the slope of the whole window when no mark has an effect. */
export function slopeLabels(
  marks: readonly Mark[],
  trend: Pick<Trend, "from" | "to" | "slopePerHour" | "ci95"> | undefined,
): SlopeLabel[] {
  const written = (side: Effect["before"]): SlopeLabel[] => {
    const text = growth(side);
    return text ? [{ fromMs: side.from, toMs: side.to, text: `${text.value} MiB/h (${text.interval})` }] : [];
  };
  const effects = marks.flatMap((mark) => (mark.effect ? [mark.effect] : []));
  const first = effects[0];
  if (first) return [...written(first.before), ...effects.flatMap((effect) => written(effect.after))];
  return trend ? written({ ...trend, n: 0 }) : [];
}
