import { eventKind, personKind, type AnnotationKind } from "#lib/contracts/annotation.ts";
import type { EntryKind } from "#lib/contracts/investigation.ts";
import { findInvestigation, replaceInvestigation } from "#lib/server/data/investigations.ts";
import {
  insertProgramEntries,
  listUnloggedMarks,
  listUnloggedVerdicts,
  type ProgramEntry,
  type UnloggedMark,
  type UnloggedVerdict,
} from "#lib/server/data/log-entries.ts";
import { listNodeNames } from "#lib/server/data/nodes.ts";
import type { Context } from "./context.ts";
import { describeHead } from "./describe-investigation.ts";
import { writeInvestigation } from "./write-investigation.ts";

/** Most marks, and most verdicts, that one round writes; the next round writes the rest. */
const MOST = 2000;
/** Most names of nodes in a line. */
const NAMES = 3;

const HORIZONS: Readonly<Record<string, string>> = { "1h": "1 h", "6h": "6 h", "24h": "24 h", "7d": "7 d" };

/**
 * Writes to the logs of investigations what happened on their nodes within their windows: marks of people and of the machine,
 * reboots and how the boot before ended, and verdicts on what was tried; each once. An investigation that was resolved is
 * reopened when growth that had stopped returned.
 * @param input.investigationId of one alone; of all that go on where it is left out. @returns how many lines were new at most.
 */
export async function logInvestigationEvents({
  ctx,
  input: { investigationId },
}: {
  ctx: Context;
  input: { investigationId?: number | undefined };
}): Promise<{ found: number }> {
  const nowMs = ctx.now();
  const asked = { nowMs, limit: MOST, investigationId };
  const [marks, verdicts] = await Promise.all([
    listUnloggedMarks(ctx.db, asked),
    listUnloggedVerdicts(ctx.db, asked),
  ]);
  if (marks.length + verdicts.length === 0) return { found: 0 };
  const names = new Map((await listNodeNames(ctx.db)).map(({ nodeId, name }) => [nodeId, name]));
  const where = (nodeIds: readonly number[]) => {
    const known = nodeIds.slice(0, NAMES).map((nodeId) => names.get(nodeId) ?? `#${nodeId}`);
    const more = nodeIds.length > NAMES ? ` and ${nodeIds.length - NAMES} more` : "";
    return `${known.join(", ")}${more}`;
  };
  const entries = [
    ...marks.map((mark) => markEntry(mark, where(mark.nodeIds))),
    ...verdicts.map((verdict) => verdictEntry(verdict)),
  ];
  await insertProgramEntries(ctx.db, entries, nowMs);
  const returned = verdicts.filter(({ horizon }) => horizon === "return");
  for (const each of new Map(returned.map((verdict) => [verdict.investigationId, verdict])).values())
    await reopen(ctx, each);
  return { found: entries.length };
}

function markEntry(mark: UnloggedMark, where: string): ProgramEntry {
  const { investigationId, annotationId, atMs, nodeIds, title, text, author, madeBy } = mark;
  const said = text === null || text === "" ? title : `${title}: ${text}`;
  return {
    investigationId,
    annotationId,
    atMs,
    nodeIds,
    kind: entryKindOf(mark.kind),
    text: madeBy === "machine" ? `${where}: ${said}` : `${author} marked on ${where}: ${said}`,
    dedupeKey: `mark:${annotationId}`,
  };
}

function entryKindOf(kind: string): EntryKind {
  const people: readonly string[] = personKind.options;
  if (people.includes(kind)) return "mark";
  const reboot: AnnotationKind = "reboot";
  if (kind === reboot) return "reboot";
  const events: readonly string[] = eventKind.options;
  return events.includes(kind) ? "event" : "mark";
}

function verdictEntry(verdict: UnloggedVerdict): ProgramEntry {
  const { investigationId, annotationId, title, horizon, sentence, atMs, nodeIds, dedupeKey } = verdict;
  const returned = horizon === "return";
  const after = HORIZONS[horizon] ?? horizon;
  return {
    investigationId,
    annotationId,
    atMs,
    nodeIds,
    kind: returned ? "returned" : "verdict",
    text: returned ? `Growth returned after ${title}. ${sentence}` : `${title}, after ${after}: ${sentence}`,
    dedupeKey,
  };
}

/** What was resolved, and then grew again, is open again. */
async function reopen(ctx: Context, { investigationId, title }: UnloggedVerdict): Promise<void> {
  const row = await findInvestigation(ctx.db.prisma, investigationId);
  if (row?.status !== "resolved") return;
  const { scope } = describeHead(row);
  await writeInvestigation(ctx, async (tables, writer) => {
    const fields = { ...row, scope, status: "reopened" as const };
    const replaced = await replaceInvestigation(
      tables,
      investigationId,
      row.version,
      fieldsOf(fields),
      writer,
    );
    const change =
      replaced === undefined
        ? undefined
        : {
            subject: "investigation",
            action: "changed" as const,
            before: { status: "resolved" },
            after: { status: "reopened" },
            logged: `reopened the investigation: growth returned after ${title}`,
          };
    return { result: undefined, investigationId, change };
  });
}

function fieldsOf<Fields extends Parameters<typeof replaceInvestigation>[3]>(fields: Fields) {
  const { title, status, scope, nodeIds, windowFromMs, windowToMs, conclusion, text, people } = fields;
  return { title, status, scope, nodeIds, windowFromMs, windowToMs, conclusion, text, people };
}
