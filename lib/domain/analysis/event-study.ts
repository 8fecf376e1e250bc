import type { Insufficient } from "#lib/domain/statistics/insufficient.ts";
import { insufficient, isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import { linearCombination } from "#lib/domain/statistics/linear-combination.ts";
import type { AutoregressiveFit, DesignSegment } from "#lib/domain/statistics/prais-winsten.ts";
import { praisWinsten } from "#lib/domain/statistics/prais-winsten.ts";
import type { Segment } from "#lib/domain/statistics/series.ts";
import { presentPoints, sliceSegment, usualStepMs } from "#lib/domain/statistics/series.ts";
import { tQuantile } from "#lib/domain/statistics/t-distribution.ts";
import type { BootSegment } from "./boot-segments.ts";
import { bootedAt, HOUR_MS, spanMs, usableBoots, WARM_UP_MS } from "./boot-segments.ts";
import { materialSlopeKibPerHour } from "../memory/materiality.ts";
import type { Interval, LevelVerdict, Slope, SlopeVerdict } from "./vocabulary.ts";

/**
 * Least data on either side of a mark. An hour of means of five minutes has eleven whole ones after the first, which may hold both
 * sides, and one may be lost.
 */
export const EFFECT_MINIMUM = { points: 12, pointsAfter: 10, spanMs: 5 * 60_000 } as const;

const MAX_POINTS = 3000;
const MIB_IN_KIB = 1024;

export interface EffectInput {
  /** The node's boots around the mark, in order of time. */
  readonly segments: readonly BootSegment[];
  /** When the intervention began. */
  readonly atMs: number;
  /** When it was over, for one that took time; what lies between belongs to neither side. */
  readonly endsAtMs?: number | undefined;
  /** How far to look to either side. */
  readonly beforeMs: number;
  readonly afterMs: number;
  /** Times of the other interventions on this node; windows stop at the nearest. */
  readonly neighboursMs: readonly number[];
  /** Up to when data can have arrived. */
  readonly nowMs: number;
  readonly memTotalKib: number;
  /** Least slope that counts, per hour in the unit of the values; needed for anything that is not KiB. */
  readonly materialPerHour?: number | undefined;
  /** Least change of level that counts, in the unit of the values; needed for anything that is not KiB. */
  readonly materialLevel?: number | undefined;
  /**
   * Slope that *unchanged* is measured against where the one before the mark is smaller: the leak under investigation. Once
   * a leak has stopped, a restart that does nothing has no slope of its own to be a quarter of.
   */
  readonly referenceSlopePerHour?: number | undefined;
}

/** One side of a mark. */
export interface EffectSide {
  /** First and last point used; `undefined` when there is none. */
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  readonly n: number;
  /** `undefined` while there is too little data. */
  readonly slope: (Slope & { readonly standardError: number }) | undefined;
}

/** Too little before a mark; what there is on either side of it stands beside. */
export interface EffectInsufficient extends Insufficient {
  readonly before: EffectSide;
  readonly after: EffectSide;
}

/** What changed at a mark. Numbers unrounded, in the unit of the values. */
export interface Effect {
  readonly kind: "effect";
  readonly atMs: number;
  readonly method: string;
  readonly before: EffectSide;
  readonly after: EffectSide;
  readonly slopeChange:
    { readonly perHour: number; readonly ci95: Interval; readonly standardError: number } | undefined;
  readonly levelChange:
    { readonly value: number; readonly ci95: Interval; readonly standardError: number } | undefined;
  readonly slopeVerdict: SlopeVerdict;
  readonly levelVerdict: LevelVerdict;
  /** With *too-early*, and with *inconclusive* while the window is open: when there should be enough. */
  readonly enoughAtMs: number | undefined;
  /** The next mark or reboot ended the window after the mark before its time. */
  readonly cutShort?: boolean;
  /** The node rebooted at the mark: the two sides are different boots. */
  readonly acrossReboot: boolean;
  /** The node was so young that its first 2 h had to be used: what it starts anyway may be part of this. */
  readonly inWarmUp: boolean;
}

/**
 * Slope and level before and after a mark: segmented regression with a change of both, errors AR(1) (Prais-Winsten).
 *
 * Windows reach `beforeMs` and `afterMs` from the mark and stop at the nearest other mark and at the nearest reboot; the
 * first 2 h of a boot are left out unless nothing else is there (then `inWarmUp`), and so is the first step after the mark, a bucket that holds both sides. Where the mark is
 * itself a reboot, the sides are two boots and the change of level is what the reboot gave back.
 *
 * Slope, first that holds; "tolerance" is 25 % of the slope before (or of the reference, if larger), at least the material
 * slope:
 * - *unchanged*: the interval of the change lies within the tolerance.
 * - *stopped*: the slope before is above 0, the interval after holds 0 (or a slope too small to count) or
 *   lies below it, and its upper end is under 20 % of the slope before.
 * - *slowed*: the slope before is above 0, and the whole interval of the change at or below minus the material slope.
 * - *faster*: the interval of the change lies at or above the material slope, that of the slope before above 0.
 * - *started*: the interval of the change lies at or above the material slope and that of the slope after above 0, that of the
 *   slope before does not.
 * - *inconclusive*: none of these. *too-early*: fewer than 10 points or under 5 min after the mark, and more can come.
 *
 * Level, first that holds; its tolerance is the greatest of 16 MiB, 0.05 % of MemTotal, and 5 % of what grew in the window
 * before: *none*: interval within the tolerance; *freed*: below 0; *added*: above 0; else *inconclusive*.
 *
 * Misleads: where a daily wave turns at the mark (compare with control nodes), where the effect comes slowly, and in that two
 * things done at once are one mark. {@link EffectInsufficient} when there is too little before the mark, for that does not come.
 */
export function studyEffect(input: EffectInput): Effect | EffectInsufficient {
  const settled = sidesOf(input, WARM_UP_MS);
  const young =
    isEnough(settled.before, EFFECT_MINIMUM.points) || settled.acrossReboot ? settled : sidesOf(input, 0);
  const inWarmUp = young.before.timesMs.length > settled.before.timesMs.length;
  const { before, after, stepMs, window, acrossReboot } = inWarmUp ? young : settled;
  if (!isEnough(before, EFFECT_MINIMUM.points)) {
    const missing =
      before.timesMs.length < EFFECT_MINIMUM.points
        ? insufficient("points before the mark", EFFECT_MINIMUM.points, before.timesMs.length)
        : insufficient(
            "minutes of data before the mark",
            EFFECT_MINIMUM.spanMs / 60_000,
            spanMs(before) / 60_000,
          );
    return { ...missing, before: side(before, undefined), after: side(after, undefined) };
  }
  const open = window.toMs > input.nowMs;
  const cutShort = window.toMs < Math.max(input.atMs, input.endsAtMs ?? input.atMs) + input.afterMs;
  const shared = { kind: "effect", atMs: input.atMs, acrossReboot, inWarmUp, cutShort } as const;
  const method = "segmented regression with a change of level and slope, AR(1) errors (Prais-Winsten)";
  const fit = isEnough(after, EFFECT_MINIMUM.pointsAfter)
    ? praisWinsten(design(before, after, input.atMs, acrossReboot))
    : undefined;
  if (fit === undefined || isInsufficient(fit)) {
    const suffices =
      window.afterFromMs + Math.max(EFFECT_MINIMUM.spanMs, EFFECT_MINIMUM.pointsAfter * stepMs);
    const canCome = open && suffices <= window.toMs;
    return {
      ...shared,
      method,
      before: side(before, undefined),
      after: side(after, undefined),
      slopeChange: undefined,
      levelChange: undefined,
      slopeVerdict: canCome ? "too-early" : "inconclusive",
      levelVerdict: "inconclusive",
      enoughAtMs: canCome ? Math.max(suffices, input.nowMs + stepMs) : undefined,
    };
  }
  const t = tQuantile(0.975, fit.degreesOfFreedom);
  const slopeBefore = estimate(fit, [0, 1, 0, 0], t);
  const slopeAfter = estimate(fit, [0, 1, 0, 1], t);
  const slopeChange = estimate(fit, [0, 0, 0, 1], t);
  const levelChange = estimate(fit, [0, 0, 1, 0], t);

  const { tolerance, slopeVerdict, levelVerdict } = judgeEffect(
    { before: slopeBefore, after: slopeAfter, change: slopeChange, level: levelChange },
    { ...input, grewMs: spanMs(before) },
  );
  return {
    ...shared,
    method,
    before: side(before, slopeBefore),
    after: side(after, slopeAfter),
    slopeChange: {
      perHour: slopeChange.value,
      ci95: slopeChange.ci95,
      standardError: slopeChange.standardError,
    },
    levelChange,
    slopeVerdict,
    levelVerdict,
    enoughAtMs:
      open && slopeVerdict === "inconclusive"
        ? whenNarrowEnough(
            after,
            { before: slopeBefore.standardError, after: slopeAfter.standardError },
            tolerance / 2 / t,
            window.toMs,
          )
        : undefined,
  };
}

function isEnough(segment: Segment, points: number): boolean {
  return segment.timesMs.length >= points && spanMs(segment) >= EFFECT_MINIMUM.spanMs;
}

interface Sides {
  readonly before: Segment;
  readonly after: Segment;
  readonly stepMs: number;
  /** `afterFromMs`: from when points count as after. `toMs`: where the window after the mark ends. */
  readonly window: { readonly afterFromMs: number; readonly toMs: number };
  readonly acrossReboot: boolean;
}

function sidesOf(input: EffectInput, warmUpMs: number): Sides {
  const { segments, atMs, beforeMs, afterMs, neighboursMs } = input;
  const settledMs = Math.max(atMs, input.endsAtMs ?? atMs);
  const fromMs = Math.max(atMs - beforeMs, ...neighboursMs.filter((timeMs) => timeMs < atMs));
  const nextMs = Math.min(settledMs + afterMs, ...neighboursMs.filter((timeMs) => timeMs > settledMs));
  const windowed = segments.map((segment) => {
    const points = sliceSegment(presentPoints(segment), fromMs, nextMs);
    return { ...segment, timesMs: [...points.timesMs], values: [...points.values] };
  });
  const usable = usableBoots(
    windowed.map((boot, index) => ({
      ...boot,
      // Before its series was cut to a window.
      bootedAtMs: bootedAt(segments[index] ?? boot, index),
    })),
    MAX_POINTS,
    warmUpMs,
  );
  const ownBefore = windowed.findLastIndex(({ timesMs }) => (timesMs[0] ?? Infinity) < atMs);
  const ownAfter = windowed.findIndex(({ timesMs }) => (timesMs.at(-1) ?? -Infinity) >= settledMs);
  const empty: Segment = { timesMs: new Float64Array(0), values: new Float64Array(0) };
  const bootBefore = usable[ownBefore]?.segment ?? empty;
  const bootAfter = usable[ownAfter]?.segment ?? empty;
  const stepMs = usualStepMs([bootBefore, bootAfter]) ?? 0;
  const rebootMs = windowed[ownAfter + 1]?.timesMs[0] ?? Infinity;
  const youngUntilMs = ownAfter > ownBefore ? (bootAfter.timesMs[0] ?? settledMs) : settledMs;
  return {
    before: sliceSegment(bootBefore, fromMs, atMs),
    after: sliceSegment(bootAfter, settledMs + stepMs, nextMs),
    stepMs,
    window: {
      afterFromMs: Math.max(settledMs + stepMs, youngUntilMs),
      toMs: ownAfter < 0 ? nextMs : Math.min(nextMs, rebootMs),
    },
    acrossReboot: ownBefore >= 0 && ownAfter > ownBefore,
  };
}

function design(before: Segment, after: Segment, atMs: number, acrossReboot: boolean): DesignSegment[] {
  const columns = (timesMs: Float64Array) => {
    const hours = timesMs.map((timeMs) => (timeMs - atMs) / HOUR_MS);
    const isAfter = timesMs.map((timeMs) => (timeMs >= atMs ? 1 : 0));
    return [
      new Float64Array(timesMs.length).fill(1),
      hours,
      isAfter,
      hours.map((hour, i) => hour * (isAfter[i] ?? 0)),
    ];
  };
  if (acrossReboot) return [before, after].map((each) => ({ ...each, columns: columns(each.timesMs) }));
  const timesMs = Float64Array.from([...before.timesMs, ...after.timesMs]);
  return [
    { timesMs, values: Float64Array.from([...before.values, ...after.values]), columns: columns(timesMs) },
  ];
}

interface Estimate {
  readonly value: number;
  readonly ci95: Interval;
  readonly standardError: number;
}

/** What verdicts are measured by: `EffectInput` says what each is; `grewMs` is how long the window before the mark is. */
export interface EffectScale extends Pick<
  EffectInput,
  "memTotalKib" | "materialPerHour" | "materialLevel" | "referenceSlopePerHour"
> {
  readonly grewMs: number;
}

/** The verdicts on four estimates, by the rules of {@link studyEffect}, and the tolerance of *unchanged*. */
export function judgeEffect(
  {
    before,
    after,
    change,
    level,
  }: Readonly<Record<"before" | "after" | "change" | "level", Pick<Estimate, "value" | "ci95">>>,
  scale: EffectScale,
): { tolerance: number; slopeVerdict: SlopeVerdict; levelVerdict: LevelVerdict } {
  const material = scale.materialPerHour ?? materialSlopeKibPerHour(scale.memTotalKib);
  const reference = Math.max(Math.abs(before.value), scale.referenceSlopePerHour ?? 0);
  const tolerance = Math.max(0.25 * reference, material);
  const levelTolerance = Math.max(
    scale.materialLevel ?? Math.max(16 * MIB_IN_KIB, 0.0005 * scale.memTotalKib),
    (0.05 * Math.max(0, before.value) * scale.grewMs) / HOUR_MS,
  );
  return {
    tolerance,
    slopeVerdict: slopeVerdictOf(before, after, change, tolerance, material),
    levelVerdict: levelVerdictOf(level.ci95, levelTolerance),
  };
}

/** A linear combination of the coefficients. */
function estimate(fit: AutoregressiveFit, weights: readonly number[], t: number): Estimate {
  const { value, standardError } = linearCombination(fit, weights);
  return { value, standardError, ci95: [value - t * standardError, value + t * standardError] };
}

function side({ timesMs }: Segment, slope: Estimate | undefined): EffectSide {
  return {
    fromMs: timesMs[0],
    toMs: timesMs.at(-1),
    n: timesMs.length,
    slope:
      slope === undefined
        ? undefined
        : { slopePerHour: slope.value, ci95: slope.ci95, standardError: slope.standardError },
  };
}

function slopeVerdictOf(
  before: Pick<Estimate, "value" | "ci95">,
  after: Pick<Estimate, "ci95">,
  change: Pick<Estimate, "ci95">,
  tolerance: number,
  material: number,
): SlopeVerdict {
  if (change.ci95[0] >= -tolerance && change.ci95[1] <= tolerance) return "unchanged";
  const grewBefore = before.ci95[0] > 0;
  if (grewBefore && after.ci95[0] <= material && after.ci95[1] < 0.2 * before.value) return "stopped";
  if (grewBefore && change.ci95[1] <= -material) return "slowed";
  if (change.ci95[0] >= material && grewBefore) return "faster";
  if (change.ci95[0] >= material && after.ci95[0] > 0) return "started";
  return "inconclusive";
}

function levelVerdictOf(ci95: Interval, tolerance: number): LevelVerdict {
  if (ci95[0] >= -tolerance && ci95[1] <= tolerance) return "none";
  if (ci95[1] < 0) return "freed";
  if (ci95[0] > 0) return "added";
  return "inconclusive";
}

/**
 * When the interval of the change should be half as wide as the tolerance on either side. Only what is measured after the mark
 * gets surer with time: its standard error shrinks with the span to the power 3/2, that of the slope before stays.
 * `undefined` when no wait will do, or none within the window.
 *
 * @param errors standard errors of the two slopes
 * @param wanted standard error of the change that would do
 */
function whenNarrowEnough(
  after: Segment,
  errors: { readonly before: number; readonly after: number },
  wanted: number,
  windowToMs: number,
): number | undefined {
  const leftForAfter = wanted ** 2 - errors.before ** 2;
  if (leftForAfter <= 0) return undefined;
  const neededMs = spanMs(after) * Math.max(1.1, (errors.after ** 2 / leftForAfter) ** (1 / 3));
  const atMs = (after.timesMs[0] ?? 0) + neededMs;
  return atMs <= windowToMs ? atMs : undefined;
}
