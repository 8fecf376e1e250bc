"use client";

import { createContext } from "react";
import type { EffectReading, PinReading } from "#lib/charts/pin-reading.ts";
import type { ShownPin } from "#lib/charts/investigation-model.ts";

/** What the texts of an investigation may refer to, and what was read of it. */
export interface Figures {
  readonly pins: readonly ShownPin[];
  /** By the number of the pin. */
  readonly readings: Readonly<Record<number, Promise<PinReading>>>;
  /** By how a text refers to them. */
  readonly effects: Readonly<Record<string, Promise<EffectReading>>>;
  /** Where finer points of a part of a pinned chart are read, before its number; undefined where there are none. */
  readonly closerPath?: string | undefined;
}

/** For texts that stand outside an investigation: they refer to nothing. */
export const FiguresContext = createContext<Figures>({ pins: [], readings: {}, effects: {} });
