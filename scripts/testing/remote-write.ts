import { readFileSync } from "node:fs";
import path from "node:path";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { compress } from "snappyjs";
import type { SeriesSamples } from "#lib/domain/prometheus/assemble-scrapes.ts";

const RECORDED = path.join(import.meta.dirname, "../../fixtures/prometheus/2.42.0");

/** A request as a Prometheus 2.42.0 sent it, one of three (0 to 2) that follow each other. */
export function recordedWrite(index: number): Uint8Array {
  return readFileSync(path.join(RECORDED, `write-${index}.bin`));
}

/** A request as any client may write it, with fields that are passed over. */
export function encodeWriteRequest(series: readonly SeriesSamples[]): Uint8Array {
  const request = new BinaryWriter();
  for (const { labels, samples } of series) {
    const inner = new BinaryWriter();
    for (const [name, value] of Object.entries(labels)) {
      inner
        .tag(1, WireType.LengthDelimited)
        .bytes(
          new BinaryWriter()
            .tag(1, WireType.LengthDelimited)
            .string(name)
            .tag(2, WireType.LengthDelimited)
            .string(value)
            .finish(),
        );
    }
    for (const [atMs, value] of samples) {
      inner
        .tag(2, WireType.LengthDelimited)
        .bytes(
          new BinaryWriter()
            .tag(1, WireType.Bit64)
            .double(value)
            .tag(2, WireType.Varint)
            .int64(atMs)
            .finish(),
        );
    }
    inner.tag(3, WireType.LengthDelimited).bytes(Uint8Array.of(1, 2, 3));
    request.tag(1, WireType.LengthDelimited).bytes(inner.finish());
  }
  return request.tag(3, WireType.LengthDelimited).string("metadata").finish();
}

/** The same as it is sent. */
export function remoteWriteBody(series: readonly SeriesSamples[]): Buffer<ArrayBuffer> {
  return Buffer.from(compress(encodeWriteRequest(series)));
}
