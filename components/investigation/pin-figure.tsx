"use client";

import Link from "next/link";
import { Suspense, use, useContext } from "react";
import type { ReactNode } from "react";
import { pinTitle } from "#lib/charts/investigation-model.ts";
import type { ShownPin } from "#lib/charts/investigation-model.ts";
import type { PinReading } from "#lib/charts/pin-reading.ts";
import type { PinKind } from "#lib/contracts/investigation.ts";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import { useTurn } from "../ui/use-turn.ts";
import { FiguresContext } from "./figures.ts";
import { PinBody } from "./pin-body.tsx";
import { PinNumbers } from "./pin-numbers.tsx";

/** A pinned view with its head: its number, what it is, and the page that it came from. It draws itself from the data of now. */
export function PinFigure({ pin, tools }: { readonly pin: ShownPin; readonly tools?: ReactNode }) {
  const { readings } = useContext(FiguresContext);
  const reading = readings[pin.number];
  return (
    <figure
      id={`pin-${pin.number}`}
      tabIndex={-1}
      aria-label={`Pin ${pin.number}: ${pinTitle(pin)}`}
      className="min-w-0 border border-line-2 px-3 pt-2 pb-1.5 focus:bg-select max-md:px-2"
    >
      <figcaption className="mb-1 flex flex-wrap items-baseline gap-x-2.5 gap-y-1 text-sm">
        <span className="inline-block min-w-[18px] rounded-1 border border-ink px-1 text-center text-xs leading-4 font-semibold">
          {pin.number}
        </span>
        <b className="min-w-0 text-base font-semibold [overflow-wrap:anywhere]">{pinTitle(pin)}</b>
        <span className="text-ink-2">pinned by {isolatedText(pin.createdBy)}</span>
        <span className="ml-auto flex flex-wrap gap-2.5">
          {pin.address === "" ? null : (
            <Link href={pin.address} prefetch={false}>
              Open<span className="sr-only"> pin {pin.number}</span>
            </Link>
          )}
          {tools}
        </span>
      </figcaption>
      {reading === undefined ? (
        <Waiting kind={pin.kind} />
      ) : (
        <Suspense fallback={<Waiting kind={pin.kind} />}>
          <Read reading={reading} pin={pin} />
        </Suspense>
      )}
    </figure>
  );
}

function Waiting({ kind }: { readonly kind: PinKind }) {
  // About as high as what comes, so that what stands below does not move.
  const height = kind === "chart" ? "min-h-[600px]" : kind === "effect" ? "" : "min-h-40";
  return <p className={`text-sm text-ink-2 ${height}`}>Reading{"\u2026"}</p>;
}

function Read({ reading, pin }: { readonly reading: Promise<PinReading>; readonly pin: ShownPin }) {
  const read = use(reading);
  const isDrawn = read.kind === "composition" || read.kind === "caches";
  return isDrawn ? <Drawn read={read} pin={pin} /> : <Shown read={read} pin={pin} />;
}

/** One that takes long to draw, in its turn. */
function Drawn({ read, pin }: { readonly read: PinReading; readonly pin: ShownPin }) {
  return useTurn() ? <Shown read={read} pin={pin} /> : <Waiting kind={pin.kind} />;
}

function Shown({ read, pin }: { readonly read: PinReading; readonly pin: ShownPin }) {
  return (
    <>
      <PinBody reading={read} number={pin.number} address={pin.address} />
      <PinNumbers reading={read} number={pin.number} />
    </>
  );
}
