import type { Insufficient } from "#lib/domain/statistics/insufficient.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import type { Decomposition, PartGrowth } from "./decomposition.ts";
import { lackingText } from "./lacking-text.ts";
import type { MetricWords } from "./metric-words.ts";
import { sentenceStart, slopeUnit } from "./metric-words.ts";
import { formatEstimate, formatNumber } from "../memory/quantity.ts";
import { excludesLittle } from "./trend.ts";

/** Smaller shares are left to the table. */
const LEAST_SHARE = 0.05;
const LEAST_CACHE_SHARE = 0.1;

export interface DecompositionWords {
  readonly metric: MetricWords;
  /** How a part is spoken of: "slab" for `sunrecl`. */
  readonly nameOf: (key: string) => string;
  /** The part that `inner` decomposes. */
  readonly innerKey: string;
  /** Least growth of the whole that counts, in its unit an hour. */
  readonly materialPerHour: number;
}

/**
 * What a growth is made of, in one sentence; of the part that is decomposed further its largest piece.
 *
 * @example "72 % of the growth is slab, of it kmalloc-1k 40 %; percpu 21 %."
 */
export function decompositionSentence(
  outer: Decomposition | Insufficient,
  inner: Decomposition | Insufficient | undefined,
  { metric, nameOf, innerKey, materialPerHour }: DecompositionWords,
): string {
  if (isInsufficient(outer)) {
    return `Cannot say what ${metric.name} grew by: ${lackingText(outer)}.`;
  }
  if (!outer.significant) {
    const unit = slopeUnit(metric, Math.max(Math.abs(outer.ci95[0]), Math.abs(outer.ci95[1])));
    const estimate = formatEstimate(outer.slopePerHour, outer.ci95, unit);
    // What rose and stopped has no slope that holds all along; its stretches have.
    const advice = excludesLittle(outer.ci95, materialPerHour)
      ? " A range in which its growth did not change would have them."
      : "";
    return `${sentenceStart(metric.name)} did not grow significantly along one line in this window (${estimate.value} ${estimate.unit}, 95 %: ${estimate.interval}), so there are no shares of it.${advice}`;
  }
  const told = outer.parts.filter(({ share }) => share !== undefined && Math.abs(share) >= LEAST_SHARE);
  const cache = inner === undefined || isInsufficient(inner) ? undefined : largestOf(inner);
  const clauses = told.map(({ key, share }, position) => {
    const detail =
      key === innerKey && cache !== undefined ? `, of it ${nameOf(cache.key)} ${percent(cache.share)}` : "";
    return position === 0
      ? `${percent(share)} of the growth is ${nameOf(key)}${detail}`
      : `${nameOf(key)} ${percent(share)}${detail}`;
  });
  return `${clauses.join("; ")}.`;
}

function largestOf({ significant, parts }: Decomposition): PartGrowth | undefined {
  const [largest] = parts;
  return significant && (largest?.share ?? 0) >= LEAST_CACHE_SHARE ? largest : undefined;
}

function percent(share: number | undefined): string {
  return `${formatNumber((share ?? 0) * 100, 0)} %`;
}
