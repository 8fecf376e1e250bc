import type { IngestReceipt } from "#lib/contracts/ingest.ts";
import { SNAPSHOT_LIMITS } from "#lib/domain/snapshot/schema.ts";
import { AppError } from "#lib/errors.ts";
import { mediaType, parseJson, readInflated, tryParseJson } from "./read-body.ts";

type Rejection = IngestReceipt["rejected"][number];

/** What a body holds, before any of it is validated. */
export interface SnapshotBody {
  /** One snapshot by itself, as opposed to a batch that may hold one: its rejection is the answer. */
  single: boolean;
  /** What could be read. */
  items: unknown[];
  /** Place of each item in the body, from 0. */
  indexes: number[];
  /** What could not: a line that is no JSON spoils only itself. */
  rejected: Rejection[];
  /** What was passed over in what could be read, by its place in the body. */
  warnings?: { index: number; detail: string }[];
}

/** Deeper than any snapshot; code that walks a value by recursion stays safe. */
const MAX_DEPTH = 32;

const NEWLINE = 0x0a;

/**
 * Reads the body of `POST /api/v1/snapshots`: one JSON snapshot, `{"snapshots":[...]}`, or NDJSON; optionally gzip.
 * Throws `too_large` for more bytes (also once inflated) or snapshots than `SNAPSHOT_LIMITS`, `unsupported_media_type`
 * for any other type or encoding, and `invalid` for what cannot be read at all, naming the place.
 */
export async function readSnapshotBody(request: Request): Promise<SnapshotBody> {
  const type = mediaType(request) ?? "application/json";
  const lines = type === "application/x-ndjson" || type === "application/ndjson";
  if (!lines && type !== "application/json") {
    throw new AppError(
      "unsupported_media_type",
      "Expected Content-Type application/json or application/x-ndjson.",
    );
  }
  const bytes = await readInflated(request, {
    maxCompressedBytes: SNAPSHOT_LIMITS.compressedBodyBytes,
    maxBytes: SNAPSHOT_LIMITS.bodyBytes,
  });
  const body = lines ? readLines(bytes) : readDocument(parseJson(bytes));
  return rejectTooDeep(body);
}

function readDocument(document: unknown): SnapshotBody {
  if (typeof document !== "object" || document === null || Array.isArray(document)) {
    throw new AppError("unprocessable", 'Expected one snapshot or {"snapshots": [...]}.');
  }
  const batch = "snapshots" in document && !("schemaVersion" in document) ? document.snapshots : undefined;
  if (batch === undefined) return { single: true, items: [document], indexes: [0], rejected: [] };
  if (!Array.isArray(batch)) {
    throw new AppError("unprocessable", "Expected snapshots to be a list.", {
      issues: [{ path: "snapshots", message: "expected a list" }],
    });
  }
  const strangers = Object.keys(document).filter((key) => key !== "snapshots");
  if (strangers.length > 0) {
    throw new AppError("unprocessable", "Expected nothing beside snapshots.", {
      issues: strangers.slice(0, 20).map((path) => ({ path, message: "unknown key" })),
    });
  }
  const items: unknown[] = batch;
  checkCount(items.length);
  return { single: false, items, indexes: items.map((_, index) => index), rejected: [] };
}

function readLines(bytes: Uint8Array): SnapshotBody {
  const body: SnapshotBody = { single: false, items: [], indexes: [], rejected: [] };
  let index = 0;
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.length : newline;
    const line = bytes.subarray(start, end);
    start = end + 1;
    if (isBlank(line)) continue;
    checkCount(index + 1);
    const parsed = tryParseJson(line);
    if (parsed.ok) {
      body.items.push(parsed.value);
      body.indexes.push(index);
    } else body.rejected.push({ index, code: "invalid", detail: parsed.detail });
    index += 1;
  }
  return body;
}

function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

/** @throws AppError `too_large` for more snapshots than one request may hold. */
export function checkCount(count: number): void {
  if (count > SNAPSHOT_LIMITS.snapshotsPerRequest) {
    throw new AppError(
      "too_large",
      `Expected at most ${SNAPSHOT_LIMITS.snapshotsPerRequest} snapshots in one request.`,
    );
  }
}

function rejectTooDeep(body: SnapshotBody): SnapshotBody {
  const shallow = body.items.map((item) => !isDeeperThan(item, MAX_DEPTH));
  if (shallow.every(Boolean)) return body;
  return {
    single: body.single,
    items: body.items.filter((_, at) => shallow[at]),
    indexes: body.indexes.filter((_, at) => shallow[at]),
    rejected: [
      ...body.rejected,
      ...body.indexes
        .filter((_, at) => !shallow[at])
        .map((index) => ({
          index,
          code: "invalid" as const,
          detail: `Nested deeper than ${MAX_DEPTH} levels.`,
        })),
    ],
  };
}

/** Goes no deeper than `depth` itself: the value may be nested a million times. */
function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth < 0) return true;
  if (Array.isArray(value)) {
    for (const child of value) if (isDeeperThan(child, depth - 1)) return true;
    return false;
  }
  for (const key in value) {
    if (isDeeperThan((value as Record<string, unknown>)[key], depth - 1)) return true;
  }
  return false;
}
