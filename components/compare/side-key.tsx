/** How the lines of both sides are drawn: A dashed and quiet, B whole, so that they do not rest on a colour. */
export const SIDE_STROKES = {
  a: { stroke: "var(--ink-2)", dash: "5 3" },
  b: { stroke: "var(--accent)", dash: "none" },
} as const;

/** The line of a side beside its name. */
export function SideKey({ side }: { readonly side: "a" | "b" }) {
  const { stroke, dash } = SIDE_STROKES[side];
  return (
    <svg width="20" height="10" aria-hidden="true" className="flex-none">
      <path d="M1 5h18" stroke={stroke} strokeWidth="2" strokeDasharray={dash} />
    </svg>
  );
}
