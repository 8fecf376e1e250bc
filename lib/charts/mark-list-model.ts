import type { Annotation } from "#lib/contracts/annotation.ts";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import { formatDuration, formatNumber } from "./format.ts";
import { formatMoment } from "./format-time.ts";
import { scopeText } from "./mark-form.ts";

/** A mark as a line of the list. Texts do not reorder what stands around them. */
export interface MarkRow {
  readonly mark: Annotation;
  readonly when: string;
  /** `for 55 min`; empty for a moment. */
  readonly length: string;
  readonly title: string;
  readonly text: string;
  readonly author: string;
  readonly tags: readonly string[];
  /** The scope as written, and the nodes that it meant. */
  readonly where: string;
  /** The page of the first node, around the mark; undefined where it meant none. */
  readonly href: string | undefined;
  /** When it was taken away; empty while it stands. */
  readonly gone: string;
  /** Marks of the machine are records. */
  readonly isEditable: boolean;
}

const AROUND_MS = 6 * 3_600_000;
const NAMES = 3;

/** Marks as lines, in the order given. `nameOf` names a node; undefined for one that is not there any more. */
export function markRows(
  marks: readonly Annotation[],
  nameOf: (nodeId: number) => string | undefined,
  view: { zone: string; nowMs: number },
): MarkRow[] {
  return marks.map((mark) => {
    const { at, endsAt, nodeIds, deletedAt } = mark;
    const names = nodeIds.slice(0, NAMES).map((nodeId) => isolatedText(nameOf(nodeId) ?? `#${nodeId}`));
    const more = nodeIds.length > NAMES ? ` and ${formatNumber(nodeIds.length - NAMES)} more` : "";
    const [first] = nodeIds;
    const said = names.length > 0 ? `${names.join(", ")}${more}` : "";
    const isByName = mark.scope.nodes !== undefined && said !== "";
    return {
      mark,
      when: formatMoment(at, view.zone, view.nowMs),
      length: endsAt === null || endsAt - at < 500 ? "" : `for ${formatDuration(endsAt - at)}`,
      title: isolatedText(mark.title),
      text: isolatedText(mark.text ?? ""),
      author: isolatedText(mark.author),
      tags: mark.tags.map(isolatedText),
      where: isByName ? said : [scopeText(mark.scope), said].filter(Boolean).join(": "),
      href:
        first === undefined
          ? undefined
          : `/nodes/${first}?from=${at - AROUND_MS}&to=${(endsAt ?? at) + AROUND_MS}`,
      gone: deletedAt === null ? "" : `taken away ${formatMoment(deletedAt, view.zone, view.nowMs)}`,
      isEditable: mark.madeBy !== "machine" && deletedAt === null,
    };
  });
}
