import type { CreateEntry, Entry, EntryList, UpdateEntry } from "#lib/contracts/investigation.ts";
import { AppError } from "#lib/errors.ts";
import { hidePart } from "#lib/server/data/investigation-parts.ts";
import { findEntry, insertEntry, listEntries, replaceEntry } from "#lib/server/data/log-entries.ts";
import type { Context } from "./context.ts";
import { describeEntry } from "./describe-investigation.ts";
import { findEditableInvestigation, findVisibleInvestigation } from "./find-editable-investigation.ts";
import {
  creationOf,
  differing,
  madeBy,
  removalOf,
  versionConflict,
  writeInvestigation,
} from "./write-investigation.ts";

const FIELDS = ["atMs", "text"] as const;
const subjectOf = (entryId: number) => `entry ${entryId}`;

/**
 * The log of an investigation, newest first: what people wrote, and what the program saw.
 * @throws AppError `not_found`.
 */
export async function listLogEntries({
  ctx,
  input: { investigationId, limit, offset },
}: {
  ctx: Context;
  input: { investigationId: number; limit: number; offset: number };
}): Promise<EntryList> {
  await findVisibleInvestigation(ctx, investigationId);
  const { rows, total } = await listEntries(ctx.db.prisma, investigationId, { limit, offset });
  return { entries: rows.map(describeEntry), total };
}

/**
 * Writes a note to the log.
 * @throws AppError `not_found`, `forbidden`.
 */
export async function addLogEntry({
  ctx,
  input: { investigationId, entry },
}: {
  ctx: Context;
  input: { investigationId: number; entry: CreateEntry };
}): Promise<Entry> {
  await findEditableInvestigation(ctx, investigationId);
  const row = await writeInvestigation(ctx, async (tables, writer) => {
    const made = await insertEntry(
      tables,
      investigationId,
      { atMs: entry.at ?? writer.nowMs, kind: "note", text: entry.text, madeBy: madeBy(ctx) },
      writer,
    );
    const change = creationOf(subjectOf(made.entryId), FIELDS, made);
    return { result: made, investigationId, change };
  });
  return describeEntry(row);
}

async function findNote(ctx: Context, investigationId: number, entryId: number) {
  await findEditableInvestigation(ctx, investigationId);
  const found = await findEntry(ctx.db.prisma, investigationId, entryId);
  if (found === undefined)
    throw new AppError("not_found", `There is no entry ${entryId} in investigation ${investigationId}.`);
  return found;
}

/**
 * Changes a note.
 * @throws AppError `not_found`, `forbidden`; `unprocessable` for what the program wrote, which is a record; `conflict` with both
 * texts when the version is an older one.
 */
export async function changeLogEntry({
  ctx,
  input: { investigationId, entryId, changes },
}: {
  ctx: Context;
  input: { investigationId: number; entryId: number; changes: UpdateEntry };
}): Promise<Entry> {
  const found = await findNote(ctx, investigationId, entryId);
  if (found.kind !== "note")
    throw new AppError(
      "unprocessable",
      "What the program wrote is a record: it can be taken away, not changed.",
    );
  if (changes.version !== found.version) throw versionConflict("entry", describeEntry(found), changes);
  const fields = { atMs: changes.at ?? found.atMs, text: changes.text ?? found.text };
  const change = differing(FIELDS, { atMs: found.atMs, text: found.text }, fields);
  if (change === undefined) return describeEntry(found);
  const row = await writeInvestigation(ctx, async (tables, writer) => {
    const replaced = await replaceEntry(tables, entryId, changes.version, fields, writer);
    if (replaced === undefined) return { result: undefined, investigationId, change: undefined };
    const told = { subject: subjectOf(entryId), action: "changed" as const, ...change, typed: true };
    return { result: replaced, investigationId, change: told };
  });
  if (row === undefined)
    throw versionConflict("entry", describeEntry(await findNote(ctx, investigationId, entryId)), changes);
  return describeEntry(row);
}

/**
 * Takes an entry away, whoever wrote it; the history keeps it, and the program does not write it again.
 * @throws AppError `not_found`, `forbidden`.
 */
export async function removeLogEntry({
  ctx,
  input: { investigationId, entryId },
}: {
  ctx: Context;
  input: { investigationId: number; entryId: number };
}): Promise<void> {
  const found = await findNote(ctx, investigationId, entryId);
  await writeInvestigation(ctx, async (tables, { nowMs }) => {
    await hidePart(tables, "logEntry", entryId, nowMs);
    const change = removalOf(subjectOf(entryId), [...FIELDS, "kind"], found);
    return { result: undefined, investigationId, change };
  });
}
