import type { HistoryImport, StartImport } from "#lib/contracts/history-import.ts";
import { AppError } from "#lib/errors.ts";
import { appendAudit } from "#lib/server/data/audit.ts";
import { findImport, insertImport, type ImportRow } from "#lib/server/data/imports.ts";
import { writeRecords } from "#lib/server/data/records.ts";
import { callWorker, IMPORT_TASK } from "#lib/server/data/worker-queue.ts";
import { actorName, type Context } from "./context.ts";
import { describeImport, NO_COUNTS } from "./describe-import.ts";

const HOUR_MS = 3_600_000;

/**
 * Notes an import, for the worker or the command line to run. Its window is widened to whole hours, so that roll-ups of an
 * hour are whole; it ends at the latest now.
 * @throws AppError `unprocessable` for a window that lies ahead.
 */
export async function startImport({
  ctx,
  input,
}: {
  ctx: Context;
  input: StartImport & { runner: ImportRow["runner"] };
}): Promise<HistoryImport> {
  const nowMs = ctx.now();
  const fromMs = Math.floor(input.from / HOUR_MS) * HOUR_MS;
  const toMs = Math.min(nowMs, Math.ceil(input.to / HOUR_MS) * HOUR_MS);
  if (toMs <= fromMs) {
    throw new AppError("unprocessable", "The window lies ahead: there is nothing to import yet.", {
      issues: [{ path: "from", message: "expected a time in the past" }],
    });
  }
  const { url, cluster, match, nodeLabel, stepSeconds, bearer, runner } = input;
  const importId = await insertImport(ctx.db, {
    ...{ nowMs, url, cluster, fromMs, toMs, match, nodeLabel, stepSeconds, bearer, runner },
    createdBy: actorName(ctx.actor),
    counts: NO_COUNTS,
  });
  await writeRecords(ctx.db, (tables) =>
    appendAudit(tables, {
      atMs: nowMs,
      actor: actorName(ctx.actor),
      action: "import.start",
      subject: `import ${importId}`,
      detail: { url, cluster, from: fromMs, to: toMs, match },
    }),
  );
  if (runner === "worker") await callWorker(ctx.db, IMPORT_TASK);
  const row = await findImport(ctx.db, importId);
  if (!row) throw new AppError("internal", "The import was not stored.");
  return describeImport(row);
}
