import { gzipSync } from "node:zlib";
import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import type { IngestReceipt } from "#lib/contracts/ingest.ts";
import { call, type Answer } from "./api.ts";

/** Pushes snapshots as a collector does: gzip NDJSON. */
export function push(server: string, token: string, snapshots: readonly object[]): Promise<Answer> {
  return call(server, "/api/v1/snapshots", {
    method: "POST",
    token,
    headers: { "content-type": "application/x-ndjson", "content-encoding": "gzip" },
    body: gzipSync(snapshots.map((each) => JSON.stringify(each)).join("\n")),
  });
}

/** The receipt of an answer; throws for any other status than 200. */
export function receiptOf({ status, text }: Answer): IngestReceipt {
  if (status !== 200) throw new Error(`expected a receipt, got ${status}: ${text.slice(0, 300)}`);
  return JSON.parse(text) as IngestReceipt;
}

/** A snapshot of another node, boot and time; `uptimeSeconds` follows the time. */
export function snapshotOf(
  base: SnapshotInput,
  changes: { node: string; at: number; bootId: string; bootedAtMs: number },
): SnapshotInput {
  const { bootedAtMs, ...rest } = changes;
  return { ...base, ...rest, uptimeSeconds: Math.max(0, (changes.at - bootedAtMs) / 1000) };
}
