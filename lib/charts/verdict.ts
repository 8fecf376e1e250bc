import type { Effect } from "#lib/contracts/annotation.ts";
import type { Trend } from "#lib/contracts/trend.ts";
import { formatKib } from "./format.ts";

/** Verdict of a trend as the contract spells it. */
export type TrendVerdict = Trend["verdict"];

/** Colour family of a verdict; the word and the glyph always stand beside it. */
export type VerdictTone = "leaking" | "growing" | "flat" | "shrinking" | "unknown" | "ok";

/** The slope itself as a path in 11 by 12, so that a verdict does not rest on its colour. */
export const VERDICT_GLYPHS: Readonly<Record<VerdictTone, string>> = {
  leaking: "M1 10 10 1.5",
  growing: "M1 8.5 10 4",
  flat: "M1 6h9",
  shrinking: "M1 3.5 10 9",
  unknown: "M1 6h2M4.7 6h1.8M8.2 6H10",
  ok: "M1 3 5 8.5h5",
};

/** A verdict as people say it, and how it is coloured. */
export interface VerdictText {
  readonly word: string;
  readonly tone: VerdictTone;
}

const TREND: Readonly<Record<TrendVerdict, VerdictText>> = {
  leaking: { word: "leaking", tone: "leaking" },
  growing: { word: "growing", tone: "growing" },
  stepped: { word: "stepped", tone: "growing" },
  "levelling-off": { word: "levelling off", tone: "growing" },
  flat: { word: "flat", tone: "flat" },
  shrinking: { word: "shrinking", tone: "shrinking" },
  insufficient: { word: "cannot say yet", tone: "unknown" },
};

/** Word and tone of a trend; null is a node that nothing was computed for yet. */
export function trendVerdictText(verdict: TrendVerdict | null): VerdictText {
  return verdict === null ? TREND.insufficient : TREND[verdict];
}

const SLOPE: Readonly<Record<Effect["slopeVerdict"], VerdictText>> = {
  stopped: { word: "stopped", tone: "ok" },
  slowed: { word: "slowed", tone: "ok" },
  unchanged: { word: "slope unchanged", tone: "flat" },
  faster: { word: "faster", tone: "leaking" },
  started: { word: "started", tone: "leaking" },
  inconclusive: { word: "inconclusive", tone: "unknown" },
  "too-early": { word: "too early to tell", tone: "unknown" },
};

/**
 * The two verdicts of a mark in one phrase. "No effect" is said only when neither slope nor level changed; a slope
 * that stopped with the level kept says that nothing was given back.
 */
export function effectVerdictText(
  effect: Pick<Effect, "slopeVerdict" | "levelVerdict" | "levelChange">,
): VerdictText {
  const { slopeVerdict, levelVerdict, levelChange } = effect;
  if (slopeVerdict === "too-early") return SLOPE["too-early"];
  if (slopeVerdict === "unchanged" && levelVerdict === "none") return { word: "no effect", tone: "flat" };
  const amount = levelChange ? ` ${formatKib(Math.abs(levelChange.value))}` : "";
  const slope = SLOPE[slopeVerdict];
  if (levelVerdict === "freed") {
    const freed = `freed${amount} at once`;
    if (slopeVerdict === "stopped" || slopeVerdict === "slowed")
      return { word: `${slope.word}; ${freed}`, tone: "ok" };
    const bad = slopeVerdict === "faster" || slopeVerdict === "started";
    return bad ? { word: `${slope.word}; ${freed}`, tone: slope.tone } : { word: freed, tone: "ok" };
  }
  if (levelVerdict === "added") return { word: `${slope.word}; added${amount} at once`, tone: "leaking" };
  if (slopeVerdict === "stopped" && levelVerdict === "none")
    return { word: "stopped, memory not given back", tone: "ok" };
  return slope;
}
