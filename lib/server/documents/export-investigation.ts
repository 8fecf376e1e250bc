import type { SharedDocument } from "#lib/charts/shared-document.ts";
import { canonicalJson } from "#lib/contracts/canonical-json.ts";
import { EXPORT_FORMAT } from "#lib/contracts/investigation-content.ts";
import type { InvestigationFile } from "#lib/contracts/investigation-content.ts";
import { createRedactor } from "#lib/domain/redaction/redact-text.ts";
import type { Report } from "#lib/exports/report.ts";
import type { Context } from "#lib/server/services/context.ts";
import { getInvestigation } from "#lib/server/services/describe-investigation.ts";
import { headWithOrigins, readImported, readingWithOrigins } from "./imported-investigation.ts";
import type { ImportedInvestigation } from "./imported-investigation.ts";
import { openShareReader } from "./open-share-reader.ts";
import { hashOf, readSharedDocument } from "./share-investigation.ts";

/**
 * Reads an investigation to be written down as it stands now, with everything that it pinned: the actor's own view of it. One that
 * came from a file leads to where its data are of, and says of its authors that they are of elsewhere, unless it is read to be such
 * a file again.
 * @param server address of this server, for links; with `redacted` nothing leads back.
 * @throws AppError `not_found`.
 */
export async function readReport({
  ctx,
  silentAfterMs,
  server,
  input: { investigationId, redacted, asFile },
}: {
  ctx: Context;
  silentAfterMs: number;
  server: string;
  input: { investigationId: number; redacted: boolean; asFile: boolean };
}): Promise<Report> {
  const { imported } = await getInvestigation({ ctx, input: { investigationId } });
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
  const read = await readSharedDocument(reader);
  const document = redacted ? withoutAddresses(read) : read;
  const came = imported && !asFile ? await readImported(ctx.db, investigationId) : undefined;
  const origin = imported ? (imported.origin ?? undefined) : server;
  return {
    document: came ? withOrigins(document, came) : document,
    origin: redacted ? undefined : origin,
    page: redacted ? undefined : `${server}/investigations/${investigationId}`,
    madeAtMs,
    contentHash: hashOf(canonicalJson(contentOf(document))),
  };
}

function withOrigins(document: SharedDocument, came: ImportedInvestigation): SharedDocument {
  return {
    ...document,
    head: headWithOrigins(came, document.head),
    readings: Object.fromEntries(
      Object.entries(document.readings).map(([number, reading]) => [
        number,
        readingWithOrigins(came, number, reading),
      ]),
    ),
  };
}

/** The moment of reading is no content: what did not change meanwhile has the same hash whenever it is read. */
function contentOf({ head, ...rest }: SharedDocument) {
  const { readAtMs: _, ...content } = head;
  return { ...rest, head: content };
}

/** Addresses hold ids, names and filters, which no redaction reads. */
function withoutAddresses(document: SharedDocument): SharedDocument {
  const { head, effects, readings } = document;
  return {
    ...document,
    head: { ...head, pins: head.pins.map((pin) => ({ ...pin, address: "" })) },
    readings: Object.fromEntries(
      Object.entries(readings).map(([number, reading]) => [
        number,
        reading.kind === "effect" ? { ...reading, figure: { ...reading.figure, href: "" } } : reading,
      ]),
    ),
    effects: Object.fromEntries(
      Object.entries(effects).map(([reference, effect]) => [
        reference,
        "message" in effect ? effect : { ...effect, href: "" },
      ]),
    ),
  };
}

/** A report as the file that another Plumbline can take in. */
export function investigationFileOf({ document, origin, madeAtMs, contentHash }: Report): InvestigationFile {
  const file = {
    format: EXPORT_FORMAT,
    origin: origin ?? null,
    readAt: document.head.readAtMs,
    madeAt: madeAtMs,
    contentHash,
    content: contentOf(document),
  };
  // As it is hashed: fields in their order, and those that are undefined left out. Its form is that of the contract.
  return JSON.parse(canonicalJson(file)) as InvestigationFile;
}
