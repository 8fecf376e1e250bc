import fc from "fast-check";
import { compress } from "snappyjs";
import { describe, expect, it, test } from "vitest";
import { encodeWriteRequest, recordedWrite } from "../../../scripts/testing/remote-write.ts";
import { assembleScrapes, gatherScrapes, type SeriesSamples } from "./assemble-scrapes.ts";
import { uncompressSnappy } from "./snappy-block.ts";
import { readWriteRequest } from "./write-request.ts";

const MAX = 1024 * 1024;

function read(compressed: Uint8Array): SeriesSamples[] {
  const uncompressed = uncompressSnappy(compressed, MAX);
  const series = uncompressed.ok ? readWriteRequest(uncompressed.bytes) : undefined;
  if (!series) throw new Error("not readable");
  return series;
}

describe("what a Prometheus 2.42.0 sent", () => {
  it("is read in full: three requests of sixty samples or fewer", () => {
    const all = [0, 1, 2].map((index) => read(recordedWrite(index)));
    for (const series of all) {
      expect(series.length).toBeGreaterThan(10);
      for (const { labels, samples } of series) {
        expect(labels).toMatchObject({ instance: "127.0.0.1:19100", job: "node" });
        expect(samples).toHaveLength(1);
        expect(samples[0]?.[0]).toBeGreaterThan(Date.UTC(2026, 10, 30));
      }
    }
    const names = all.flat().map(({ labels }) => labels.__name__);
    expect(names).toContain("node_memory_MemTotal_bytes");
  });

  it("gives whole snapshots once its parts are together, in any order", () => {
    const parts = [2, 0, 1].flatMap((index) => read(recordedWrite(index)));
    const { snapshots } = assembleScrapes(gatherScrapes(parts), { fromMs: 0, toMs: Infinity }, new Map());
    expect(snapshots.length).toBeGreaterThan(0);
    expect(snapshots[0]).toMatchObject({ node: "127.0.0.1", cpus: 2, bootId: "btime-1796024933" });
  });
});

const block = fc.uint8Array({ maxLength: 3000 });
/** Bytes that repeat themselves, so that copies are written. */
const repetitive = fc
  .tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 200 }))
  .map(([piece, times]) =>
    Uint8Array.from({ length: piece.length * times }, (_, at) => piece[at % piece.length] ?? 0),
  );

describe("Snappy", () => {
  test("what another program has compressed comes back", () => {
    fc.assert(
      fc.property(fc.oneof(block, repetitive), (bytes) => {
        expect(uncompressSnappy(compress(bytes), MAX)).toEqual({ ok: true, bytes });
      }),
    );
  });

  test("any bytes are refused or read, and none become more than was allowed", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          block,
          repetitive.map((bytes) => compress(bytes)),
        ),
        fc.nat(2000),
        fc.nat(255),
        (bytes, at, value) => {
          const spoilt = Uint8Array.from(bytes);
          if (spoilt.length > 0) spoilt[at % spoilt.length] = value;
          const uncompressed = uncompressSnappy(spoilt, 4000);
          if (uncompressed.ok) expect(uncompressed.bytes.length).toBeLessThanOrEqual(4000);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test.each([
    ["a bomb: four gigabytes announced", [0xff, 0xff, 0xff, 0xff, 0x0f], "too-large"],
    ["a length without end", [0xff, 0xff, 0xff, 0xff, 0xff, 0xff], "malformed"],
    [
      "a literal of a length that wraps to a negative number",
      [0x10, 0xfc, 0xff, 0xff, 0xff, 0xff, 1, 2],
      "malformed",
    ],
    ["a copy from before the beginning", [0x08, 0x04, 1, 2, 0x01, 0x09], "malformed"],
    ["less than was announced", [0x08, 0x04, 1, 2], "malformed"],
    ["nothing", [], "malformed"],
  ])("%s", (_, bytes, fault) => {
    expect(uncompressSnappy(Uint8Array.from(bytes), MAX)).toEqual({ ok: false, fault });
  });
});

describe("a write request", () => {
  const name = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text !== "__proto__");
  const anySeries = fc.record({
    labels: fc.dictionary(name, fc.string({ unit: "grapheme" })).map((labels) => ({ ...labels })),
    samples: fc.array(fc.tuple(fc.integer({ min: 0, max: 2 ** 45 }), fc.double())),
  });

  test("comes back as it was written", () => {
    fc.assert(
      fc.property(fc.array(anySeries, { maxLength: 5 }), (series) => {
        expect(readWriteRequest(encodeWriteRequest(series))).toEqual(series);
      }),
    );
  });

  test("of any bytes is refused or read, never thrown at", () => {
    fc.assert(
      fc.property(
        fc.oneof(block, fc.array(anySeries, { maxLength: 3 }).map(encodeWriteRequest)),
        fc.nat(2000),
        fc.nat(255),
        (bytes, at, value) => {
          const spoilt = Uint8Array.from(bytes);
          if (spoilt.length > 0) spoilt[at % spoilt.length] = value;
          const series = readWriteRequest(spoilt);
          if (series) gatherScrapes(series);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
