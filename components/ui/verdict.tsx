import { VERDICT_GLYPHS } from "#lib/charts/verdict.ts";
import type { VerdictText, VerdictTone } from "#lib/charts/verdict.ts";

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
          d={VERDICT_GLYPHS[verdict.tone]}
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
