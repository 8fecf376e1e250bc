import type { Explanation } from "#lib/domain/diagnosis/explain.ts";
import { ScrollTable } from "../ui/scroll-table.tsx";

const SHOWN = 30;

function lines(fromLine: number, toLine: number): string {
  return fromLine === toLine ? `${fromLine}` : `${fromLine}–${toLine}`;
}

/** What was recognised in a text and in which lines, what was cut off, what is assumed, and what was not understood. */
export function RecognisedList({ explanation }: { readonly explanation: Explanation }) {
  const { recognised, unrecognised, warnings } = explanation;
  const unread = unrecognised.slice(0, 12);
  return (
    <>
      <ScrollTable label="What was recognised" heads={["what", "lines", "to know"]}>
        {recognised.slice(0, SHOWN).map((each, index) => {
          const notes = [
            ...(each.truncated ? ["cut off"] : []),
            ...[each.label, each.at].filter((text) => text !== undefined),
            ...each.warnings,
          ];
          return (
            <tr key={index} className={each.truncated ? "text-growing-ink" : ""}>
              <th scope="row" className={each.truncated ? "!text-growing-ink" : ""}>
                {each.kind}
              </th>
              <td className="whitespace-nowrap">{lines(each.fromLine, each.toLine)}</td>
              <td className="[overflow-wrap:anywhere]">
                <bdi>{notes.join(". ")}</bdi>
              </td>
            </tr>
          );
        })}
        {recognised.length > SHOWN ? (
          <tr>
            <th scope="row" colSpan={3}>
              and {recognised.length - SHOWN} more
            </th>
          </tr>
        ) : null}
        {unrecognised.length > 0 ? (
          <tr className="text-ink-2">
            <th scope="row" className="!text-ink-2">
              not understood
            </th>
            <td colSpan={2}>
              lines {unread.map(({ fromLine, toLine }) => lines(fromLine, toLine)).join(", ")}
              {unrecognised.length > unread.length ? ` and ${unrecognised.length - unread.length} more` : ""}
            </td>
          </tr>
        ) : null}
      </ScrollTable>
      {warnings.map((warning) => (
        <p key={warning} className="mt-1 text-sm text-growing-ink">
          {warning}
        </p>
      ))}
    </>
  );
}
