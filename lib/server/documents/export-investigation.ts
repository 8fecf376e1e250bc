import { canonicalJson } from "#lib/contracts/canonical-json.ts";
import type { ExportFormat } from "#lib/contracts/investigation-export.ts";
import { createRedactor } from "#lib/domain/redaction/redact-text.ts";
import { htmlReport } from "#lib/exports/html-report.ts";
import { markdownReport } from "#lib/exports/markdown-report.ts";
import type { Report } from "#lib/exports/report.ts";
import type { Context } from "#lib/server/services/context.ts";
import { findVisibleInvestigation } from "#lib/server/services/find-editable-investigation.ts";
import { openShareReader } from "./open-share-reader.ts";
import { hashOf, readSharedDocument } from "./share-investigation.ts";

const WRITERS: Readonly<Record<ExportFormat, (report: Report) => string>> = {
  markdown: markdownReport,
  html: htmlReport,
};

/** An investigation written down, and what its file may be called without its ending. */
export interface ExportedInvestigation {
  readonly text: string;
  readonly name: string;
}

/**
 * Writes an investigation down as it stands now, with everything that it pinned: the actor's own view of it.
 * @param origin address of this server, for links; with `redacted` nothing leads back.
 * @throws AppError `not_found`.
 */
export async function exportInvestigation({
  ctx,
  silentAfterMs,
  origin,
  input: { investigationId, format, redacted },
}: {
  ctx: Context;
  silentAfterMs: number;
  origin: string;
  input: { investigationId: number; format: ExportFormat; redacted: boolean };
}): Promise<ExportedInvestigation> {
  await findVisibleInvestigation(ctx, investigationId);
  const madeAtMs = ctx.now();
  const reader = await openShareReader({
    db: ctx.db,
    now: () => madeAtMs,
    silentAfterMs,
    shareId: 0,
    investigationId,
    redactor: redacted ? createRedactor() : undefined,
    taker: ctx.actor,
  });
  const document = await readSharedDocument(reader);
  // The moment of reading is no content: what did not change meanwhile has the same hash whenever it is read.
  const { readAtMs: _, ...head } = document.head;
  const contentHash = hashOf(canonicalJson({ ...document, head }));
  const report: Report = {
    document,
    origin: redacted ? undefined : origin,
    page: `/investigations/${investigationId}`,
    madeAtMs,
    contentHash,
  };
  return { text: WRITERS[format](report), name: `investigation-${investigationId} ${document.head.title}` };
}
