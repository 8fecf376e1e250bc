import type { SharedDocument } from "#lib/charts/shared-document.ts";

/** An investigation as it is written down to be taken along: what it shows, and where and when that was read. */
export interface Report {
  readonly document: SharedDocument;
  /** Address of the Plumbline that its data are of, such as `https://plumbline.example`; undefined where nothing may lead there. */
  readonly origin: string | undefined;
  /** Its page, absolute; undefined where nothing may lead there. */
  readonly page: string | undefined;
  readonly madeAtMs: number;
  /** SHA-256 of the content, hexadecimal. */
  readonly contentHash: string;
}

/** The absolute address of a page; undefined where nothing may lead there, or there is no page. */
export function absolute({ origin }: Pick<Report, "origin">, path: string): string | undefined {
  return origin === undefined || !path.startsWith("/") ? undefined : `${origin}${path}`;
}
