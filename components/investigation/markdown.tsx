"use client";

import { Suspense, use, useContext, useMemo } from "react";
import { readMarkdown, referenceText } from "#lib/charts/markdown.ts";
import type { MarkdownBlock, MarkdownInline, MarkdownReference } from "#lib/charts/markdown.ts";
import { pinTitle } from "#lib/charts/investigation-model.ts";
import type { EffectReading } from "#lib/charts/pin-reading.ts";
import { InnerLink } from "../ui/inner-link.tsx";
import { Verdict } from "../ui/verdict.tsx";
import { FiguresContext } from "./figures.ts";
import { PinFigure } from "./pin-figure.tsx";

/** A text in Markdown, drawn element by element: none of it is ever HTML. */
export function Markdown({ text }: { readonly text: string }) {
  const blocks = useMemo(() => readMarkdown(text), [text]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5 leading-[21px] [overflow-wrap:anywhere]">
      <Blocks blocks={blocks} />
    </div>
  );
}

function Blocks({ blocks }: { readonly blocks: readonly MarkdownBlock[] }) {
  return blocks.map((block, index) => <Block key={index} block={block} />);
}

function Block({ block }: { readonly block: MarkdownBlock }) {
  switch (block.kind) {
    case "heading": {
      const Heading = `h${block.level}` as const;
      return (
        <Heading className={`pt-2 font-semibold ${block.level === 3 ? "text-lg" : ""}`}>
          <Inlines inlines={block.children} />
        </Heading>
      );
    }
    case "paragraph":
      return (
        <p className="max-w-[86ch]">
          <Inlines inlines={block.children} />
        </p>
      );
    case "code":
      return (
        <pre className="max-w-full border border-line bg-surface-2 px-2 py-1.5 font-mono text-[11.5px] leading-[17px] whitespace-pre-wrap [overflow-wrap:anywhere]">
          {block.text}
        </pre>
      );
    case "quote":
      return (
        <blockquote className="grid gap-2 border-l-2 border-line-2 pl-3 text-ink-2">
          <Blocks blocks={block.children} />
        </blockquote>
      );
    case "list": {
      const items = block.items.map((item, index) => (
        <li key={index} className="ml-5 pl-0.5">
          <Blocks blocks={item} />
        </li>
      ));
      return block.start === undefined ? (
        <ul className="grid max-w-[86ch] list-disc gap-1">{items}</ul>
      ) : (
        <ol start={block.start} className="grid max-w-[86ch] list-decimal gap-1">
          {items}
        </ol>
      );
    }
    case "table":
      return (
        <div className="overflow-x-auto" role="group" aria-label="Table" tabIndex={0}>
          <table className="grid-table">
            <thead>
              <tr>
                {block.head.map((cell, index) => (
                  <th key={index} scope="col">
                    <Inlines inlines={cell} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, at) => (
                    <td key={at}>
                      <Inlines inlines={cell} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case "rule":
      return <hr className="border-line-2" />;
    case "figure":
      return block.to.kind === "pin" ? (
        <PlacedPin number={block.to.number} />
      ) : (
        <p className="max-w-[86ch]">
          <Effect to={block.to} whole />
        </p>
      );
  }
}

function Inlines({ inlines }: { readonly inlines: readonly MarkdownInline[] }) {
  return inlines.map((inline, index) => <Inline key={index} inline={inline} />);
}

function Inline({ inline }: { readonly inline: MarkdownInline }) {
  switch (inline.kind) {
    case "text":
      return inline.text;
    case "code":
      return <code>{inline.text}</code>;
    case "break":
      return <br />;
    case "strong":
      return (
        <strong className="font-semibold">
          <Inlines inlines={inline.children} />
        </strong>
      );
    case "emphasis":
      return (
        <em>
          <Inlines inlines={inline.children} />
        </em>
      );
    case "deleted":
      return (
        <del>
          <Inlines inlines={inline.children} />
        </del>
      );
    case "link":
      return inline.external ? (
        <a href={inline.href} rel="noopener noreferrer nofollow" target="_blank" className="underline">
          <Inlines inlines={inline.children} />
        </a>
      ) : (
        <InnerLink href={inline.href} className="underline">
          <Inlines inlines={inline.children} />
        </InnerLink>
      );
    case "reference":
      return <Reference to={inline.to} />;
  }
}

/** What a text or a piece of evidence refers to, in a line; `titled` says of a pin what it is. */
export function Reference({
  to,
  titled = false,
}: {
  readonly to: MarkdownReference;
  readonly titled?: boolean;
}) {
  const { pins } = useContext(FiguresContext);
  if (to.kind === "effect") return <Effect to={to} />;
  const pin = pins.find((each) => each.number === to.number);
  if (pin === undefined) return <span className="text-ink-3">pin {to.number}, not there</span>;
  const link = (
    <a href={`#pin-${to.number}`} title={pinTitle(pin)} className="whitespace-nowrap underline">
      pin {to.number}
    </a>
  );
  return titled ? (
    <>
      {link} <span className="text-ink-2">{pinTitle(pin)}</span>
    </>
  ) : (
    link
  );
}

function PlacedPin({ number }: { readonly number: number }) {
  const { pins } = useContext(FiguresContext);
  const pin = pins.find((each) => each.number === number);
  if (pin === undefined) return <p className="text-ink-3">There is no pin {number} here.</p>;
  return <PinFigure pin={pin} />;
}

function Effect({ to, whole = false }: { readonly to: MarkdownReference; readonly whole?: boolean }) {
  const { effects } = useContext(FiguresContext);
  const reading = effects[referenceText(to)];
  const waiting = <span className="text-ink-3">reading{"\u2026"}</span>;
  if (reading === undefined) return waiting;
  return (
    <Suspense fallback={waiting}>
      <EffectText reading={reading} whole={whole} />
    </Suspense>
  );
}

function EffectText({
  reading,
  whole,
}: {
  readonly reading: Promise<EffectReading>;
  readonly whole: boolean;
}) {
  const figure = use(reading);
  if ("message" in figure) return <span className="text-ink-3">not to be read: {figure.message}</span>;
  const { sentence, href, short, title, when, verdict } = figure;
  if (!whole)
    return (
      <InnerLink
        href={href}
        title={sentence}
        className="border-b border-line-3 font-medium text-ink hover:border-accent-ink hover:no-underline"
      >
        {short}
      </InnerLink>
    );
  return (
    <>
      <Verdict verdict={verdict} wrap /> {sentence}{" "}
      <InnerLink href={href} className="text-ink-2">
        {title}, {when}
      </InnerLink>
    </>
  );
}
