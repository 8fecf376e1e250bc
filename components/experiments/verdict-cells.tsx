"use client";

import Link from "next/link";
import { useId, useState } from "react";
import type { HorizonCell } from "#lib/charts/experiment-model.ts";
import { toneInk } from "../ui/verdict.tsx";

const WIDTH_PX = 340;

/** Where the numbers of a cell stand on the screen, below it and inside the page. */
interface Place {
  readonly label: string;
  readonly leftPx: number;
  readonly topPx: number;
}

/**
 * The verdicts after 1 h, 6 h, 24 h and 7 d: four small cells. Numbers show on hover and on focus; each cell leads to the
 * window that it rests on.
 */
export function VerdictCells({
  cells,
  about,
}: {
  readonly cells: readonly HorizonCell[];
  readonly about: string;
}) {
  const id = useId();
  const [place, setPlace] = useState<Place>();
  const shown = cells.find(({ label }) => label === place?.label);
  const show = (label: string) => (event: { currentTarget: Element }) => {
    const box = event.currentTarget.getBoundingClientRect();
    const leftPx = Math.max(8, Math.min(box.left, document.documentElement.clientWidth - WIDTH_PX - 8));
    setPlace({ label, leftPx, topPx: box.bottom + 4 });
  };
  const hide = () => setPlace(undefined);
  return (
    <div onKeyDown={(event) => (event.key === "Escape" ? hide() : undefined)}>
      <ol aria-label={`Verdicts on ${about}`} className="flex flex-wrap gap-1">
        {cells.map((cell) => {
          const look =
            "grid min-w-14 rounded-1 border border-line px-1.5 py-0.5 text-left text-xs leading-4 hover:border-line-3 hover:no-underline";
          const handlers = {
            onMouseEnter: show(cell.label),
            onMouseLeave: hide,
            onFocus: show(cell.label),
            onBlur: hide,
            "aria-describedby": place?.label === cell.label ? id : undefined,
          };
          const text = (
            <>
              <span className="text-ink-2">{cell.label}</span>
              <span className={`whitespace-nowrap ${toneInk(cell.verdict.tone)}`}>{cell.short}</span>
            </>
          );
          return (
            <li key={cell.label}>
              {cell.href === undefined ? (
                <button type="button" className={look} {...handlers}>
                  {text}
                </button>
              ) : (
                <Link href={cell.href} prefetch={false} className={look} {...handlers}>
                  {text}
                </Link>
              )}
            </li>
          );
        })}
      </ol>
      {place !== undefined && shown !== undefined ? (
        <div
          id={id}
          role="tooltip"
          style={{ left: place.leftPx, top: place.topPx, width: `min(${WIDTH_PX}px, calc(100vw - 16px))` }}
          className="fixed z-20 grid gap-1 rounded-2 border border-line-3 bg-surface p-2 text-left text-xs whitespace-normal text-ink shadow-sm"
        >
          <span className={toneInk(shown.verdict.tone)}>
            {shown.label}: {shown.verdict.word}
          </span>
          {shown.lines.map((line) => (
            <span key={line} className="[overflow-wrap:anywhere] text-ink-2 first-of-type:text-ink">
              {line}
            </span>
          ))}
        </div>
      ) : null}
    </div>
  );
}
