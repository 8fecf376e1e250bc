import type { Annotation, Effect } from "#lib/contracts/annotation.ts";
import type { Comparison } from "#lib/contracts/compare.ts";
import type { Correlation } from "#lib/contracts/correlation.ts";
import type { PlainTable } from "#lib/contracts/csv.ts";
import type { CompositionMode, CompositionSeries, MetricSeries } from "#lib/contracts/series.ts";
import type { Trend } from "#lib/contracts/trend.ts";
import type { CohortModel } from "./cohort-model.ts";
import { formatMoment } from "./format-time.ts";
import { formatGrowth } from "./format.ts";
import { effectVerdictText } from "./verdict.ts";
import type { VerdictText } from "./verdict.ts";
import type { TimeWindow } from "./view-address.ts";

/** A node over a window, and how a pin looks at it. */
export interface PinnedNode {
  readonly nodeId: number;
  readonly name: string;
  readonly window: TimeWindow;
  readonly zone: string;
  readonly readAtMs: number;
  readonly annotations: readonly Annotation[];
}

/** What a pinned view shows, read when it is looked at. A view that cannot be read says why. */
export type PinReading =
  | {
      readonly kind: "composition";
      readonly node: PinnedNode;
      readonly mode: CompositionMode | undefined;
      /** Where the cursor stood. */
      readonly atMs: number | undefined;
      readonly composition: CompositionSeries;
      readonly effects: readonly Effect[];
      readonly trend: Trend | undefined;
    }
  | { readonly kind: "effects"; readonly node: PinnedNode; readonly effects: readonly Effect[] }
  | {
      readonly kind: "caches";
      readonly node: PinnedNode;
      readonly caches: readonly string[];
      readonly series: MetricSeries;
    }
  | { readonly kind: "effect"; readonly figure: EffectFigure }
  | {
      readonly kind: "scatter";
      readonly nodeName: string;
      readonly correlation: Correlation;
      readonly zone: string;
      readonly readAtMs: number;
    }
  | { readonly kind: "comparison"; readonly comparison: Comparison; readonly band: string | undefined }
  | { readonly kind: "cohorts"; readonly model: CohortModel }
  | { readonly kind: "table"; readonly table: PlainTable; readonly note: string }
  | {
      readonly kind: "dump";
      readonly verdict: string;
      readonly dominant: string;
      readonly findings: readonly { readonly name: string; readonly evidence: readonly string[] }[];
      readonly warnings: readonly string[];
    }
  | { readonly kind: "unreadable"; readonly message: string };

/** The points of a pinned chart within a part of its window, as fine as they are kept, or why there are none. */
export type CloserReading =
  | { readonly kind: "composition"; readonly composition: CompositionSeries }
  | { readonly kind: "caches"; readonly series: MetricSeries }
  | { readonly kind: "unreadable"; readonly message: string };

/** What a mark did on a node, for a sentence or for a line of its own. */
export interface EffectFigure {
  readonly title: string;
  readonly when: string;
  readonly node: string;
  /** The page of the node around the mark. */
  readonly href: string;
  readonly verdict: VerdictText;
  /** A few words with the number that counts, to stand in a sentence: `312 to 4 MiB/h`. */
  readonly short: string;
  /** The sentence, with numbers. */
  readonly sentence: string;
}

/** What a mark did, or why that cannot be said. */
export type EffectReading = EffectFigure | { readonly message: string };

/** Prepares an effect. `href` leads to what it was measured on. */
export function effectFigure(
  effect: Effect,
  mark: Pick<Annotation, "at" | "title">,
  node: { readonly name: string; readonly href: string },
  view: { readonly zone: string; readonly nowMs: number },
): EffectFigure {
  const verdict = effectVerdictText(effect);
  return {
    title: mark.title,
    when: formatMoment(mark.at, view.zone, view.nowMs),
    node: node.name,
    href: node.href,
    verdict,
    short: shortOf(effect, verdict),
    sentence: effect.text,
  };
}

function shortOf({ before, after, slopeChange, controls, unit }: Effect, verdict: VerdictText): string {
  if (unit !== "KiB") return verdict.word;
  // Against nodes that were left alone the difference says more than the two slopes.
  if (controls !== null) {
    const text = formatGrowth(controls.differencePerHour, controls.ci95, { signed: true });
    return `${text.value} MiB/h (${text.interval})`;
  }
  if (slopeChange === null || before.slopePerHour === null || after.slopePerHour === null)
    return verdict.word;
  if (before.ci95 === null || after.ci95 === null) return verdict.word;
  const [from, to] = [
    formatGrowth(before.slopePerHour, before.ci95),
    formatGrowth(after.slopePerHour, after.ci95),
  ];
  return `${from.value} to ${to.value} MiB/h (${to.interval})`;
}
