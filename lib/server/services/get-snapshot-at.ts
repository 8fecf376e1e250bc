import type { SnapshotAt } from "#lib/contracts/series.ts";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import { reconcileUsed } from "#lib/domain/memory/who-is-right.ts";
import { smemTable } from "#lib/domain/memory/smem-table.ts";
import { AppError } from "#lib/errors.ts";
import { SNAPSHOT_COLUMN_SOURCES } from "#lib/server/data/snapshot-columns.ts";
import { readFirstSnapshotMs, readSnapshotAt } from "#lib/server/data/snapshot-at.ts";
import type { Context } from "./context.ts";
import { momentText } from "./describe-moment.ts";
import { describeSources } from "./describe-sources.ts";
import { findVisibleNode } from "./find-visible-node.ts";
import { composeColumns } from "./metric-columns.ts";

/**
 * Everything that a node reported in its newest sample at or before a moment, with the table of `smem -w`.
 * @throws AppError `not_found` when there is no node, or no raw sample that old.
 */
export async function getSnapshotAt({
  ctx,
  input,
}: {
  ctx: Context;
  input: { nodeId: number; atMs: number };
}): Promise<SnapshotAt> {
  const [node, stored] = await Promise.all([
    findVisibleNode(ctx, input.nodeId),
    readSnapshotAt(ctx.db, input.nodeId, input.atMs),
  ]);
  if (stored === undefined) {
    throw new AppError("not_found", keptText(node.name, await readFirstSnapshotMs(ctx.db, input.nodeId)));
  }
  const { columns, meminfo, vmstat } = stored;
  const smem = smemTable((key) => meminfo[key], { kernelImageKib: columns.kernelImageKib ?? undefined });
  const composition = composeColumns((column) => columns[column], node.kernelRelease);
  return {
    nodeId: input.nodeId,
    at: stored.atMs,
    bootId: stored.bootId,
    uptimeSeconds: columns.uptimeMs === null ? null : columns.uptimeMs / 1000,
    extraAt: stored.extraAtMs,
    meminfo,
    vmstat,
    other: Object.fromEntries(
      SNAPSHOT_COLUMN_SOURCES.flatMap(({ column, metric }) => {
        const value = columns[column];
        const shown = metric.startsWith("meminfo.") || metric.startsWith("vmstat.");
        return shown || value === null ? [] : [[metric, value] as const];
      }),
    ),
    smem: (smem ?? []).map(({ label, usedKib, cacheKib, noncacheKib }) => ({
      area: label,
      usedKib: usedKib ?? null,
      cacheKib: cacheKib ?? null,
      noncacheKib: noncacheKib ?? null,
    })),
    usedMemory:
      composition === undefined
        ? null
        : reconcileUsed({
            composition,
            meminfo: (key) => meminfo[key],
            cgroupMode: node.cgroupMode ?? undefined,
          }),
    counters: stored.counters,
    details: Object.fromEntries(
      Object.entries(stored.details).map(([name, { atMs, value }]) => [name, { at: atMs, value }]),
    ),
    // How the sources were read is kept for the newest snapshot only.
    sources: node.atMs === stored.atMs ? describeSources(node.sources) : {},
  };
}

/** Since when there are whole samples of a node, for a time before. */
function keptText(written: string, firstMs: number | undefined): string {
  const name = isolatedText(written);
  return firstMs === undefined
    ? `No whole sample of ${name} is kept any more.`
    : `Whole samples of ${name} are kept since ${momentText(firstMs, "utc", 0)}; of the time before there are means of each counter at most.`;
}
