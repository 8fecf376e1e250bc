import { formatMoment } from "#lib/charts/format-time.ts";
import { effectRows } from "#lib/charts/marks-model.ts";
import type { Mark } from "#lib/charts/marks-model.ts";
import { toneInk } from "../ui/verdict.tsx";

/** What a mark did, in three lines, shown at its flag. */
export function EffectCard({
  mark,
  zone,
  nowMs,
}: {
  readonly mark: Mark;
  readonly zone: string;
  readonly nowMs: number;
}) {
  const [row] = effectRows([mark], { zone, nowMs });
  const { annotation } = mark;
  const until = annotation.endsAt === null ? "" : ` to ${formatMoment(annotation.endsAt, zone, nowMs)}`;
  return (
    <>
      <span className="block [overflow-wrap:anywhere]">
        <b>
          {mark.number} {mark.title}
        </b>{" "}
        <span className="text-ink-2">
          {formatMoment(annotation.at, zone, nowMs)}
          {until}, {mark.author}
        </span>
      </span>
      {mark.text ? (
        <span className="block whitespace-pre-line text-ink-2 [overflow-wrap:anywhere]">{mark.text}</span>
      ) : null}
      {row?.before || row?.after ? (
        <span className="block">
          before {row.before?.value ?? "\u2013"} <span className="text-ink-2">{row.before?.interval}</span>,
          after {row.after?.value ?? "\u2013"} <span className="text-ink-2">{row.after?.interval}</span> MiB/h
          {row.levelChange ? (
            <>
              ; level {row.levelChange.value} <span className="text-ink-2">{row.levelChange.interval}</span>{" "}
              MiB
            </>
          ) : null}
        </span>
      ) : null}
      {mark.verdict ? (
        <span className={`block ${toneInk(mark.verdict.tone)}`}>
          {mark.verdict.word}
          {row?.pending ? `, ${row.pending}` : ""}
        </span>
      ) : null}
    </>
  );
}
