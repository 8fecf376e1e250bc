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

/**
 * The head of an investigation that came from a file, as it stands now: the very one that came while nobody changed anything, so
 * that what is taken along again has the same content; else what was changed, over what only the file knows.
 */
export function importedHead({ head: came }: ImportedInvestigation, now: SharedHead): SharedHead {
  const pins = new Map(came.pins.map((pin) => [pin.number, pin]));
  const keyOf = ({ at, kind, text, createdBy }: SharedHead["entries"][number]) =>
    canonicalJson([at, kind, text, createdBy]);
  const entryIds = new Map(came.entries.map((entry) => [keyOf(entry), entry.entryId]));
  const merged: SharedHead = {
    ...now,
    openedBy: came.openedBy,
    openedAt: came.openedAt,
    changedAt: came.changedAt,
    nodes: came.nodes,
    zone: came.zone,
    readAtMs: came.readAtMs,
    pins: now.pins.map((pin) => ({ ...pin, address: pins.get(pin.number)?.address ?? "" })),
    entries: now.entries.map((entry) => ({
      ...entry,
      entryId: entryIds.get(keyOf(entry)) ?? -entry.entryId,
    })),
  };
  return canonicalJson(merged) === canonicalJson(came) ? came : { ...merged, changedAt: now.changedAt };
}
