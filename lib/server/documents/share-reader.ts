import type { CloserReading, EffectReading, PinReading } from "#lib/charts/pin-reading.ts";
import type { SharedHead } from "#lib/charts/shared-document.ts";
import type { TimeWindow } from "#lib/charts/view-address.ts";

/**
 * Everything that one shared link can read, and nothing else: views are asked for by number, effects by how the texts name them,
 * and neither takes a node, or a time outside the pinned window. Reads go as an actor who sees the nodes of the investigation alone.
 */
export interface ShareReader {
  readonly head: SharedHead;
  /** How the texts refer to effects, as `readEffect` takes them. */
  readonly references: readonly string[];
  /** What a pinned view shows. Never throws; a number that is none of the investigation's says so. */
  readPin(number: number): Promise<PinReading>;
  /**
   * The points of a pinned chart within a part of its window, as fine as they are kept; undefined for a number that is none of
   * the investigation's. Never throws.
   */
  readCloser(number: number, part: TimeWindow): Promise<CloserReading | undefined>;
  /** What a mark did. Never throws; one that the texts do not refer to says so. */
  readEffect(reference: string): Promise<EffectReading>;
}
