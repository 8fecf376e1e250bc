import type { ChangeImport, HistoryImport } from "#lib/contracts/history-import.ts";
import { AppError } from "#lib/errors.ts";
import { appendAudit } from "#lib/server/data/audit.ts";
import { findImport, setImportStatus } from "#lib/server/data/imports.ts";
import { writeRecords } from "#lib/server/data/records.ts";
import { callWorker, IMPORT_TASK } from "#lib/server/data/worker-queue.ts";
import { actorName, type Context } from "./context.ts";
import { describeImport } from "./describe-import.ts";

/**
 * Stops an import, or lets the worker go on with one that was stopped or has failed. What is stored stays; one that runs stops
 * after the window in hand.
 * @throws AppError `not_found`; `conflict` for an import that is over, or runs already.
 */
export async function changeImport({
  ctx,
  input,
}: {
  ctx: Context;
  input: ChangeImport & { importId: number };
}): Promise<HistoryImport> {
  const nowMs = ctx.now();
  const { importId, action } = input;
  const found = await findImport(ctx.db, importId);
  if (!found) throw new AppError("not_found", `There is no import ${importId}.`);
  const changed = await setImportStatus(
    ctx.db,
    importId,
    input.action === "cancel"
      ? { from: ["queued", "running", "paused", "failed"], to: "cancelled", nowMs }
      : {
          from: ["paused", "failed", "cancelled"],
          to: "queued",
          nowMs,
          runner: "worker",
          bearer: input.bearer,
        },
  );
  if (!changed) throw new AppError("conflict", `Import ${importId} is ${found.status}.`);
  await writeRecords(ctx.db, (tables) =>
    appendAudit(tables, {
      ...{ atMs: nowMs, actor: actorName(ctx.actor), action: `import.${action}` },
      ...{ subject: `import ${importId}`, detail: { url: found.url } },
    }),
  );
  if (action === "resume") await callWorker(ctx.db, IMPORT_TASK);
  return describeImport((await findImport(ctx.db, importId)) ?? found);
}
