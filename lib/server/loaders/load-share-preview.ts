import "server-only";
import type { SharedDocument } from "#lib/charts/shared-document.ts";
import { createRedactor, type Replacement } from "#lib/domain/redaction/redact-text.ts";
import { AppError } from "#lib/errors.ts";
import { openShareReader } from "#lib/server/documents/open-share-reader.ts";
import { readSharedDocument } from "#lib/server/documents/share-investigation.ts";
import { pageContext } from "./page-context.ts";
import { firstOf, type PageParameters } from "./page-parameters.ts";

/** What a link to an investigation would show now. */
export interface SharePreview {
  readonly document: SharedDocument;
  /** What was replaced; undefined where names are left. */
  readonly replacements: readonly Replacement[] | undefined;
}

/** Reads what a link would show, as its reader would; undefined where there is no such investigation. */
export async function loadSharePreview(
  idText: string,
  parameters: PageParameters,
): Promise<SharePreview | undefined> {
  if (!/^[1-9]\d{0,8}$/.test(idText)) return undefined;
  const { ctx, runtime } = await pageContext("investigator");
  const redactor = firstOf(parameters)("redacted") === "1" ? createRedactor() : undefined;
  try {
    const reader = await openShareReader({
      db: ctx.db,
      now: ctx.now,
      silentAfterMs: runtime.silentAfterMs,
      shareId: 0,
      investigationId: Number(idText),
      redactor,
    });
    const document = await readSharedDocument(reader);
    return { document, replacements: redactor?.replacements() };
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  }
}
