import type { Annotation, Effect } from "#lib/contracts/annotation.ts";
import { formatGrowth, formatInterval, formatNumber, formatSigned, KIB_PER_MIB } from "./format.ts";
import type { EstimateText } from "./format.ts";
import { formatClock, formatDay, formatMoment, sameDay } from "./format-time.ts";
import { effectVerdictText } from "./verdict.ts";
import type { VerdictText } from "./verdict.ts";

/** A mark as it stands on the charts, numbered in order of time within the window. */
export interface Mark {
  readonly number: number;
  readonly annotation: Annotation;
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
        effect,
        verdict: effect ? effectVerdictText(effect) : undefined,
        byMachine: annotation.madeBy === "machine",
      };
    });
}

/** Text on a flag: number and time, then title, then verdict. Long titles are cut with an ellipsis. */
export function flagText(mark: Mark, zone: string): { when: string; title: string; verdict: string } {
  const title = mark.annotation.title;
  return {
    when: `${mark.number} ${formatClock(mark.annotation.at, zone)}`,
    title: title.length > 36 ? `${title.slice(0, 35).trimEnd()}\u2026` : title,
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
}

function growth(side: Effect["before"]): EstimateText | undefined {
  return side.slopePerHour !== null && side.ci95 ? formatGrowth(side.slopePerHour, side.ci95) : undefined;
}

function plot(side: Effect["before"]): readonly [number, number, number] | undefined {
  if (side.slopePerHour === null || !side.ci95) return undefined;
  return [side.slopePerHour / KIB_PER_MIB, side.ci95[0] / KIB_PER_MIB, side.ci95[1] / KIB_PER_MIB];
}

function change(value: number, ci95: readonly [number, number]): EstimateText {
  const text = formatGrowth(value, ci95);
  const decimals = text.value.split(".")[1]?.length ?? 0;
  return { value: formatSigned(value / KIB_PER_MIB, decimals), interval: text.interval };
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
      pending: pendingText(effect, view),
      controls: controls
        ? `${formatSigned(controls.differencePerHour / KIB_PER_MIB)} MiB/h (${formatInterval([
            controls.ci95[0] / KIB_PER_MIB,
            controls.ci95[1] / KIB_PER_MIB,
          ])}) against ${formatNumber(controls.nodes)} node${controls.nodes === 1 ? "" : "s"} left alone`
        : "",
    };
  });
}

function pendingText(effect: Effect | undefined, view: { zone: string; nowMs: number }): string {
  if (!effect) return "not computed";
  if (effect.enoughAt !== null && effect.enoughAt > view.nowMs)
    return `due ${formatMoment(effect.enoughAt, view.zone, view.nowMs)}`;
  return effect.after.slopePerHour === null ? "too few points after" : "";
}

/** Common axis of the whiskers of a table, MiB/h: always holds zero, never narrower than 10 MiB/h. */
export function whiskerDomain(rows: readonly EffectRow[]): readonly [number, number] {
  const ends = rows.flatMap((row) => [...(row.beforePlot ?? []), ...(row.afterPlot ?? [])]);
  const low = Math.min(0, ...ends);
  const high = Math.max(0, ...ends);
  const span = Math.max(high - low, 10);
  return [low - span * 0.06, Math.max(high, low + span) + span * 0.06];
}
