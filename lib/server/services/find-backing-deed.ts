import { HOUR_MS } from "#lib/domain/analysis/boot-segments.ts";
import type { BackingDeed } from "#lib/domain/analysis/correlation-sentence.ts";
import { creationChange } from "#lib/domain/analysis/creation-change.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import type { Context } from "./context.ts";
import type { ContainerWindow } from "./read-container-window.ts";
import { listDeedsAround, settledMsOf, studyOnNode } from "./study-on-node.ts";

/** How far an effect is looked for on either side of a deed, as `getEffect` does by default. */
const SIDE_MS = 6 * HOUR_MS;
/** Each is an event study: the newest deeds that changed the rate of creation. */
const MOST_STUDIED = 3;

/** What growth does when containers are its cause. */
const BACKS = { fewer: ["stopped", "slowed"], more: ["started", "faster"] } as const;

/** A deed in the window, and what it did: memory stopped or slowed with containers, or began or hastened with them. */
export interface FoundDeed extends BackingDeed {
  readonly annotationId: number;
  readonly atMs: number;
}

/**
 * The newest deed in a window that changed how many containers are created and with that, in the same direction, the growth
 * of the metric: it turns a correlation into an experiment. `undefined` when there is none.
 */
export async function findBackingDeed(
  ctx: Context,
  { metric, node, boots, fromMs, toMs }: ContainerWindow,
): Promise<FoundDeed | undefined> {
  const options = { beforeMs: SIDE_MS, afterMs: SIDE_MS, nowMs: ctx.now() };
  const deeds = await listDeedsAround(ctx.db, { fromMs, toMs, nodeIds: [node.nodeId] }, options);
  const candidates = deeds
    .filter(({ atMs, nodeIds }) => atMs >= fromMs && atMs <= toMs && nodeIds.includes(node.nodeId))
    .flatMap((mark) => {
      const settledMs = settledMsOf(mark);
      const change = creationChange(boots, {
        beforeFromMs: mark.atMs - SIDE_MS,
        atMs: mark.atMs,
        settledMs,
        afterToMs: settledMs + SIDE_MS,
      });
      return change === undefined ? [] : [{ mark, change }];
    })
    .slice(-MOST_STUDIED);
  for (const { mark, change } of candidates.reverse()) {
    const { study } = await studyOnNode(ctx.db, { mark, node, metric, deeds, options });
    if (isInsufficient(study.effect)) continue;
    const { slopeVerdict: seen } = study.effect;
    const slopeVerdict = BACKS[change.direction].find((verdict) => verdict === seen);
    if (slopeVerdict !== undefined) {
      return { annotationId: mark.annotationId, atMs: mark.atMs, title: mark.title, change, slopeVerdict };
    }
  }
  return undefined;
}
