/** What became of a compressed block: its content, or why there is none. */
export type Uncompressed =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly fault: "too-large" | "malformed" };

const MALFORMED = { ok: false, fault: "malformed" } as const;

/**
 * Uncompresses one block of Snappy (github.com/google/snappy, format_description.txt), as remote write sends it: without frames.
 * Total on any bytes, and never writes more than the block says at its head, which must be at most `maxBytes`.
 */
export function uncompressSnappy(block: Uint8Array, maxBytes: number): Uncompressed {
  let at = 0;
  let length = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = block[at];
    if (byte === undefined || shift > 28) return MALFORMED;
    at += 1;
    length += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) break;
  }
  if (length > maxBytes) return { ok: false, fault: "too-large" };
  const bytes = new Uint8Array(length);
  let written = 0;
  while (at < block.length) {
    const tag = block[at] ?? 0;
    at += 1;
    if ((tag & 3) === 0) {
      const extra = Math.max(0, (tag >> 2) - 59);
      const size = (extra === 0 ? tag >> 2 : littleEndian(block, at, extra)) + 1;
      at += extra;
      if (at + size > block.length || written + size > length) return MALFORMED;
      bytes.set(block.subarray(at, at + size), written);
      at += size;
      written += size;
      continue;
    }
    const wide = (tag & 3) === 1 ? 1 : (tag & 3) === 2 ? 2 : 4;
    if (at + wide > block.length) return MALFORMED;
    const low = littleEndian(block, at, wide);
    const offset = wide === 1 ? low + ((tag >> 5) << 8) : low;
    const size = wide === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    at += wide;
    if (offset === 0 || offset > written || written + size > length) return MALFORMED;
    // Byte by byte: a copy may run into what it has just written.
    for (let end = written + size; written < end; written += 1) bytes[written] = bytes[written - offset] ?? 0;
  }
  return written === length ? { ok: true, bytes } : MALFORMED;
}

function littleEndian(bytes: Uint8Array, at: number, width: number): number {
  let value = 0;
  for (let index = 0; index < width; index += 1) value += (bytes[at + index] ?? 0) * 2 ** (8 * index);
  return value;
}
