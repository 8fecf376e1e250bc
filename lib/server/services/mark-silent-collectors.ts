import { insertMachineMarks } from "#lib/server/data/machine-marks.ts";
import { endSilences, listSilentNodes } from "#lib/server/data/silences.ts";
import type { Context } from "./context.ts";

/** A node that is silent for longer has gone for good. */
const FORGOTTEN_AFTER_MS = 30 * 86_400_000;

/**
 * Marks each node that nothing was received of for `silentAfterMs`, once for each silence, and ends the mark when it
 * is heard of again.
 * @param input.upSinceMs since when this server has been able to receive: what nobody could deliver is no silence.
 */
export async function markSilentCollectors({
  ctx,
  input,
}: {
  ctx: Context;
  input: { silentAfterMs: number; upSinceMs: number };
}): Promise<{ silent: number; ended: number }> {
  const nowMs = ctx.now();
  const ended = await endSilences(ctx.db, { nowMs, atLeastMs: input.silentAfterMs });
  if (nowMs - input.upSinceMs < input.silentAfterMs) return { silent: 0, ended };
  const silences = await listSilentNodes(ctx.db, {
    beforeMs: nowMs - input.silentAfterMs,
    afterMs: nowMs - FORGOTTEN_AFTER_MS,
  });
  await insertMachineMarks(
    ctx.db.pool,
    silences.map(({ nodeId, lastAtMs }) => ({
      nodeId,
      atMs: lastAtMs,
      kind: "collector-silent",
      title: "Collector silent",
      text: "Nothing was received of this node for longer than it should be. The node may be down, cut off, or its collector stopped.",
      dedupeKey: `silent:${nodeId}:${lastAtMs}`,
    })),
    nowMs,
  );
  return { silent: silences.length, ended };
}
