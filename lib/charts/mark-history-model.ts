import type { AnnotationFields, AnnotationHistory } from "#lib/contracts/annotation.ts";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import { formatCount } from "#lib/domain/memory/quantity.ts";
import { formatMoment } from "./format-time.ts";
import { scopeText } from "./mark-form.ts";

/** One field of a version: what stood before it, where that differs, and what stands. */
export interface FieldChange {
  readonly field: string;
  readonly before: string | undefined;
  readonly after: string;
}

/** One version of a mark as it is told. */
export interface HistoryRow {
  readonly key: number;
  readonly when: string;
  /** `changed by local`; texts do not reorder the line. */
  readonly what: string;
  readonly changes: readonly FieldChange[];
}

const FIELDS = ["at", "endsAt", "kind", "title", "text", "tags", "scope", "controls"] as const;
const NAMES: Readonly<Record<(typeof FIELDS)[number], string>> = {
  at: "when",
  endsAt: "until",
  kind: "kind",
  title: "what",
  text: "more",
  tags: "tags",
  scope: "where",
  controls: "compare",
};

/** The versions of a mark, newest first: the first with all that it said, each later one with what differs. */
export function historyRows(
  { versions }: AnnotationHistory,
  view: { zone: string; nowMs: number },
): HistoryRow[] {
  const moment = (atMs: number | null) =>
    atMs === null ? "none" : formatMoment(atMs, view.zone, view.nowMs);
  const nodes = (ids: readonly number[]) => formatCount(ids.length, "node");
  const said = (field: (typeof FIELDS)[number], mark: AnnotationFields): string => {
    switch (field) {
      case "at":
      case "endsAt":
        return moment(mark[field]);
      case "scope":
        return `${scopeText(mark.scope)} (${nodes(mark.nodeIds)})`;
      case "controls":
        return typeof mark.controls === "string"
          ? { auto: "others left alone", none: "none" }[mark.controls]
          : `${scopeText(mark.controls)} (${nodes(mark.controlNodeIds)})`;
      case "tags":
        return mark.tags.length === 0 ? "none" : mark.tags.map(isolatedText).join(", ");
      default:
        return isolatedText(mark[field] ?? "none");
    }
  };
  return versions
    .map((version, index): HistoryRow => {
      const before = versions[index - 1]?.mark;
      const shown = before
        ? FIELDS.filter((field) => said(field, before) !== said(field, version.mark))
        : FIELDS.filter((field) => field === "at" || said(field, version.mark) !== "none");
      return {
        key: index,
        when: moment(version.at),
        what: `${version.action} by ${isolatedText(version.by)}`,
        changes:
          version.action === "deleted"
            ? []
            : shown.map((field) => ({
                field: NAMES[field],
                before: before && said(field, before),
                after: said(field, version.mark),
              })),
      };
    })
    .reverse();
}
