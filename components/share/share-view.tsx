"use client";

import { useMemo, useState } from "react";
import { hypothesesText, logLines, STATE_TEXTS, STATUS_TEXTS } from "#lib/charts/investigation-model.ts";
import type { LogLine } from "#lib/charts/investigation-model.ts";
import { formatMomentFull } from "#lib/charts/format-time.ts";
import { placedPins } from "#lib/charts/markdown.ts";
import { headFacts } from "#lib/charts/shared-document.ts";
import type { SharedHead } from "#lib/charts/shared-document.ts";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import { FiguresContext } from "../investigation/figures.ts";
import type { Figures } from "../investigation/figures.ts";
import { HeadFacts } from "../investigation/head-facts.tsx";
import { Markdown, Reference } from "../investigation/markdown.tsx";
import { PinFigure } from "../investigation/pin-figure.tsx";
import { InnerLinksContext } from "../ui/inner-link.tsx";
import { Section } from "../ui/section.tsx";
import { Verdict } from "../ui/verdict.tsx";

/** When a frozen share was copied, and how anybody can check that it is the same still. */
export interface FrozenMark {
  readonly atMs: number;
  /** SHA-256, hexadecimal. */
  readonly contentHash: string;
  /** Where the hashed content is. */
  readonly contentHref: string;
}

/** An investigation to be read by whoever has the link: nothing of it writes, and nothing leads into the product. */
export function ShareView({
  head,
  readings,
  effects,
  frozen,
  closerPath,
}: {
  readonly head: SharedHead;
  readonly readings: Figures["readings"];
  readonly effects: Figures["effects"];
  /** Undefined while the link follows the data. */
  readonly frozen: FrozenMark | undefined;
  /** Where finer points of a pinned chart are read, before its number; undefined where there are none. */
  readonly closerPath?: string | undefined;
}) {
  const figures = useMemo(
    () => ({ pins: head.pins, readings, effects, closerPath }),
    [head.pins, readings, effects, closerPath],
  );
  const { zone } = head;
  const placed = placedPins(`${head.conclusion}\n\n${head.text}`);
  const others = head.pins.filter(({ number }) => !placed.has(number));
  return (
    <InnerLinksContext value={false}>
      <FiguresContext value={figures}>
        <main id="main" className="shared mx-auto max-w-[1180px] px-page pb-10">
          <Head head={head} frozen={frozen} />
          <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
            {head.conclusion.trim() === "" ? null : (
              <section aria-label="Conclusion" className="max-w-[118ch] text-lg">
                <Markdown text={head.conclusion} />
              </section>
            )}
            {head.hypotheses.length === 0 ? null : <Hypotheses hypotheses={head.hypotheses} />}
            {head.text.trim() === "" ? null : (
              <Section id="h-document" title="Document">
                <Markdown text={head.text} />
              </Section>
            )}
            {others.length === 0 ? null : (
              <Section id="h-pins" title="Pinned views">
                <div className="grid grid-cols-[minmax(0,1fr)] gap-4 pt-1">
                  {others.map((pin) => (
                    <PinFigure key={pin.number} pin={pin} />
                  ))}
                </div>
              </Section>
            )}
            {head.entries.length === 0 ? null : <Log lines={logLines(head.entries, "all", { zone })} />}
          </div>
        </main>
        {frozen ? (
          <footer className="mx-auto max-w-[1180px] px-page pb-10 text-sm text-ink-2">
            <p className="border-t border-line-2 pt-2 [overflow-wrap:anywhere]">
              Frozen {formatMomentFull(frozen.atMs, zone)}. SHA-256 of what is kept:{" "}
              <code>{frozen.contentHash}</code>
            </p>
            <p className="print:hidden">
              <a href={frozen.contentHref} download className="underline">
                All of it as JSON
              </a>
              ; <code>sha256sum</code> of the file gives the same.
            </p>
          </footer>
        ) : null}
      </FiguresContext>
    </InnerLinksContext>
  );
}

function Head({ head, frozen }: { readonly head: SharedHead; readonly frozen: FrozenMark | undefined }) {
  const { zone, readAtMs } = head;
  const facts = headFacts(head);
  const readAt = formatMomentFull(readAtMs, zone);
  return (
    <header className="grid grid-cols-[minmax(0,1fr)] gap-2 py-4">
      <p className="text-sm text-ink-2">
        <b className="font-semibold text-ink">Plumbline</b>, an investigation that was shared to be read.{" "}
        {frozen
          ? `Frozen: everything stands as it was on ${readAt}; nothing that happened since changes it.`
          : `It follows the data and the texts; read on ${readAt}.`}
      </p>
      <h1 className="text-xl font-semibold [overflow-wrap:anywhere]">{isolatedText(head.title)}</h1>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1 text-sm text-ink-2">
        <Verdict verdict={STATUS_TEXTS[head.status]} />
        <HeadFacts facts={facts} />
      </div>
    </header>
  );
}

function Hypotheses({ hypotheses }: Pick<SharedHead, "hypotheses">) {
  const counts = { open: 0, supported: 0, refuted: 0 };
  for (const { state } of hypotheses) counts[state] += 1;
  return (
    <Section id="h-hypotheses" title="Hypotheses" note={hypothesesText(counts)}>
      <ol aria-label="Hypotheses">
        {hypotheses.map(({ text, state, evidence }, index) => (
          <li
            key={index}
            className="grid gap-x-4 gap-y-1 border-t border-line py-2 md:grid-cols-[100px_minmax(0,1fr)_minmax(0,1fr)]"
          >
            <span className="text-sm">
              <b className="mr-1.5 font-semibold">{index + 1}</b>
              <Verdict verdict={STATE_TEXTS[state]} />
            </span>
            <div className="min-w-0">
              <Markdown text={text} />
            </div>
            {evidence.length === 0 ? null : (
              <ul
                aria-label={`Evidence of hypothesis ${index + 1}`}
                className="grid min-w-0 content-start gap-0.5 text-sm [overflow-wrap:anywhere]"
              >
                {evidence.map((each, at) => (
                  <li key={at}>
                    {each.kind === "finding" ? (
                      `finding ${isolatedText(each.signature)}`
                    ) : (
                      <Reference to={each.kind === "pin" ? each : { ...each, nodeId: each.nodeId }} titled />
                    )}
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** Lines that are shown before they are asked for. */
const FIRST_LINES = 30;

function Log({ lines }: { readonly lines: readonly LogLine[] }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <Section id="h-log" title="Log">
      <ol aria-label="Log, newest first" className="text-sm leading-[17px]">
        {lines.map(({ entry, time, day, text, author, by, isGrave }, index) => (
          <li key={entry.entryId} className={isWhole || index < FIRST_LINES ? "" : "hidden print:list-item"}>
            {day === undefined ? null : <p className="pt-2 pb-0.5 font-semibold text-ink-2">{day}</p>}
            <div className="grid grid-cols-[44px_minmax(0,1fr)] gap-x-2.5 border-b border-line py-1">
              <time className="text-ink-2">{time}</time>
              <div
                className={`min-w-0 [overflow-wrap:anywhere] ${isGrave ? "text-leaking-ink" : by === "program" ? "text-ink-2" : ""}`}
              >
                {entry.kind === "note" ? (
                  <>
                    <span className="text-ink-2">{author}:</span> <Markdown text={entry.text} />
                  </>
                ) : (
                  <span className="whitespace-pre-line">{text}</span>
                )}
              </div>
            </div>
          </li>
        ))}
      </ol>
      {!isWhole && lines.length > FIRST_LINES ? (
        <button
          type="button"
          className="min-h-6 text-sm text-accent-ink hover:underline print:hidden"
          onClick={() => setWhole(true)}
        >
          Show all {lines.length} entries
        </button>
      ) : null}
    </Section>
  );
}
