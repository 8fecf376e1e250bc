import type { VerdictText, VerdictTone } from "#lib/charts/verdict.ts";

/** The slope itself, so that a verdict does not rest on its colour. */
const GLYPHS: Readonly<Record<VerdictTone, string>> = {
  leaking: "M1 10 10 1.5",
  growing: "M1 8.5 10 4",
  flat: "M1 6h9",
  shrinking: "M1 3.5 10 9",
  unknown: "M1 6h2M4.7 6h1.8M8.2 6H10",
  ok: "M1 3 5 8.5h5",
};

const INKS: Readonly<Record<VerdictTone, string>> = {
  leaking: "text-leaking-ink",
  growing: "text-growing-ink",
  flat: "text-flat-ink",
  shrinking: "text-shrinking-ink",
  unknown: "text-unknown-ink",
  ok: "text-ok-ink",
};

/** Class of the words of a tone. */
export function toneInk(tone: VerdictTone): string {
  return INKS[tone];
}

/** A verdict: glyph, word and colour, always all three. */
export function Verdict({
  verdict,
  wrap = false,
}: {
  readonly verdict: VerdictText;
  readonly wrap?: boolean;
}) {
  const strong = verdict.tone === "flat" || verdict.tone === "unknown" ? "" : "font-medium";
  return (
    <span
      className={`inline-flex items-baseline gap-1.5 ${wrap ? "" : "whitespace-nowrap"} ${strong} ${INKS[verdict.tone]}`}
    >
      <svg viewBox="0 0 11 12" width="11" height="12" aria-hidden="true" className="flex-none self-center">
        <path
          d={GLYPHS[verdict.tone]}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.8"
          strokeLinecap="round"
        />
      </svg>
      {verdict.word}
    </span>
  );
}
