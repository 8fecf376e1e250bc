import "server-only";
import { headers } from "next/headers";
import { cache } from "react";
import {
  sharePicture,
  shareSummary,
  summaryReferences,
  type SharePicture,
} from "#lib/charts/share-picture.ts";
import type { CloserReading } from "#lib/charts/pin-reading.ts";
import {
  openShare,
  peekShare,
  readCloserShare,
  readFrozenShare,
  type OpenedShare,
} from "#lib/server/documents/open-share.ts";
import { serverAddress } from "#lib/server/http/peer.ts";
import { getRuntime } from "#lib/server/http/runtime.ts";
import { isPreviewProgram, shareKeyIn } from "#lib/server/http/share-visit.ts";

function visitOf(token: string, sent: Headers) {
  const { db, now, silentAfterMs } = getRuntime();
  return { db, now, silentAfterMs, token, key: shareKeyIn(sent) };
}

/** Opens a shared link, once a request; undefined where nothing can be opened, whatever the reason. */
export const loadShare = cache(async (token: string): Promise<OpenedShare | undefined> => {
  const sent = await headers();
  return openShare(visitOf(token, sent), isPreviewProgram(sent));
});

/** What a link says of itself in a few words. */
export async function summariseShare({
  head,
  effects,
}: Extract<OpenedShare, { kind: "open" }>): Promise<string> {
  const read = summaryReferences(head).map(async (reference) => {
    const reading = await effects[reference];
    return reading === undefined ? [] : [[reference, reading] as const];
  });
  return shareSummary(head, Object.fromEntries((await Promise.all(read)).flat()));
}

/** What a frozen link keeps, to the byte; undefined where nothing can be opened. */
export async function loadFrozenShare(token: string): Promise<string | undefined> {
  return readFrozenShare(visitOf(token, await headers()));
}

/** A closer look at a chart of a live link, by the number of its pin; undefined where there is none to be had. */
export async function loadCloser(
  token: string,
  number: string,
  parameters: URLSearchParams,
): Promise<CloserReading | undefined> {
  const part = { fromMs: Number(parameters.get("from")), toMs: Number(parameters.get("to")) };
  return readCloserShare(visitOf(token, await headers()), Number(number), part);
}

/** The picture of a link, which is no use of it; undefined where nothing can be opened, or a password is missing. */
export async function loadSharePicture(token: string): Promise<SharePicture | undefined> {
  const peeked = await peekShare(visitOf(token, await headers()));
  return peeked && sharePicture(peeked.head, peeked.chart, peeked.effects);
}

/** This server as whoever asks reached it, for addresses that other programs read. */
export async function loadServerAddress(): Promise<URL> {
  return new URL(serverAddress(await headers()));
}
