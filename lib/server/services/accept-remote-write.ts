import { gatherScrapes, type SeriesSamples } from "#lib/domain/prometheus/assemble-scrapes.ts";
import { SNAPSHOT_LIMITS } from "#lib/domain/snapshot/schema.ts";
import { AppError } from "#lib/errors.ts";
import { config } from "#lib/server/config.ts";
import { mergeScrapeParts, type ScrapePart } from "#lib/server/data/scrape-parts.ts";
import { databaseAway } from "#lib/server/data/transaction.ts";
import { isDatabaseAway } from "#lib/server/database-away.ts";
import type { Context } from "./context.ts";

const DAY_MS = 86_400_000;

/** What became of the samples of one request. */
export interface RemoteWriteReceipt {
  /** Of series that Plumbline needs. */
  readonly kept: number;
  /** Of series that it does not need, or of no node. */
  readonly dropped: number;
  /** Older than snapshots are kept, or ahead of the server's clock. */
  readonly outOfTime: number;
}

/**
 * Keeps the samples of one request of remote write, durable when it returns: beside what other requests told of the same
 * moments, until `settleScrapes` makes snapshots of them. The same request twice is harmless.
 *
 * @param input.nodeLabel the label that names the nodes; by default `node`, else `instance` without its port.
 * @throws AppError `forbidden` for an actor without a cluster, `unavailable` when the database is away.
 */
export async function acceptRemoteWrite({
  ctx,
  input,
}: {
  ctx: Context;
  input: { series: readonly SeriesSamples[]; nodeLabel?: string | undefined };
}): Promise<RemoteWriteReceipt> {
  const { actor } = ctx;
  if (actor.kind !== "token" || actor.clusterId === undefined) {
    throw new AppError("forbidden", "Expected a token of one cluster.");
  }
  const nowMs = ctx.now();
  const gathered = gatherScrapes(input.series, input.nodeLabel);
  const all = input.series.reduce((sum, { samples }) => sum + samples.length, 0);
  const parts: ScrapePart[] = [];
  let outOfTime = 0;
  for (const [node, { hosts, moments }] of gathered.nodes) {
    if (node.length > SNAPSHOT_LIMITS.nodeNameChars || node.includes("\u0000") || !node.isWellFormed())
      continue;
    const [host] = hosts;
    const isSound = host !== undefined && !host.includes("\u0000") && host.isWellFormed();
    for (const [atMs, fields] of moments) {
      const isOld = atMs < nowMs - config().retention.rawDays * DAY_MS;
      if (isOld || atMs > nowMs + SNAPSHOT_LIMITS.clockAheadMs) outOfTime += Object.keys(fields).length;
      else {
        parts.push({ clusterId: actor.clusterId, node, atMs, fields, host: isSound ? host : undefined });
      }
    }
  }
  try {
    await mergeScrapeParts(ctx.db, parts, nowMs);
  } catch (error) {
    throw isDatabaseAway(error) ? databaseAway(error) : error;
  }
  const dropped = gathered.droppedSamples;
  return { kept: Math.max(0, all - dropped - outOfTime), dropped, outOfTime };
}
