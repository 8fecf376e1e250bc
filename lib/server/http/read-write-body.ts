import type { SeriesSamples } from "#lib/domain/prometheus/assemble-scrapes.ts";
import { uncompressSnappy } from "#lib/domain/prometheus/snappy-block.ts";
import { readWriteRequest } from "#lib/domain/prometheus/write-request.ts";
import { AppError } from "#lib/errors.ts";
import { mediaType, readBytes } from "./read-body.ts";

/** What one request of remote write may hold; Prometheus sends at most 2,000 samples unless told otherwise. */
const LIMITS = { compressedBytes: 8 * 1024 * 1024, bytes: 32 * 1024 * 1024 } as const;

const ONLY_1_0 =
  "Only remote write 1.0 is understood: set protobuf_message to prometheus.WriteRequest, which is the default.";

/**
 * Reads the body of `POST /api/v1/write`: a `prometheus.WriteRequest` in one block of Snappy. Throws
 * `unsupported_media_type` for anything else, remote write 2.0 included, `too_large` for what is or would become too
 * large, and `invalid` for what is damaged.
 */
export async function readWriteBody(request: Request): Promise<SeriesSamples[]> {
  if (mediaType(request) !== "application/x-protobuf") {
    throw new AppError("unsupported_media_type", "Expected Content-Type application/x-protobuf.");
  }
  const proto = /;\s*proto\s*=\s*"?([^";\s]+)/i.exec(request.headers.get("content-type") ?? "")?.[1];
  const version = request.headers.get("x-prometheus-remote-write-version");
  if ((proto ?? "prometheus.WriteRequest") !== "prometheus.WriteRequest" || /^[1-9]/.test(version ?? "")) {
    throw new AppError("unsupported_media_type", ONLY_1_0);
  }
  if (request.headers.get("content-encoding")?.trim().toLowerCase() !== "snappy") {
    throw new AppError("unsupported_media_type", "Expected Content-Encoding snappy.");
  }
  const uncompressed = uncompressSnappy(await readBytes(request, LIMITS.compressedBytes), LIMITS.bytes);
  if (!uncompressed.ok) {
    throw uncompressed.fault === "too-large"
      ? new AppError("too_large", `The body would become larger than ${LIMITS.bytes} bytes.`)
      : new AppError("invalid", "The body is not a whole block of Snappy.");
  }
  const series = readWriteRequest(uncompressed.bytes);
  if (series === undefined) throw new AppError("invalid", "The body is no prometheus.WriteRequest.");
  return series;
}
