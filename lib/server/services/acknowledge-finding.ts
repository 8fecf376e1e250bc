import type { FindingWithHistory } from "#lib/contracts/finding.ts";
import { AppError } from "#lib/errors.ts";
import { appendAudit } from "#lib/server/data/audit.ts";
import { changeFindingState, listFindingChanges, readFindings } from "#lib/server/data/findings.ts";
import { findNode } from "#lib/server/data/nodes.ts";
import { writeRecords } from "#lib/server/data/records.ts";
import { actorName, type Context } from "./context.ts";
import { describe, withHistory } from "./list-findings.ts";
import { mayBeSeenBy } from "./resolve-scope.ts";

/**
 * Notes that a person has seen a finding, and what they say about it. One that is acknowledged already gets another note.
 * @throws AppError `not_found`; `conflict` for one that is resolved, and when it was changed meanwhile.
 */
export async function acknowledgeFinding({
  ctx,
  input: { findingId, note },
}: {
  ctx: Context;
  input: { findingId: number; note: string };
}): Promise<FindingWithHistory> {
  const before = await findVisible(ctx, findingId);
  if (before.state === "resolved") {
    throw new AppError(
      "conflict",
      "This finding is resolved; there is nothing to acknowledge until it returns.",
    );
  }
  const nowMs = ctx.now();
  const actor = actorName(ctx.actor);
  await writeRecords(ctx.db, async (tables) => {
    const isDone = await changeFindingState(tables, {
      ...{ findingId, from: before.state, to: "acknowledged", actor, note, nowMs },
    });
    if (!isDone) throw new AppError("conflict", "This finding was changed meanwhile.");
    await appendAudit(tables, {
      atMs: nowMs,
      actor,
      action: "finding.acknowledge",
      subject: `finding ${findingId}`,
      detail: { nodeId: before.nodeId, signature: before.signature, note },
    });
  });
  const [after, changes] = await Promise.all([
    findVisible(ctx, findingId),
    listFindingChanges(ctx.db.prisma, [findingId]),
  ]);
  return withHistory(after, changes);
}

async function findVisible(ctx: Context, findingId: number) {
  const row = (await readFindings(ctx.db, [findingId])).get(findingId);
  const node = row && (await findNode(ctx.db, row.nodeId));
  const found = row && node && mayBeSeenBy(ctx)(node) ? describe(row, node) : undefined;
  if (found === undefined) throw new AppError("not_found", `There is no finding ${findingId}.`);
  return found;
}
