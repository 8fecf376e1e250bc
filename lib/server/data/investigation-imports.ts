import { randomBytes } from "node:crypto";
import type { Entry, PinKind } from "#lib/contracts/investigation.ts";
import type { HypothesisFields } from "./investigation-parts.ts";
import type { Tables } from "./records.ts";
import { createdColumns, type Writer } from "./written.ts";

/**
 * What came with an import is kept as the content of a share of this kind, which never had a link: nobody has its token, and it is
 * revoked from the beginning.
 */
const IMPORT = "import";

/** Where an investigation came from; times in epoch milliseconds. */
export interface ImportFacts {
  /** The Plumbline that it was read from; null where names were replaced. */
  origin: string | null;
  readAtMs: number;
  importedBy: string;
  importedAtMs: number;
  contentHash: string;
}

/** What is kept of an import. */
export interface ImportRow extends ImportFacts {
  /** The whole file, canonical JSON. */
  content: string;
}

const facts = { origin: true, readAt: true, createdBy: true, createdAt: true, contentHash: true } as const;

function toFacts(row: {
  origin: string | null;
  readAt: Date | null;
  createdBy: string;
  createdAt: Date;
  contentHash: string | null;
}): ImportFacts {
  return {
    origin: row.origin,
    readAtMs: (row.readAt ?? row.createdAt).getTime(),
    importedBy: row.createdBy,
    importedAtMs: row.createdAt.getTime(),
    contentHash: row.contentHash ?? "",
  };
}

/** Keeps the file of an import. Belongs into the transaction that makes its investigation. */
export async function insertInvestigationImport(
  tables: Pick<Tables, "shareLink" | "frozenShare">,
  investigationId: number,
  { origin, readAtMs, importedBy, importedAtMs, contentHash, content }: ImportRow,
): Promise<void> {
  const at = new Date(importedAtMs);
  const { id: shareId } = await tables.shareLink.create({
    data: {
      investigationId,
      tokenHash: randomBytes(32).toString("hex"),
      kind: IMPORT,
      redacted: false,
      createdBy: importedBy,
      createdAt: at,
      revokedAt: at,
      frozenAt: at,
      contentHash,
      origin,
      readAt: new Date(readAtMs),
    },
    select: { id: true },
  });
  await tables.frozenShare.create({ data: { shareId, content }, select: { shareId: true } });
}

/** The file that an investigation came from; undefined where it was opened here. */
export async function findInvestigationImport(
  tables: Pick<Tables, "shareLink">,
  investigationId: number,
): Promise<ImportRow | undefined> {
  const row = await tables.shareLink.findFirst({
    where: { investigationId, kind: IMPORT },
    select: { ...facts, frozen: { select: { content: true } } },
  });
  return row?.frozen == null ? undefined : { ...toFacts(row), content: row.frozen.content };
}

/** Where these investigations came from; those that were opened here are not in it. */
export async function listInvestigationImports(
  tables: Pick<Tables, "shareLink">,
  investigationIds: readonly number[],
): Promise<ReadonlyMap<number, ImportFacts>> {
  const rows = await tables.shareLink.findMany({
    where: { investigationId: { in: [...investigationIds] }, kind: IMPORT },
    take: investigationIds.length,
    select: { ...facts, investigationId: true },
  });
  return new Map(rows.map((row) => [row.investigationId, toFacts(row)]));
}

/** Parts of an investigation as they came, with the numbers, moments and authors that they had. */
export interface ImportedParts {
  readonly hypotheses: readonly HypothesisFields[];
  readonly pins: readonly { number: number; kind: PinKind; caption: string; createdBy: string }[];
  /** Newest first. */
  readonly entries: readonly Pick<Entry, "at" | "kind" | "text" | "madeBy" | "createdBy">[];
}

/** Stores the parts of an investigation that came from a file. */
export async function insertImportedParts(
  tables: Pick<Tables, "hypothesis" | "pin" | "logEntry">,
  investigationId: number,
  { hypotheses, pins, entries }: ImportedParts,
  writer: Writer,
): Promise<void> {
  await tables.hypothesis.createMany({
    data: hypotheses.map(({ text, state, evidence }) => ({
      investigationId,
      text,
      state,
      evidence: [...evidence],
      ...createdColumns(writer),
    })),
  });
  await tables.pin.createMany({
    data: pins.map(({ number, kind, caption, createdBy }, position) => ({
      investigationId,
      number,
      kind,
      caption,
      position,
      address: "",
      ...createdColumns({ ...writer, actor: createdBy }),
    })),
  });
  await tables.logEntry.createMany({
    // Of one moment the later has the higher id, as where they were written.
    data: entries.toReversed().map(({ at, kind, text, madeBy, createdBy }) => ({
      investigationId,
      at: new Date(at),
      kind,
      text,
      madeBy,
      nodeIds: [],
      ...createdColumns({ ...writer, actor: createdBy }),
    })),
  });
}
