import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { AppError } from "#lib/errors.ts";
import { findJsonError } from "./json-position.ts";

/** Reads a body up to `maxBytes`; stops reading and throws `too_large` beyond it, whatever Content-Length claimed. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const declared = Number(request.headers.get("content-length") ?? "0");
  if (declared > maxBytes) throw tooLarge(maxBytes);
  if (request.body === null) return new Uint8Array();
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw new AppError("invalid", "The body ended early.", { cause: error });
    });
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel().catch(() => undefined);
      throw tooLarge(maxBytes);
    }
    chunks.push(value);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size);
}

const inflate = promisify(gunzip);

/**
 * As `readBytes`, of a body that may be gzip: at most `maxCompressedBytes` as it comes, `maxBytes` inflated. Throws
 * `unsupported_media_type` for any other Content-Encoding and `invalid` for a stream that is cut or damaged.
 */
export async function readInflated(
  request: Request,
  { maxCompressedBytes, maxBytes }: { maxCompressedBytes: number; maxBytes: number },
): Promise<Uint8Array> {
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity") return readBytes(request, maxBytes);
  if (encoding !== "gzip") {
    throw new AppError("unsupported_media_type", "Expected Content-Encoding gzip, or none.");
  }
  const compressed = await readBytes(request, maxCompressedBytes);
  try {
    // Inflates piece by piece and stops at the limit, so a small body cannot become a large one in memory.
    return await inflate(compressed, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") {
      throw tooLarge(maxBytes);
    }
    throw new AppError("invalid", "The body is not a whole gzip stream.", { cause: error });
  }
}

function tooLarge(maxBytes: number): AppError {
  return new AppError("too_large", `The body is larger than ${maxBytes} bytes.`);
}

/** Media type without parameters, lower case; undefined when the request names none. Charsets other than UTF-8 throw. */
export function mediaType(request: Request): string | undefined {
  const header = request.headers.get("content-type");
  if (header === null) return undefined;
  const [type, ...parameters] = header.split(";").map((each) => each.trim().toLowerCase());
  const charset = parameters.find((each) => each.startsWith("charset="))?.slice("charset=".length);
  if (charset !== undefined && !["utf-8", "utf8", '"utf-8"', "us-ascii"].includes(charset)) {
    throw new AppError("unsupported_media_type", "Expected text in UTF-8.");
  }
  return type;
}

/** Parses JSON text in UTF-8; throws `invalid` that names line and column. */
export function parseJson(bytes: Uint8Array): unknown {
  const parsed = tryParseJson(bytes);
  if (!parsed.ok) throw new AppError("invalid", parsed.detail);
  return parsed.value;
}

/** As `parseJson`, with the reason as a value. */
export function tryParseJson(
  bytes: Uint8Array,
): { ok: true; value: unknown } | { ok: false; detail: string } {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { ok: false, detail: "The body is not valid UTF-8." };
  }
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value };
  } catch {
    const { line, column, expected } = findJsonError(text);
    return { ok: false, detail: `Malformed JSON at line ${line}, column ${column}: expected ${expected}.` };
  }
}

/**
 * Reads a body as it is that must say that it is of one of these media types; throws `unsupported_media_type` otherwise, naming the
 * first, and for a body that is encoded.
 */
export async function readPlainBody(
  request: Request,
  types: readonly [string, ...string[]],
  maxBytes: number,
): Promise<Uint8Array> {
  if (!types.includes(mediaType(request) ?? "")) {
    throw new AppError("unsupported_media_type", `Expected Content-Type: ${types[0]}.`);
  }
  const encoding = request.headers.get("content-encoding");
  if (encoding !== null && encoding.trim().toLowerCase() !== "identity") {
    throw new AppError("unsupported_media_type", "Expected a body without Content-Encoding.");
  }
  return readBytes(request, maxBytes);
}

/** Reads one JSON document from a request that must say that it is one. */
export async function readJsonBody(request: Request, maxBytes: number): Promise<unknown> {
  return parseJson(await readPlainBody(request, ["application/json"], maxBytes));
}
