import type { HistoryImport, StartImport } from "#lib/contracts/history-import.ts";
import { findUnfinishedImport, setImportStatus, type ImportRow } from "#lib/server/data/imports.ts";
import type { Context } from "./context.ts";
import { describeImport } from "./describe-import.ts";

/**
 * The import of the same history that was stopped half-way, queued again so that it can be gone on with; undefined when
 * there is none. Its own window counts: `now-30d` is another moment each time.
 */
export async function findUnfinished({
  ctx,
  input,
}: {
  ctx: Context;
  input: Pick<StartImport, "url" | "cluster" | "match" | "nodeLabel" | "stepSeconds"> & {
    runner: ImportRow["runner"];
  };
}): Promise<HistoryImport | undefined> {
  const row = await findUnfinishedImport(ctx.db, {
    ...{ url: input.url, cluster: input.cluster, match: input.match, runner: input.runner },
    ...{ nodeLabel: input.nodeLabel, stepSeconds: input.stepSeconds },
  });
  if (!row) return undefined;
  await setImportStatus(ctx.db, row.importId, {
    from: ["paused", "failed"],
    to: "queued",
    nowMs: ctx.now(),
  });
  return describeImport(row);
}
