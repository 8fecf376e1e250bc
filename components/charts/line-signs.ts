import type { LaneSeries } from "#lib/charts/lane-model.ts";

/** How a line of each tone is drawn, and the sign that stands for it in words. */
export const LINE_SIGNS: Readonly<
  Record<LaneSeries["tone"], { readonly sign: string; readonly stroke: string; readonly dash: string }>
> = {
  ink: { sign: "\u2014", stroke: "var(--ink)", dash: "none" },
  quiet: { sign: "\u2014", stroke: "var(--ink-3)", dash: "none" },
  dashed: { sign: "- -", stroke: "var(--ink-2)", dash: "5 3" },
};
