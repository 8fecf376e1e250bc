import { poolEstimates } from "#lib/domain/statistics/difference-in-differences.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import type { NodeEstimate } from "#lib/domain/statistics/random-effects.ts";
import type { Effect, EffectScale, EffectSide } from "./event-study.ts";
import { judgeEffect } from "./event-study.ts";

/**
 * The effect of one mark on several nodes as one: means of slopes and of changes over the nodes, which differ by more than
 * their own intervals say, with verdicts by the rules of a single node. The sides reach from the first point of any node to
 * the last, and count the points of all.
 *
 * `undefined` with fewer than two nodes that have an estimate on both sides. `scale` is that of a usual node.
 */
export function poolEffects(
  effects: readonly Effect[],
  scale: Omit<EffectScale, "grewMs">,
): Effect | undefined {
  const whole = effects.flatMap((effect) => {
    const { before, after, slopeChange, levelChange } = effect;
    return before.slope === undefined ||
      after.slope === undefined ||
      slopeChange === undefined ||
      levelChange === undefined
      ? []
      : [{ effect, before: before.slope, after: after.slope, slopeChange, levelChange }];
  });
  const [first] = whole;
  if (first === undefined) return undefined;
  const before = pooled(whole.map((each) => slopeOf(each.before)));
  const after = pooled(whole.map((each) => slopeOf(each.after)));
  const change = pooled(
    whole.map(({ slopeChange }) => ({
      value: slopeChange.perHour,
      standardError: slopeChange.standardError,
    })),
  );
  const level = pooled(whole.map(({ levelChange }) => levelChange));
  if (before === undefined || after === undefined || change === undefined || level === undefined) {
    return undefined;
  }
  const sides = whole.map(({ effect }) => effect);
  const sideBefore = joined(
    sides.map((each) => each.before),
    before,
  );
  const grewMs = (sideBefore.toMs ?? 0) - (sideBefore.fromMs ?? 0);
  const { slopeVerdict, levelVerdict } = judgeEffect({ before, after, change, level }, { ...scale, grewMs });
  return {
    kind: "effect",
    atMs: first.effect.atMs,
    method: `mean over ${whole.length} nodes that differ (Paule-Mandel, Hartung-Knapp), each by ${first.effect.method}`,
    before: sideBefore,
    after: joined(
      sides.map((each) => each.after),
      after,
    ),
    slopeChange: { perHour: change.value, ci95: change.ci95, standardError: change.standardError },
    levelChange: level,
    slopeVerdict,
    levelVerdict,
    enoughAtMs: undefined,
    acrossReboot: sides.some(({ acrossReboot }) => acrossReboot),
    inWarmUp: sides.some(({ inWarmUp }) => inWarmUp),
  };
}

interface Pooled extends NodeEstimate {
  readonly ci95: readonly [number, number];
}

function slopeOf({ slopePerHour, standardError }: NonNullable<EffectSide["slope"]>): NodeEstimate {
  return { value: slopePerHour, standardError };
}

function pooled(estimates: readonly NodeEstimate[]): Pooled | undefined {
  const result = poolEstimates(estimates);
  if (isInsufficient(result)) return undefined;
  return { value: result.value, ci95: result.ci95, standardError: result.standardError };
}

function joined(sides: readonly EffectSide[], slope: Pooled): EffectSide {
  const from = sides.flatMap(({ fromMs }) => (fromMs === undefined ? [] : [fromMs]));
  const to = sides.flatMap(({ toMs }) => (toMs === undefined ? [] : [toMs]));
  return {
    fromMs: from.length === 0 ? undefined : Math.min(...from),
    toMs: to.length === 0 ? undefined : Math.max(...to),
    n: sides.reduce((sum, { n }) => sum + n, 0),
    slope: { slopePerHour: slope.value, ci95: slope.ci95, standardError: slope.standardError },
  };
}
