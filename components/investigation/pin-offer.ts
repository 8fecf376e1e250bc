import type { PinKind } from "#lib/contracts/investigation.ts";

/** A view that a page offers to be pinned. */
export interface PinOffer {
  readonly kind: PinKind;
  /** As it is shown now; what follows the clock becomes a moment when it is pinned. */
  readonly address: string;
  /** The text of a dump, which has no address. */
  readonly content?: string;
  readonly caption: string;
  /** The nodes of a new investigation that begins with it; none means all. */
  readonly nodeIds: readonly number[];
  /** The title of such an investigation, to be changed. */
  readonly suggestion: string;
}

let listener: ((offer: PinOffer) => void) | undefined;

/** Hands a view to the desk of the page, which pins it. */
export function offerPin(offer: PinOffer): void {
  listener?.(offer);
}

/** The one desk of a page. @returns what takes it away again. */
export function listenForPins(hear: (offer: PinOffer) => void): () => void {
  listener = hear;
  return () => {
    if (listener === hear) listener = undefined;
  };
}
