import type { BandKey } from "#lib/domain/memory/bands.ts";

/** The colour of a band beside its name; unaccounted is hatched as it is in the stack. */
export function Swatch({ band }: { readonly band: BandKey }) {
  const background =
    band === "unacc"
      ? "repeating-linear-gradient(45deg, var(--band-unacc) 0 1.6px, var(--surface) 1.6px 3.6px)"
      : `var(--band-${band})`;
  return (
    <span
      aria-hidden="true"
      className="mr-1.5 inline-block size-[11px] flex-none align-[-1px]"
      style={{
        background,
        outline: band === "free" ? "1px solid var(--line-3)" : undefined,
        outlineOffset: -1,
      }}
    />
  );
}
