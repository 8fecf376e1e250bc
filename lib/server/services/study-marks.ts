import type { Interval } from "#lib/domain/analysis/vocabulary.ts";
import type { AnnotationKind, Effect as EffectAnswer } from "#lib/contracts/annotation.ts";
import { compareWithControls } from "#lib/domain/analysis/controls.ts";
import { effectSentence, futureMarkSentence, markWhen } from "#lib/domain/analysis/effect-sentence.ts";
import { studyEffect, type Effect, type EffectInsufficient } from "#lib/domain/analysis/event-study.ts";
import { lackingText } from "#lib/domain/analysis/lacking-text.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import type { AnnotationRow } from "#lib/server/data/annotations.ts";
import { memTotalOf, scaledEnds, scaleOf, type MetricWindow } from "./analyse-metric.ts";
import { momentText } from "./describe-moment.ts";

/** Marks whose effect is asked for: what somebody did, and what changed underneath. */
export const EFFECT_KINDS: readonly AnnotationKind[] = [
  "intervention",
  "deploy",
  "version-change",
  "kernel-change",
];

/** A changed version that is noticed this soon after a deed is that deed. */
const SAME_DEED_MS = 15 * 60_000;

export interface StudyOptions {
  beforeMs: number;
  afterMs: number;
  nowMs: number;
}

/** Times at which the windows of a mark end: other deeds on the node, and where those that took time were over. */
export function neighboursOf(mark: AnnotationRow, marks: readonly AnnotationRow[]): number[] {
  return marks
    .filter(
      ({ annotationId, kind }) =>
        annotationId !== mark.annotationId && EFFECT_KINDS.some((each) => each === kind),
    )
    .filter(
      ({ madeBy, atMs }) =>
        (madeBy !== "machine" && mark.madeBy !== "machine") || Math.abs(atMs - mark.atMs) > SAME_DEED_MS,
    )
    .flatMap(({ atMs, endsAtMs }) => (endsAtMs === null ? [atMs] : [atMs, endsAtMs]));
}

/** The study of one mark on one node. Pure. */
export function studyMark(
  mark: AnnotationRow,
  marks: readonly AnnotationRow[],
  { metric, node, segments }: MetricWindow,
  {
    beforeMs,
    afterMs,
    nowMs,
    referenceSlopePerHour,
  }: StudyOptions & { referenceSlopePerHour?: number | undefined },
): Effect | EffectInsufficient {
  const { materialPerHour, materialLevel } = scaleOf(metric, memTotalOf(node));
  return studyEffect({
    segments,
    atMs: mark.atMs,
    endsAtMs: mark.endsAtMs ?? undefined,
    beforeMs,
    afterMs,
    neighboursMs: neighboursOf(mark, marks),
    nowMs,
    memTotalKib: memTotalOf(node),
    materialPerHour,
    materialLevel,
    referenceSlopePerHour,
  });
}

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
/** Means over so long, while the shorter side of a mark holds at least twenty of them; else the next. */
const STEPS_MS = [5 * MINUTE_MS, MINUTE_MS, 15 * SECOND_MS] as const;
const STEPS_PER_SIDE = 20;

/**
 * How wide the means should be that a mark is studied on: five minutes, or less where a neighbouring deed, a young node or
 * the present leaves little on one side. Pure.
 */
export function stepOf(
  mark: AnnotationRow,
  marks: readonly AnnotationRow[],
  { beforeMs, afterMs }: Pick<StudyOptions, "beforeMs" | "afterMs">,
  node: { readonly firstSeenAtMs: number; readonly atMs: number },
): number {
  const settledMs = Math.max(mark.atMs, mark.endsAtMs ?? mark.atMs);
  const neighbours = neighboursOf(mark, marks);
  const fromMs = Math.max(
    mark.atMs - beforeMs,
    node.firstSeenAtMs,
    ...neighbours.filter((timeMs) => timeMs < mark.atMs),
  );
  const toMs = Math.min(settledMs + afterMs, node.atMs, ...neighbours.filter((timeMs) => timeMs > settledMs));
  const sideMs = Math.min(mark.atMs - fromMs, toMs - settledMs);
  return STEPS_MS.find((stepMs) => sideMs >= STEPS_PER_SIDE * stepMs) ?? 15 * SECOND_MS;
}

export interface MarkStudy {
  mark: AnnotationRow;
  effect: Effect | EffectInsufficient;
}

/** How far back earlier deeds tell how steep the leak was that a mark is measured against. */
export const REFERENCE_MS = 24 * 3_600_000;

/**
 * The studies of marks on one node, oldest first. *Unchanged* is measured against the steepest growth that a mark of the
 * {@link REFERENCE_MS} before stood in: once a leak has stopped, a restart that does nothing has no slope of its own. So that
 * a mark is judged alike whatever is asked for with it, `marks` must hold all deeds of that stretch. Pure.
 */
export function studyMarks(
  marks: readonly AnnotationRow[],
  all: readonly AnnotationRow[],
  windowOf: (mark: AnnotationRow) => MetricWindow,
  options: StudyOptions,
): MarkStudy[] {
  const grew: { atMs: number; slopePerHour: number }[] = [];
  return [...marks]
    .sort((a, b) => a.atMs - b.atMs)
    .map((mark) => {
      const lately = grew.filter(({ atMs }) => atMs >= mark.atMs - REFERENCE_MS && atMs < mark.atMs);
      const referenceSlopePerHour =
        lately.length === 0 ? undefined : Math.max(...lately.map(({ slopePerHour }) => slopePerHour));
      const effect = studyMark(mark, all, windowOf(mark), { ...options, referenceSlopePerHour });
      const before = isInsufficient(effect) ? undefined : effect.before.slope;
      if (before !== undefined && before.ci95[0] > 0) {
        grew.push({ atMs: mark.atMs, slopePerHour: before.slopePerHour });
      }
      return { mark, effect };
    });
}

/** A study as the contract has it: in the unit of the metric, with its sentence. Pure. */
export function describeEffect(
  { mark, effect }: MarkStudy,
  { metric, node }: Pick<MetricWindow, "metric" | "node">,
  {
    zone,
    nowMs,
    silentAfterMs,
    controls = [],
    treated,
  }: {
    zone: string;
    nowMs: number;
    /** When a node counts as silent: nothing is promised of one that is. Absent where the answer is kept, and promises nothing. */
    silentAfterMs?: number | undefined;
    controls?: readonly Effect[];
    /** The studies that a pooled effect is the mean of. */
    treated?: readonly Effect[] | undefined;
  },
): EffectAnswer {
  const { words, unitsPerStep } = scaleOf(metric, memTotalOf(node));
  const scaled = (ends: Interval) => scaledEnds(ends, unitsPerStep);
  const shared = {
    annotationId: mark.annotationId,
    nodeId: node.nodeId,
    at: mark.atMs,
    metric: metric.key,
    unit: metric.unit,
  };
  const markTime = momentText(mark.atMs, zone, nowMs);
  const side = ({ fromMs, toMs, n, slope }: Effect["before"]) => ({
    from: fromMs ?? mark.atMs,
    to: toMs ?? mark.atMs,
    n,
    slopePerHour: slope === undefined ? null : slope.slopePerHour * unitsPerStep,
    ci95: slope === undefined ? null : scaled(slope.ci95),
  });
  // Only what is over is kept, without a "now".
  const ahead =
    silentAfterMs !== undefined && mark.atMs > nowMs
      ? futureMarkSentence(words, mark.title, markTime)
      : undefined;
  if (isInsufficient(effect)) {
    return {
      ...shared,
      method: "",
      before: side(effect.before),
      after: side(effect.after),
      slopeChange: null,
      levelChange: null,
      slopeVerdict: ahead === undefined ? "inconclusive" : "too-early",
      levelVerdict: "inconclusive",
      controls: null,
      text:
        ahead ??
        `Cannot say what changed for ${words.name} ${markWhen(mark.title, markTime)}: ${lackingText(effect)}.`,
      enoughAt: null,
    };
  }
  const { slopeChange, levelChange } = effect;
  const isSilent = silentAfterMs !== undefined && nowMs - node.receivedAtMs > silentAfterMs;
  const isDue = effect.enoughAtMs !== undefined && effect.enoughAtMs > nowMs;
  const enoughAtMs = isDue && silentAfterMs !== undefined && !isSilent ? effect.enoughAtMs : undefined;
  const controlled = compareWithControls(treated ?? [effect], controls);
  const nodes = treated?.length;
  return {
    ...shared,
    method: effect.method,
    before: side(effect.before),
    after: side(effect.after),
    slopeChange:
      slopeChange === undefined
        ? null
        : { perHour: slopeChange.perHour * unitsPerStep, ci95: scaled(slopeChange.ci95) },
    levelChange:
      levelChange === undefined
        ? null
        : { value: levelChange.value * unitsPerStep, ci95: scaled(levelChange.ci95) },
    slopeVerdict: effect.slopeVerdict,
    levelVerdict: effect.levelVerdict,
    controls:
      controlled === undefined
        ? null
        : {
            nodes: controlled.nodes,
            differencePerHour: controlled.differencePerHour * unitsPerStep,
            ci95: scaled(controlled.ci95),
          },
    text:
      ahead ??
      effectSentence(effect, {
        metric: words,
        controlled,
        nodes,
        markTitle: mark.title,
        markTime,
        markEnd: mark.endsAtMs === null ? undefined : momentText(mark.endsAtMs, zone, nowMs),
        enoughAt: enoughAtMs === undefined ? undefined : momentText(enoughAtMs, zone, nowMs),
        silentSince: isSilent ? momentText(node.atMs, zone, nowMs) : undefined,
      }),
    enoughAt: enoughAtMs === undefined ? null : Math.round(enoughAtMs),
  };
}
