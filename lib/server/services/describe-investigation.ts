import { entry, hypothesis, investigation, pin } from "#lib/contracts/investigation.ts";
import type { Entry, Hypothesis, Imported, Investigation, Pin } from "#lib/contracts/investigation.ts";
import { listInvestigationImports, type ImportFacts } from "#lib/server/data/investigation-imports.ts";
import {
  listHypotheses,
  listPins,
  type HypothesisRow,
  type PinRow,
} from "#lib/server/data/investigation-parts.ts";
import type { InvestigationRow } from "#lib/server/data/investigations.ts";
import type { EntryRow } from "#lib/server/data/log-entries.ts";
import type { Written } from "#lib/server/data/written.ts";
import type { Context } from "./context.ts";
import { findVisibleInvestigation } from "./find-editable-investigation.ts";

function writtenOf({ version, createdBy, createdAtMs, updatedBy, updatedAtMs }: Written) {
  return { version, createdBy, createdAt: createdAtMs, updatedBy, updatedAt: updatedAtMs };
}

/** The head of a stored investigation as the contract has it. */
export function describeHead(row: InvestigationRow) {
  const { scope, status } = investigation.shape;
  return {
    investigationId: row.investigationId,
    title: row.title,
    status: status.parse(row.status),
    scope: scope.parse(row.scope),
    nodeIds: row.nodeIds,
    window: { from: row.windowFromMs, to: row.windowToMs },
    people: row.people,
    ...writtenOf(row),
  };
}

/** Where an investigation came from as the contract has it; null where it was opened here. */
export function describeImport(facts: ImportFacts | undefined): Imported | null {
  if (facts === undefined) return null;
  const { origin, readAtMs, importedBy, importedAtMs, contentHash } = facts;
  return { origin, readAt: readAtMs, importedBy, importedAt: importedAtMs, contentHash };
}

/** A stored hypothesis as the contract has it. */
export function describeHypothesis(row: HypothesisRow): Hypothesis {
  const { hypothesisId, text, state, evidence } = row;
  return hypothesis.parse({ hypothesisId, text, state, evidence, ...writtenOf(row) });
}

/** A stored pin as the contract has it. */
export function describePin(row: PinRow): Pin {
  const { pinId, number, kind, address, caption, content, position } = row;
  return pin.parse({ pinId, number, kind, address, caption, content, position, ...writtenOf(row) });
}

/** A stored entry as the contract has it. */
export function describeEntry(row: EntryRow): Entry {
  const { entryId, atMs, kind, text, madeBy, annotationId, nodeIds } = row;
  return entry.parse({ entryId, at: atMs, kind, text, madeBy, annotationId, nodeIds, ...writtenOf(row) });
}

/** An investigation with its hypotheses and pins. */
export async function describeInvestigation(ctx: Context, row: InvestigationRow): Promise<Investigation> {
  const [hypotheses, pins, imports] = await Promise.all([
    listHypotheses(ctx.db.prisma, row.investigationId),
    listPins(ctx.db.prisma, row.investigationId),
    listInvestigationImports(ctx.db.prisma, [row.investigationId]),
  ]);
  return {
    ...describeHead(row),
    imported: describeImport(imports.get(row.investigationId)),
    conclusion: row.conclusion,
    text: row.text,
    hypotheses: hypotheses.map(describeHypothesis),
    pins: pins.map(describePin),
  };
}

/**
 * One investigation with its hypotheses and pins.
 * @throws AppError `not_found`.
 */
export async function getInvestigation({
  ctx,
  input: { investigationId },
}: {
  ctx: Context;
  input: { investigationId: number };
}): Promise<Investigation> {
  return describeInvestigation(ctx, await findVisibleInvestigation(ctx, investigationId));
}
