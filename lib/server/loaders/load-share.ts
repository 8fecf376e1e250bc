import "server-only";
import { headers } from "next/headers";
import { cache } from "react";
import { openShare, readFrozenShare, type OpenedShare } from "#lib/server/documents/open-share.ts";
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

/** What a frozen link keeps, to the byte; undefined where nothing can be opened. */
export async function loadFrozenShare(token: string): Promise<string | undefined> {
  return readFrozenShare(visitOf(token, await headers()));
}
