import { AppError } from "#lib/errors.ts";
import { appendAudit } from "#lib/server/data/audit.ts";
import { appendInvestigationRevision, type FieldValues } from "#lib/server/data/investigation-revisions.ts";
import { touchInvestigation } from "#lib/server/data/investigations.ts";
import { insertEntry } from "#lib/server/data/log-entries.ts";
import { writeRecords, type Tables } from "#lib/server/data/records.ts";
import type { Writer } from "#lib/server/data/written.ts";
import { changedFields } from "./changed-fields.ts";
import { actorName, type Context } from "./context.ts";

/** What a write leaves in the records of an investigation. */
export interface InvestigationChange {
  /** `investigation`, `hypothesis 3`, `pin 2` or `entry 7`. */
  readonly subject: string;
  readonly action: "created" | "changed" | "deleted";
  /** The fields that differ. */
  readonly before: FieldValues;
  readonly after: FieldValues;
  /** Texts that are saved while they are typed: many saves are one change. */
  readonly typed?: boolean;
  /** A line for the log, plain text. */
  readonly logged?: string | undefined;
}

/** The change of what was made, with some of its fields. */
export function creationOf<Fields extends object>(
  subject: string,
  names: readonly (keyof Fields & string)[],
  made: Fields,
): InvestigationChange {
  return { subject, action: "created", before: {}, after: pickFields(names, made) };
}

/** The change of what was taken away, with some of its fields. */
export function removalOf<Fields extends object>(
  subject: string,
  names: readonly (keyof Fields & string)[],
  found: Fields,
): InvestigationChange {
  return { subject, action: "deleted", before: pickFields(names, found), after: {} };
}

/** Whoever writes now. */
export function writerOf(ctx: Context): Writer {
  return { actor: actorName(ctx.actor), nowMs: ctx.now() };
}

/** How what an actor writes was made. */
export function madeBy({ actor }: Pick<Context, "actor">): "person" | "api" {
  return actor.kind === "token" ? "api" : "person";
}

/**
 * Runs one write on an investigation in one transaction with all that tells of it: its history, the audit trail, and a line of the
 * log. `work` returns what was written and the change; without a change nothing is told.
 */
export async function writeInvestigation<Result>(
  ctx: Context,
  work: (
    tables: Tables,
    writer: Writer,
  ) => Promise<{ result: Result; investigationId: number; change: InvestigationChange | undefined }>,
): Promise<Result> {
  const writer = writerOf(ctx);
  return writeRecords(ctx.db, async (tables) => {
    const { result, investigationId, change } = await work(tables, writer);
    if (change === undefined) return result;
    const { subject, action, before, after, typed = false, logged } = change;
    await appendInvestigationRevision(tables, investigationId, { subject, action, before, after }, writer, {
      typed,
    });
    await touchInvestigation(tables, investigationId, writer);
    await appendAudit(tables, {
      atMs: writer.nowMs,
      actor: writer.actor,
      action: `investigation.${subject === "investigation" ? action : `part-${action}`}`,
      subject: `investigation ${investigationId}`,
      detail: { part: subject, fields: Object.keys(after) },
    });
    if (logged !== undefined) {
      await insertEntry(
        tables,
        investigationId,
        { atMs: writer.nowMs, kind: "change", text: logged, madeBy: madeBy(ctx) },
        writer,
      );
    }
    return result;
  });
}

/** The fields of `names` that differ, as they stood before and after; undefined where none does. */
export function differing<Fields extends object>(
  names: readonly (keyof Fields & string)[],
  before: Fields,
  after: Fields,
): { before: FieldValues; after: FieldValues } | undefined {
  const differ = changedFields(names, before, after);
  if (differ.length === 0) return undefined;
  return { before: pickFields(differ, before), after: pickFields(differ, after) };
}

/** Some fields by name, as JSON holds them. */
function pickFields<Fields extends object>(
  names: readonly (keyof Fields & string)[],
  fields: Fields,
): FieldValues {
  return JSON.parse(
    JSON.stringify(Object.fromEntries(names.map((name) => [name, fields[name]]))),
  ) as FieldValues;
}

/** The refusal of a save over a newer version, with both texts. */
export function versionConflict(what: string, current: unknown, sent: unknown): AppError {
  return new AppError("conflict", `Someone else changed this ${what} meanwhile.`, {
    conflict: { current, sent },
  });
}
