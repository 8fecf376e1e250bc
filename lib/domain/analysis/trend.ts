import type { Insufficient } from "#lib/domain/statistics/insufficient.ts";
import { insufficient, isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import type { Segment } from "#lib/domain/statistics/series.ts";
import { theilSen } from "#lib/domain/statistics/theil-sen.ts";
import type { BootSegment, UsableBoot } from "./boot-segments.ts";
import { coveredMs, HOUR_MS, outsideWarmUp, spanMs, usableBoots } from "./boot-segments.ts";
import { removeCycles } from "./cycles.ts";
import type { KnownDailyRange } from "./daily-range.ts";
import { materialSlopeKibPerHour } from "../memory/materiality.ts";
import type { NewestStretch } from "./newest-stretch.ts";
import { newestStretch } from "./newest-stretch.ts";
import type { Shaped, StepFit } from "./persistence.ts";
import {
  bentRise,
  fifthsOf,
  fitStep,
  isSlowing,
  isStepDown,
  lastTwo,
  LEAST_LATE_SHARE,
  survivesWarmUp,
  turnedOver,
} from "./persistence.ts";
import { noiseAround } from "./trend-line.ts";
import type { Interval, TrendVerdict } from "./vocabulary.ts";

/** Least data a trend is drawn from. */
export const TREND_MINIMUM = { points: 12, spanMs: 30 * 60_000 } as const;

/** Most points that are compared pair by pair; longer series are thinned to bucket medians. */
const MAX_POINTS = 1500;

export interface TrendInput {
  /** The window's boots in order of time. */
  readonly segments: readonly BootSegment[];
  /** MemTotal; sets the least slope that counts when `materialPerHour` is not given. */
  readonly memTotalKib: number;
  /** Least slope that counts, per hour in the unit of the values. Needed for anything that is not KiB. */
  readonly materialPerHour?: number | undefined;
  /** Largest range that this metric is known to run through in a day, here or on a peer; same unit as the values. */
  readonly dailyRange?: KnownDailyRange | undefined;
  /** What can still be taken before the node runs out, same unit; `memoryHeadroomKib` for memory. */
  readonly headroom?: number | undefined;
  /** Level of significance, default 0.01. Benjamini-Hochberg over a fleet comes after: `confirmAcrossFleet`. */
  readonly level?: number | undefined;
}

/** One boot's share of a trend. */
export interface BootTrend {
  readonly bootId: string;
  /** First and last point used; `undefined` when the warm-up left none. */
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  readonly n: number;
  /** Points left out because the boot was younger than 2 h. */
  readonly leftOut: number;
  /** `undefined` when the boot alone has too little data. */
  readonly slopePerHour: number | undefined;
  readonly ci95: Interval | undefined;
}

/** Slope of one metric over one window, and what it amounts to. All numbers unrounded, in the unit of the values. */
export interface Trend {
  readonly kind: "trend";
  /** *insufficient* here too: there is a slope, and its interval says next to nothing. */
  readonly verdict: TrendVerdict;
  readonly slopePerHour: number;
  readonly ci95: Interval;
  /** Two-sided, of no slope at all. */
  readonly pValue: number;
  /** Points used. */
  readonly n: number;
  /** First and last point used, epoch ms. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly method: string;
  /** Lag-1 autocorrelation of the residuals, corrected for bias. */
  readonly phi: number;
  /** Standard deviation of the points around their lines, unit of the values. */
  readonly noiseSd: number;
  /** What the slope adds up to over the time that boots cover. */
  readonly rise: number;
  readonly boots: readonly BootTrend[];
  /** Which conditions of *leaking* held. */
  readonly gates: TrendGates;
  /**
   * Growth since the last change of slope, step or boot: what goes on. Absent where the window is one stretch, and where
   * surely nothing rose.
   */
  readonly newest?: NewestGrowth | undefined;
}

/** Growth over the newest stretch of a window. */
export interface NewestGrowth extends Omit<NewestStretch, "segment"> {
  /** Of the stretch alone; it has no newest of its own. */
  readonly trend: Trend | Insufficient;
}

export interface TrendGates {
  readonly significant: boolean;
  /** Lower end of the interval at or above the least slope that counts. */
  readonly material: boolean;
  /** Rises all along, and no step explains it. */
  readonly persistent: boolean;
  /** Cannot be part of a daily wave. */
  readonly beyondDailyRange: boolean;
  /** Cannot be the warm-up of a boot younger than 48 h. */
  readonly beyondWarmUp: boolean;
}

/**
 * Trend of one metric over a window.
 *
 * Slope: Theil-Sen over all boots with a level for each, the first 2 h of a boot left out; interval and p value from Kendall's
 * score with variance inflated for AR(1) noise. With 48 h of points the daily rhythm, with 14 days also the weekly, is fitted
 * together with the slope.
 *
 * Verdict, in this order:
 * - *shrinking*: significant, and the upper end of the interval at or below minus the least slope that counts; *stepped* where one
 *   step down is the better account, by the rules for rises below.
 * - *stepped*, *levelling-off*: not significant as a line, yet one step (up or down) or one settling rise is.
 * - *flat*: not significant otherwise, or the whole interval within that least slope. *insufficient* instead where the interval
 *   leaves open ten times that slope, up or down: it excludes next to nothing; and *growing* where the stretch since the last
 *   change of slope, step or boot grows by itself.
 * - *growing*: significant but the lower end is below the least slope that counts.
 * - *levelling-off*: the growth is slowing to under half, or has: since the last change of slope, step or boot the upper end
 *   of the interval is under half of the slope of the window.
 * - *stepped*: it does not rise all along (one fifth of the window brings 60 % of the rise or more, one falls by a tenth of it,
 *   the last two bring less than 30 %), or the slope does not survive one step put where it explains most; and one step
 *   is 20 times likelier than a straight line, the search for its place paid for.
 * - *growing*: the same, but step and line are not told apart yet.
 * - *growing*: it may be part of a wave or a warm-up: the window is shorter than 48 h and the rise is not above 3 times the
 *   known daily range (where the node's own is not known: or the window is shorter than 24 h, which no wave fills by rising), unless
 *   the node runs out within 24 h; or the rise cannot be told from a warm-up after boot (time constant up to 12 h).
 * - *leaking*: none of these.
 *
 * {@link Insufficient} with fewer than 12 points or under 30 min of them, saying what is missing.
 */
export function analyseTrend(input: TrendInput): Trend | Insufficient {
  const whole = judgeWindow(input);
  if (isInsufficient(whole) || !ROSE.has(whole.verdict)) return whole;
  const stretch = newestStretch(input.segments, leastSlope(input));
  if (stretch === undefined) return whole;
  const { segment, ...begins } = stretch;
  const trend = judgeWindow({ ...input, segments: [segment] });
  const newest: NewestGrowth = { ...begins, trend };
  return { ...whole, newest, verdict: isInsufficient(trend) ? whole.verdict : inView(whole, trend) };
}

/** The verdict on a window in view of its newest stretch. */
function inView({ verdict, slopePerHour }: Trend, newest: Trend): TrendVerdict {
  const grew = verdict === "leaking" || verdict === "growing";
  if (grew && newest.ci95[1] < slopePerHour / 2) return "levelling-off";
  const grows = (newest.verdict === "leaking" || newest.verdict === "growing") && newest.gates.material;
  return verdict === "insufficient" && grows ? "growing" : verdict;
}

/** Verdicts of windows in which something rose, or may have: only of these it is asked what goes on. */
const ROSE: ReadonlySet<TrendVerdict> = new Set([
  "leaking",
  "growing",
  "levelling-off",
  "stepped",
  "insufficient",
]);

function leastSlope({ materialPerHour, memTotalKib }: TrendInput): number {
  return materialPerHour ?? materialSlopeKibPerHour(memTotalKib);
}

/** The window as one line, whatever changed within it. */
function judgeWindow(input: TrendInput): Trend | Insufficient {
  const boots = usableBoots(input.segments, MAX_POINTS);
  const used = boots.filter(({ segment }) => segment.timesMs.length >= 2);
  const raw = used.map(({ segment }) => segment);
  const lacking = whatATrendLacks(
    boots.map(({ segment }) => segment),
    boots.some(({ leftOut }) => leftOut > 0),
  );
  if (lacking !== undefined) return lacking;
  const decycled = removeCycles(raw);
  const { segments } = decycled;
  const pooling = { extraParameters: decycled.parameters, extraInflation: decycled.inflation };
  const pooled = theilSen(segments, pooling);
  if (isInsufficient(pooled)) return pooled;

  const coveredHours = coveredMs(raw) / HOUR_MS;
  const rise = pooled.slopePerHour * coveredHours;
  const material = leastSlope(input);
  const level = input.level ?? 0.01;
  const significant = pooled.pValue < level;
  const bootTrends = boots.map((boot) => {
    const index = used.indexOf(boot);
    return bootTrend(boot, segments[index], used.length === 1 ? pooled : undefined, decycled.inflation);
  });
  const shaped = { segments: raw, waves: decycled.waves, phi: pooled.phi };
  const falls = significant && pooled.ci95[1] <= -material;
  const shape = falls
    ? shapeOf(turnedOver(shaped), true, true, level)
    : shapeOf(shaped, significant, pooled.ci95[0] >= material, level);
  const warmUpLike =
    significant &&
    !falls &&
    shape === "steady" &&
    !survivesWarmUp(
      shaped,
      used.map(({ bootedAtMs }) => bootedAtMs),
      level,
    );
  const beyondDailyRange =
    coveredHours >= 47.5 ||
    isBeyondDailyRange(input.dailyRange, rise, coveredHours) ||
    (input.headroom !== undefined && pooled.slopePerHour > 0 && input.headroom / pooled.slopePerHour < 24);
  const gates: TrendGates = {
    significant,
    material: pooled.ci95[0] >= material,
    persistent: significant && !falls && shape === "steady",
    beyondDailyRange,
    beyondWarmUp: !warmUpLike,
  };
  return {
    kind: "trend",
    verdict: verdictOf(gates, pooled.ci95, material, shape),
    slopePerHour: pooled.slopePerHour,
    ci95: pooled.ci95,
    pValue: pooled.pValue,
    n: pooled.n,
    fromMs: raw[0]?.timesMs[0] as number,
    toMs: raw.at(-1)?.timesMs.at(-1) as number,
    method: methodText(used.length, decycled.parameters),
    phi: pooled.phi,
    noiseSd: noiseAround(segments, pooled.slopePerHour),
    rise,
    boots: bootTrends,
    gates,
  };
}

/** A peer's range can be smaller than the node's own: it makes the rule for nodes of which nothing is known only stricter. */
function isBeyondDailyRange(known: KnownDailyRange | undefined, rise: number, coveredHours: number): boolean {
  const isDay = coveredHours >= 21.5;
  if (known === undefined) return isDay;
  return rise > 3 * known.range && (known.own || isDay);
}

/** What a trend needs beyond these segments, one for each boot; `undefined` when they are enough. */
export function whatATrendLacks(segments: readonly Segment[], anyLeftOut: boolean): Insufficient | undefined {
  const points = segments.reduce((sum, { timesMs }) => sum + timesMs.length, 0);
  if (points < TREND_MINIMUM.points) {
    return insufficient(outsideWarmUp("points", anyLeftOut), TREND_MINIMUM.points, points);
  }
  const had = coveredMs(segments);
  return had < TREND_MINIMUM.spanMs
    ? insufficient(outsideWarmUp("minutes of data", anyLeftOut), TREND_MINIMUM.spanMs / 60_000, had / 60_000)
    : undefined;
}

function bootTrend(
  boot: UsableBoot,
  segment: Segment | undefined,
  only: { slopePerHour: number; ci95: Interval } | undefined,
  extraInflation: number,
): BootTrend {
  const { timesMs } = boot.segment;
  const enough =
    segment !== undefined &&
    timesMs.length >= TREND_MINIMUM.points &&
    spanMs(boot.segment) >= TREND_MINIMUM.spanMs;
  const own = only ?? (enough ? theilSen([segment], { extraInflation }) : undefined);
  const estimate = own === undefined || isInsufficient(own) || !enough ? undefined : own;
  return {
    bootId: boot.bootId,
    fromMs: timesMs[0],
    toMs: timesMs.at(-1),
    n: timesMs.length,
    leftOut: boot.leftOut,
    slopePerHour: estimate?.slopePerHour,
    ci95: estimate?.ci95,
  };
}

/** How a rise came about; *undecided* when neither a straight line nor a step or a bend is ruled out yet. */
type Shape = "steady" | "stepped" | "levelling-off" | "undecided";

/** One-sided level at which growth that slows is named so, once it does not pass as steady. */
const BEND_DECIDED = 0.05;

function shapeOf(shaped: Shaped, significant: boolean, material: boolean, level: number): Shape {
  if (significant && !material) return "steady";
  const step = fitStep(shaped);
  if (!significant) return bentRise(shaped, step) ?? (isStepDown(shaped) ? "stepped" : "steady");
  const fifths = fifthsOf(step?.decycled ?? shaped.segments);
  // Boots of a few points each have no fifths; that they do not show a steady rise does not make it a step.
  if (fifths === undefined) return isStep(step) ? "stepped" : "undecided";
  const aStepWillDo = step !== undefined && (step.beatsLine || step.chanceOfNoSlope >= level);
  if (fifths.persistent && !aStepWillDo) return isSlowing(shaped, 0.01) ? "levelling-off" : "steady";
  if (lastTwo(fifths.shares) < LEAST_LATE_SHARE && isSlowing(shaped, BEND_DECIDED)) return "levelling-off";
  return isStep(step) ? "stepped" : "undecided";
}

function isStep(step: StepFit | undefined): boolean {
  return step?.decided === true;
}

function verdictOf(gates: TrendGates, ci95: Interval, material: number, shape: Shape): Trend["verdict"] {
  const bent = shape === "stepped" || shape === "levelling-off" ? shape : undefined;
  const flat = excludesLittle(ci95, material) ? "insufficient" : "flat";
  if (!gates.significant) return bent ?? flat;
  if (ci95[1] <= -material) return shape === "stepped" ? shape : "shrinking";
  if (ci95[0] <= 0 || ci95[1] < material) return flat;
  if (!gates.material) return "growing";
  if (bent !== undefined) return bent;
  return gates.persistent && gates.beyondDailyRange && gates.beyondWarmUp ? "leaking" : "growing";
}

/** How many times the least slope that counts an interval may leave open and still be called flat. */
const EXCLUDES_LITTLE = 10;

/** Whether the interval of a slope leaves so much open, up or down, that it says next to nothing. */
export function excludesLittle([lower, upper]: Interval, materialPerHour: number): boolean {
  return Math.max(-lower, upper) >= EXCLUDES_LITTLE * materialPerHour;
}

function methodText(boots: number, waves: number): string {
  const parts = ["Theil-Sen slope", "interval from Kendall's score, variance inflated for AR(1) noise"];
  if (boots > 1) parts.push(`${boots} boots pooled, a level for each`);
  if (waves > 4) parts.push("daily and weekly rhythm fitted");
  else if (waves > 0) parts.push("daily rhythm fitted");
  return parts.join("; ");
}
