import type { CompositionSeries } from "#lib/contracts/series.ts";
import { BANDS } from "#lib/domain/memory/bands.ts";
import type { Composition, CompositionNote } from "#lib/domain/memory/composition.ts";
import { describeNote } from "#lib/domain/memory/composition-notes.ts";
import { readSeries, type SeriesRequest } from "#lib/server/data/series.ts";
import type { Context } from "./context.ts";
import { describeAxis } from "./describe-axis.ts";
import { findVisibleNode } from "./find-visible-node.ts";
import { COMPOSITION_COLUMNS, composeFrame } from "./metric-columns.ts";

/**
 * How the memory of a node was composed over a window. Each point composes the bucket means of the raw counters, so its
 * bands add up to its total. A point without MemFree has no composition: null in every band.
 * @throws AppError `not_found`.
 */
export async function getComposition({
  ctx,
  input,
}: {
  ctx: Context;
  input: SeriesRequest;
}): Promise<CompositionSeries> {
  const [node, frame] = await Promise.all([
    findVisibleNode(ctx, input.nodeId),
    readSeries(ctx.db, { ...input, columns: COMPOSITION_COLUMNS }),
  ]);
  const points = composeFrame(frame, node.kernelRelease);
  const values = (pick: (composition: Composition) => number | undefined) =>
    points.map((composition) => (composition === undefined ? null : (pick(composition) ?? null)));
  return {
    ...describeAxis(frame, input),
    bands: BANDS.map(({ key, label }) => {
      const valuesKib = values(({ bands }) => bands[key]);
      return { key, label, valuesKib, reported: valuesKib.some((value) => value !== null) };
    }),
    totalKib: values(({ totalKib }) => totalKib),
    kernelNoncacheKib: values(({ kernelNoncacheKib }) => kernelNoncacheKib),
    kernelUnreclaimableKib: values(({ kernelUnreclaimableKib }) => kernelUnreclaimableKib),
    notes: worstNotes(points).map(describeNote),
  };
}

/** One note of each kind: the newest, since the page shows how things stand; of a negative remainder, the deepest. */
function worstNotes(points: readonly (Composition | undefined)[]): CompositionNote[] {
  const notes = new Map<string, CompositionNote>();
  for (const note of points.flatMap((composition) => composition?.notes ?? [])) {
    const known = notes.get(note.kind);
    const deeper =
      known?.kind !== "unaccounted-negative" ||
      (note.kind === "unaccounted-negative" && note.shareOfTotal < known.shareOfTotal);
    if (deeper) notes.set(note.kind, note);
  }
  return [...notes.values()];
}
