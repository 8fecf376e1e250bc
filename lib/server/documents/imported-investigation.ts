import type { EffectReading, PinReading } from "#lib/charts/pin-reading.ts";
import type { SharedDocument, SharedHead } from "#lib/charts/shared-document.ts";
import { canonicalJson } from "#lib/contracts/canonical-json.ts";
import type { InvestigationFile } from "#lib/contracts/investigation-content.ts";
import type { Database } from "#lib/server/data/client.ts";
import { findInvestigationImport } from "#lib/server/data/investigation-imports.ts";

/** An investigation that came from a file, as it came. */
export interface ImportedInvestigation {
  readonly head: SharedHead;
  /** By the number of the pin. */
  readonly readings: Readonly<Record<number, PinReading>>;
  /** By how a text refers to them, without addresses: they lead to nodes that are not here. */
  readonly effects: Readonly<Record<string, EffectReading>>;
}

/** What came with an investigation; undefined where it was opened here. */
export async function readImported(
  db: Database,
  investigationId: number,
): Promise<ImportedInvestigation | undefined> {
  const row = await findInvestigationImport(db.prisma, investigationId);
  if (row === undefined) return undefined;
  // Checked against the contract when it came in, and never changed since.
  const { readAt, content } = JSON.parse(row.content) as Omit<InvestigationFile, "content"> & {
    readonly content: SharedDocument;
  };
  const { head, readings, effects } = content;
  return {
    head: { ...head, readAtMs: readAt },
    readings,
    effects,
  };
}

/** Who wrote something elsewhere: a file may name anybody, so that its authors must not read as people of this Plumbline. */
export function importedAuthor(name: string): string {
  return `${name} (imported)`;
}

/**
 * The head of an investigation that came from a file, as it stands now: the very one that came while nobody changed anything, so
 * that what is taken along again has the same content; else what was changed, over what only the file knows. Authors stand in it as
 * in the file.
 */
export function importedHead({ head: came }: ImportedInvestigation, now: SharedHead): SharedHead {
  const pins = new Map(came.pins.map((pin) => [pin.number, pin]));
  const keyOf = ({ at, kind, text, createdBy }: SharedHead["entries"][number]) =>
    canonicalJson([at, kind, text, createdBy]);
  const entries = new Map(
    came.entries.map((entry) => [keyOf({ ...entry, createdBy: importedAuthor(entry.createdBy) }), entry]),
  );
  // What was written here gets ids that nothing of the file has.
  const below = Math.min(0, ...came.entries.map(({ entryId }) => entryId));
  const merged: SharedHead = {
    ...now,
    openedBy: came.openedBy,
    openedAt: came.openedAt,
    changedAt: came.changedAt,
    nodes: came.nodes,
    zone: came.zone,
    readAtMs: came.readAtMs,
    pins: now.pins.map((pin) => ({ ...pin, address: "", ...authorAndAddress(pins.get(pin.number)) })),
    entries: now.entries.map((entry) => {
      const { entryId, createdBy } = entries.get(keyOf(entry)) ?? {
        entryId: below - entry.entryId,
        createdBy: entry.createdBy,
      };
      return { ...entry, entryId, createdBy };
    }),
  };
  return canonicalJson(merged) === canonicalJson(came) ? came : { ...merged, changedAt: now.changedAt };
}

function authorAndAddress(pin: SharedHead["pins"][number] | undefined) {
  return pin && { address: pin.address, createdBy: pin.createdBy };
}

/** A head as `importedHead` makes it, to be read: authors that the file names are said to be of elsewhere. */
export function headWithOrigins({ head: came }: ImportedInvestigation, head: SharedHead): SharedHead {
  const pins = new Set(came.pins.map(({ number }) => number));
  const entries = new Set(came.entries.map(({ entryId }) => entryId));
  return {
    ...head,
    openedBy: importedAuthor(head.openedBy),
    pins: head.pins.map((pin) =>
      pins.has(pin.number) ? { ...pin, createdBy: importedAuthor(pin.createdBy) } : pin,
    ),
    entries: head.entries.map((entry) =>
      entries.has(entry.entryId) ? { ...entry, createdBy: importedAuthor(entry.createdBy) } : entry,
    ),
  };
}

/** A view to be read: where it came with a file, the authors of its marks are said to be of elsewhere too. */
export function readingWithOrigins(
  { readings }: ImportedInvestigation,
  number: number | string,
  reading: PinReading,
): PinReading {
  if (!Object.hasOwn(readings, number) || !("node" in reading)) return reading;
  const annotations = reading.node.annotations.map((mark) => ({
    ...mark,
    author: importedAuthor(mark.author),
  }));
  return { ...reading, node: { ...reading.node, annotations } };
}
