import type { BandKey } from "#lib/domain/memory/bands.ts";

/** The fill of a band as CSS; unaccounted is hatched as it is in the stack. */
export function bandFill(band: BandKey): string {
  return band === "unacc"
    ? "repeating-linear-gradient(45deg, var(--band-unacc) 0 1.6px, var(--surface) 1.6px 3.6px)"
    : `var(--band-${band})`;
}

/** The colour of a band beside its name. */
export function Swatch({ band }: { readonly band: BandKey }) {
  return (
    <span
      aria-hidden="true"
      className="mr-1.5 inline-block size-[11px] flex-none align-[-1px]"
      style={{
        background: bandFill(band),
        outline: band === "free" ? "1px solid var(--line-3)" : undefined,
        outlineOffset: -1,
      }}
    />
  );
}
