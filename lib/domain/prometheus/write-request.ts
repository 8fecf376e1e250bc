import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import type { SeriesSamples } from "./assemble-scrapes.ts";

/**
 * Reads a `prometheus.WriteRequest` (remote write 1.0): series with labels and samples. Exemplars, histograms and metadata are
 * passed over. Undefined for bytes that are none.
 */
export function readWriteRequest(bytes: Uint8Array): SeriesSamples[] | undefined {
  const series: SeriesSamples[] = [];
  try {
    forEachField(bytes, (field, reader, wireType) => {
      if (field !== 1 || wireType !== WireType.LengthDelimited) return false;
      series.push(readSeries(reader.bytes()));
      return true;
    });
  } catch {
    // Whatever ends early or is no protobuf.
    return undefined;
  }
  return series;
}

function readSeries(bytes: Uint8Array): SeriesSamples {
  const labels: Record<string, string> = {};
  const samples: [number, number][] = [];
  forEachField(bytes, (field, reader, wireType) => {
    if (wireType !== WireType.LengthDelimited || (field !== 1 && field !== 2)) return false;
    const inner = reader.bytes();
    if (field === 1) {
      const [name, value] = readLabel(inner);
      labels[name] = value;
    } else samples.push(readSample(inner));
    return true;
  });
  return { labels, samples };
}

function readLabel(bytes: Uint8Array): [name: string, value: string] {
  let name = "";
  let value = "";
  forEachField(bytes, (field, reader, wireType) => {
    if (wireType !== WireType.LengthDelimited) return false;
    if (field === 1) name = reader.string();
    else if (field === 2) value = reader.string();
    else return false;
    return true;
  });
  return [name, value];
}

function readSample(bytes: Uint8Array): [atMs: number, value: number] {
  let atMs = 0;
  let value = 0;
  forEachField(bytes, (field, reader, wireType) => {
    if (field === 1 && wireType === WireType.Bit64) value = reader.double();
    else if (field === 2 && wireType === WireType.Varint) atMs = Number(reader.int64());
    else return false;
    return true;
  });
  return [atMs, value];
}

/**
 * Visits each field. One that `read` does not take, because it does not know the field or the field has another wire type, is passed
 * over: newer writers add fields, and protobuf wants readers to leave those out. That is bounded: every step must stay within `bytes`,
 * and groups may nest 100 deep.
 * @throws Error for bytes that are no protobuf.
 */
function forEachField(
  bytes: Uint8Array,
  read: (field: number, reader: BinaryReader, wireType: WireType) => boolean,
): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    // To skip is the reader's word for passing a field over by its wire type, for the reason above.
    if (!read(field, reader, wireType)) reader.skip(wireType, field);
  }
}
