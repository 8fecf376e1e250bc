import { visibleBands } from "#lib/charts/composition-model.ts";
import type { CompositionModel } from "#lib/charts/composition-model.ts";
import { flagText } from "#lib/charts/marks-model.ts";
import type { Mark } from "#lib/charts/marks-model.ts";
import { formatCount } from "#lib/domain/memory/quantity.ts";
import { Swatch } from "../charts/swatch.tsx";
import { Verdict } from "../ui/verdict.tsx";

const MOST_MARKS = 12;

/** What the colours and the numbers of a chart are, for a screen on which it has no room to say so itself. */
export function ChartKey({
  model,
  marks,
  zone,
}: {
  readonly model: CompositionModel;
  readonly marks: readonly Mark[];
  readonly zone: string;
}) {
  return (
    <div className="grid gap-1 pb-1 text-sm md:hidden print:hidden">
      <ul aria-label="Colours" className="flex flex-wrap gap-x-3 text-ink-2">
        {visibleBands(model).map(({ key, label }) => (
          <li key={key}>
            <Swatch band={key} />
            {label}
          </li>
        ))}
        <li>line: {model.lineName}</li>
      </ul>
      {marks.length === 0 ? null : (
        <ol aria-label="Marks" className="grid gap-0.5 [overflow-wrap:anywhere]">
          {marks.slice(0, MOST_MARKS).map((mark) => (
            <li key={mark.annotation.annotationId}>
              <span className="text-ink-2">{flagText(mark, zone).when}</span> {mark.title}{" "}
              {mark.verdict ? <Verdict verdict={mark.verdict} wrap /> : null}
            </li>
          ))}
          {marks.length > MOST_MARKS ? (
            <li className="text-ink-2">and {formatCount(marks.length - MOST_MARKS, "mark")} more</li>
          ) : null}
        </ol>
      )}
    </div>
  );
}
