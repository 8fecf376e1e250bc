import { setImmediate as letOthersGo } from "node:timers/promises";
import { readRawSample } from "#lib/domain/snapshot/from-raw.ts";
import { splitRawText } from "#lib/domain/snapshot/raw-text.ts";
import { instantText, SNAPSHOT_LIMITS } from "#lib/domain/snapshot/schema.ts";
import { AppError } from "#lib/errors.ts";
import { mediaType, readInflated } from "./read-body.ts";
import { checkCount, type SnapshotBody } from "./read-snapshot-body.ts";

/** Beside plain text what `curl --data-binary` says when it is not told. */
const TYPES = new Set(["text/plain", "application/octet-stream", "application/x-www-form-urlencoded"]);

/**
 * Reads the body of `POST /api/v1/raw`: kernel files as `tail -n +1` prints them, of one time or of several; optionally
 * gzip. Throws as `readSnapshotBody` does, and `unprocessable` for a text without any file.
 *
 * @param given.at epoch milliseconds, for files that stand under no time of their own.
 */
export async function readRawBody(
  request: Request,
  given: { node: string; at: number },
): Promise<SnapshotBody> {
  const type = mediaType(request) ?? "text/plain";
  if (!TYPES.has(type)) {
    throw new AppError("unsupported_media_type", "Expected Content-Type text/plain.");
  }
  const bytes = await readInflated(request, {
    maxCompressedBytes: SNAPSHOT_LIMITS.compressedBodyBytes,
    maxBytes: SNAPSHOT_LIMITS.bodyBytes,
  });
  // Not fatal: a stray byte in one file, or in the name of a directory, spoils no more than itself.
  const samples = splitRawText(new TextDecoder().decode(bytes));
  if (samples.length === 0) {
    throw new AppError(
      "unprocessable",
      "Expected kernel files with `==> path <==` before each, as `tail -n +1 FILE FILE` prints them.",
    );
  }
  checkCount(samples.length);
  const [first] = samples;
  const body = {
    single: samples.length === 1 && first?.at === undefined,
    items: [] as unknown[],
    indexes: [] as number[],
    rejected: [] as SnapshotBody["rejected"],
    warnings: [] as { index: number; detail: string }[],
  };
  for (const [index, sample] of samples.entries()) {
    // A long spool must not keep everybody else waiting.
    if (index > 0) await letOthersGo();
    const at = sample.at === undefined ? given.at : instantText.safeParse(sample.at).data;
    if (at === undefined) {
      body.rejected.push({ index, code: "invalid", detail: "at: expected ISO 8601 or epoch milliseconds" });
      continue;
    }
    const { snapshot, fault, warnings } = readRawSample(sample, { node: given.node, at });
    if (snapshot === undefined) {
      body.rejected.push({ index, code: "invalid", detail: fault ?? "no snapshot could be made of it" });
      continue;
    }
    body.items.push(snapshot);
    body.indexes.push(index);
    for (const detail of warnings) body.warnings.push({ index, detail: detail.slice(0, 500) });
  }
  return body;
}
