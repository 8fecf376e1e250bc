import { anyOf, changedSlope, gaveBack, grows, movesWith, type Sign } from "./sign.ts";

/** Kernel memory as a whole, from whichever total is known: Plumbline's own, or Noncache of `smem -w`. */
const TOTALS = ["total.kernelUnreclaimable", "total.kernelNoncache"] as const;

function ofEither(sign: (name: string) => Sign): Sign {
  return anyOf(...TOTALS.map(sign));
}

/** Kernel memory grows. */
export const kernelGrows = ofEither(grows);

/** Kernel memory grows when containers are started. */
export const kernelMovesWithContainers = ofEither((name) => movesWith(name, "containers.started", 0.5));

/** What an intervention did to the growth of kernel memory. */
export function kernelSlopeAfter(kind: string, verdict: "stopped" | "unchanged"): Sign {
  return ofEither((name) => changedSlope(kind, name, verdict));
}

/** What an intervention gave back of kernel memory. */
export function kernelGaveBack(kinds: readonly string[], bounds: { least?: number; most?: number }): Sign {
  return ofEither((name) => gaveBack(kinds, name, bounds));
}
