"use client";

import { ForRole, useWritingKeys } from "../account/access.tsx";
import { Button } from "../ui/button.tsx";
import { offerPin } from "./pin-offer.ts";
import type { PinOffer } from "./pin-offer.ts";

/** Pins what the page shows first, by its button or by `i`. */
export function PinButton({ offer }: { readonly offer: () => PinOffer }) {
  useWritingKeys("Pinning", { i: () => offerPin(offer()) });
  return (
    <ForRole least="investigator">
      <Button onClick={() => offerPin(offer())} title="Pin this view to an investigation">
        Pin <kbd className="text-ink-3 max-md:hidden">i</kbd>
      </Button>
    </ForRole>
  );
}

/** Pins a part of the page. */
export function PinLink({ offer, about }: { readonly offer: () => PinOffer; readonly about: string }) {
  return (
    <ForRole least="investigator">
      <button
        type="button"
        aria-label={`Pin to an investigation: ${about}`}
        className="min-h-6 px-0.5 text-accent-ink hover:underline"
        onClick={() => offerPin(offer())}
      >
        Pin
      </button>
    </ForRole>
  );
}

/** Pins a page whose address says all that it shows. */
export function PinPage({
  kind,
  caption,
  suggestion,
}: {
  readonly kind: PinOffer["kind"];
  readonly caption: string;
  readonly suggestion: string;
}) {
  return (
    <PinButton
      offer={() => {
        const { pathname, search } = window.location;
        return { kind, address: `${pathname}${search}`, caption, nodeIds: [], suggestion };
      }}
    />
  );
}
