"use client";

import { useCallback, useEffect, useState } from "react";
import { DUMP_EXAMPLES } from "#lib/charts/dump-examples.ts";
import { compareDumps } from "#lib/charts/dump-comparison.ts";
import type { DumpComparison } from "#lib/charts/dump-comparison.ts";
import { dumpAnswer } from "#lib/charts/dump-model.ts";
import { formatNumber } from "#lib/charts/format.ts";
import { ForRole } from "../account/access.tsx";
import { Segments } from "../ui/button.tsx";
import { CopiedCommand } from "../ui/copied-command.tsx";
import { Section } from "../ui/section.tsx";
import { StatePanel } from "../ui/state-panel.tsx";
import { DifferenceTable } from "./difference-table.tsx";
import { joinPieces } from "./join-pieces.ts";
import { formatMegabytes, MOST_BYTES, NOTHING_GIVEN, PasteBox, piecesOf } from "./paste-box.tsx";
import type { Given } from "./paste-box.tsx";
import { PinDump } from "./pin-dump.tsx";
import { ReadingView } from "./reading-view.tsx";
import { RecognisedList } from "./recognised-list.tsx";
import { Redaction } from "./redaction.tsx";
import { SaveSnapshots } from "./save-snapshots.tsx";
import { useReader } from "./use-reader.ts";
import type { Reader, ReadText } from "./use-reader.ts";

/** How long somebody must have stopped typing before the text is read. */
const REST_MS = 250;

interface Side {
  readonly read: ReadText | undefined;
  readonly busy: boolean;
  readonly fault: string | undefined;
}

/** The reading of what was given, kept in step with it; of what was given meanwhile only the newest counts. */
function useReading(reader: Reader, given: Given): Side {
  const { ready, read } = reader;
  const [done, setDone] = useState<{
    readonly given: Given;
    readonly read?: ReadText;
    readonly fault?: string;
  }>({
    given: NOTHING_GIVEN,
  });
  const pieces = piecesOf(given).length;
  useEffect(() => {
    if (!ready || pieces === 0) return;
    let outdated = false;
    const timer = setTimeout(() => {
      read(piecesOf(given)).then(
        (answer) => (outdated ? undefined : setDone({ given, read: answer })),
        (error: unknown) =>
          outdated
            ? undefined
            : setDone({ given, fault: error instanceof Error ? error.message : "It could not be read." }),
      );
    }, REST_MS);
    return () => {
      outdated = true;
      clearTimeout(timer);
    };
  }, [ready, read, given, pieces]);
  if (pieces === 0) return { read: undefined, busy: false, fault: undefined };
  return {
    read: done.read,
    busy: done.given !== given,
    fault: done.given === given ? done.fault : undefined,
  };
}

/** Reads pasted dumps in the browser: what they show, what they are made of, two of them compared. Sends nothing unless asked to keep one. */
export function InspectView() {
  const reader = useReader();
  const [given, setGiven] = useState<Given>(NOTHING_GIVEN);
  const [second, setSecond] = useState<Given>();
  const [chosen, setChosen] = useState<"first" | "second" | "difference">();
  const first = useReading(reader, given);
  const other = useReading(reader, second ?? NOTHING_GIVEN);
  const comparison =
    first.read && other.read ? compareDumps(first.read.reading, other.read.reading) : undefined;
  // Until somebody chooses, what is newest is what is read.
  const shown = chosen ?? comparison?.newer ?? (other.read ? "second" : "first");
  const side = shown === "second" ? other : first;
  const sideGiven = shown === "second" ? (second ?? NOTHING_GIVEN) : given;
  const reading = side.read?.reading;
  const redactPieces = reader.redact;
  const redact = useCallback(() => redactPieces(piecesOf(sideGiven)), [redactPieces, sideGiven]);
  const { before, after } = comparison ?? {};
  const answer =
    shown === "difference"
      ? (comparison?.answer ?? "The difference of two dumps, by band.")
      : reading
        ? dumpAnswer(reading.explanation)
        : "What does this dump say?";
  const state = reader.failed
    ? "The reader could not be loaded: reload the page."
    : !reader.ready
      ? "Loading the reader…"
      : first.busy || other.busy
        ? "Reading…"
        : side.read && piecesOf(sideGiven).length > 0
          ? `Read: ${formatNumber(side.read.lines)} lines.`
          : "The reader is loaded; from here on the page needs no network.";
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2 py-4">
        <h1 className="max-w-[118ch] text-xl font-semibold [overflow-wrap:anywhere]">{answer}</h1>
        <p className="max-w-[120ch] text-ink-2">
          Read in this browser: nothing that you paste leaves it. Files of /proc, output of smem, free,
          slabtop, ps, df, kernel logs and others, alone or together, in any order, with prompts and cut-off
          ends. At most {formatMegabytes(MOST_BYTES)} are taken; of a longer text than 8 million characters
          the first 8 million are read.
        </p>
        <p role="status" className={`text-sm ${reader.failed ? "text-leaking-ink" : "text-ink-2"}`}>
          {state}
        </p>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,8fr)] lg:grid-rows-[auto_1fr]">
        <div className="min-w-0">
          <Section
            id="h-paste"
            title="Paste or drop"
            tools={
              second === undefined ? (
                <button
                  type="button"
                  className="text-accent-ink hover:underline"
                  onClick={() => setSecond(NOTHING_GIVEN)}
                >
                  Compare with a second dump
                </button>
              ) : (
                <button
                  type="button"
                  className="text-accent-ink hover:underline"
                  onClick={() => {
                    setSecond(undefined);
                    setChosen(undefined);
                  }}
                >
                  Close the second dump
                </button>
              )
            }
          >
            <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
              <PasteBox
                label={second === undefined ? "Dump" : "First dump, the earlier one"}
                given={given}
                onChange={setGiven}
              />
              {second === undefined ? null : (
                <>
                  <PasteBox label="Second dump" given={second} onChange={setSecond} />
                  <p className="text-sm text-ink-2">
                    Two dumps of one machine may also stand in one box, one below the other: then growth
                    counts for the verdict.
                  </p>
                </>
              )}
            </div>
            <div className="mt-3 grid justify-items-start gap-1 text-sm">
              <h3 className="font-semibold">Examples</h3>
              {DUMP_EXAMPLES.map(({ title, text }) => (
                <button
                  key={title}
                  type="button"
                  className="text-left text-accent-ink hover:underline"
                  onClick={() => setGiven({ typed: text, held: [] })}
                >
                  {title}
                </button>
              ))}
            </div>
          </Section>
        </div>
        <div className="min-w-0 lg:col-start-2 lg:row-span-2 lg:row-start-1">
          {second === undefined ? null : (
            <div className="pb-3">
              <Segments
                label="What is shown"
                options={[
                  { value: "first", label: `First dump${newerNote(comparison, "first")}` },
                  { value: "second", label: `Second dump${newerNote(comparison, "second")}` },
                  { value: "difference", label: "Difference" },
                ]}
                value={shown}
                onChoose={setChosen}
              />
              {comparison?.answer && shown !== "difference" ? (
                <p className="max-w-[90ch] pt-2">{comparison.answer}</p>
              ) : null}
              {comparison?.warning ? (
                <p role="note" className="pt-2 text-sm text-growing-ink">
                  {comparison.warning}
                </p>
              ) : null}
            </div>
          )}
          {side.fault ? (
            <StatePanel title="The text could not be read" tone="error">
              <p>{side.fault}</p>
            </StatePanel>
          ) : null}
          {shown === "difference" ? (
            before && after ? (
              <Section
                id="h-difference"
                title="Difference by band"
                note={`${comparison?.order ?? ""}; the newest sample of each`}
              >
                <DifferenceTable before={before} after={after} />
              </Section>
            ) : (
              <StatePanel title="Two compositions are needed">
                <p>
                  {lackingDumps(first.read, other.read)} must hold a /proc/meminfo with MemTotal, MemFree,
                  Buffers, Cached, AnonPages and PageTables.
                </p>
              </StatePanel>
            )
          ) : reading ? (
            <ReadingView
              reading={reading}
              pin={
                <PinDump
                  caption={dumpAnswer(reading.explanation)}
                  text={() => joinPieces(piecesOf(sideGiven))}
                />
              }
            />
          ) : (
            <StatePanel title="Nothing to read yet">
              <p>Paste what one of these prints, or load an example. As root more of it can be read.</p>
              <div className="grid w-full grid-cols-[minmax(0,1fr)] gap-2">
                <CopiedCommand
                  command="cat /proc/meminfo /proc/slabinfo /proc/cgroups; uname -r"
                  label="files of the kernel"
                />
                <CopiedCommand command="smem -w; free -k; slabtop -o -s c" label="output of tools" />
              </div>
            </StatePanel>
          )}
        </div>
        {reading && shown !== "difference" ? (
          <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6">
            <Section id="h-recognised" title="Recognised" note={recognisedNote(reading)}>
              <RecognisedList explanation={reading.explanation} />
            </Section>
            <Redaction key={`redact ${shown}`} redact={redact} />
            <ForRole least="investigator">
              <SaveSnapshots
                key={`save ${shown}`}
                snapshots={reading.snapshots}
                text={() => joinPieces(piecesOf(sideGiven))}
              />
            </ForRole>
          </div>
        ) : null}
      </div>
    </>
  );
}

/** Behind the name of the dump that says itself that it is the newer one. */
function newerNote(comparison: DumpComparison | undefined, which: DumpComparison["newer"]): string {
  return comparison?.isDated && comparison.newer === which ? ", newer" : "";
}

/** Which of the two has no composition, or was not given. */
function lackingDumps(first: ReadText | undefined, second: ReadText | undefined): string {
  const [one, other] = [first, second].map((read) => read?.reading.explanation.composition !== undefined);
  return one ? "The second dump" : other ? "The first dump" : "Each dump";
}

function recognisedNote({ explanation: { recognised, unrecognised } }: ReadText["reading"]): string {
  const cut = recognised.filter(({ truncated }) => truncated).length;
  const unread = unrecognised.reduce((sum, { fromLine, toLine }) => sum + toLine - fromLine + 1, 0);
  return [
    `${formatNumber(recognised.length)} ${recognised.length === 1 ? "part" : "parts"}`,
    ...(cut > 0 ? [`${cut} cut off`] : []),
    ...(unread > 0 ? [`${formatNumber(unread)} ${unread === 1 ? "line" : "lines"} not understood`] : []),
  ].join(", ");
}
