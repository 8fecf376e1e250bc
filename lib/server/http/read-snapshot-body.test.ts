import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { SNAPSHOT_LIMITS } from "#lib/domain/snapshot/schema.ts";
import { AppError } from "#lib/errors.ts";
import { readSnapshotBody } from "./read-snapshot-body.ts";

const JSON_TYPE = "application/json";
const NDJSON = "application/x-ndjson";

function post(body: BodyInit, headers: Record<string, string> = { "content-type": JSON_TYPE }): Request {
  return new Request("http://plumbline/api/v1/snapshots", { method: "POST", body, headers });
}

async function refusal(request: Request): Promise<Pick<AppError, "code" | "message">> {
  try {
    await readSnapshotBody(request);
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("the body was accepted");
}

const snapshot = (node: string) => ({ schemaVersion: 1, node });

describe("the body of an ingest", () => {
  it("is one snapshot, a batch, or lines", async () => {
    expect(await readSnapshotBody(post(JSON.stringify(snapshot("a"))))).toMatchObject({
      single: true,
      items: [snapshot("a")],
    });
    expect(
      await readSnapshotBody(post(JSON.stringify({ snapshots: [snapshot("a"), snapshot("b")] }))),
    ).toEqual({ single: false, items: [snapshot("a"), snapshot("b")], indexes: [0, 1], rejected: [] });
    const lines = `${JSON.stringify(snapshot("a"))}\r\n\n${JSON.stringify(snapshot("b"))}`;
    expect(await readSnapshotBody(post(lines, { "content-type": `${NDJSON}; charset=utf-8` }))).toMatchObject(
      {
        single: false,
        items: [snapshot("a"), snapshot("b")],
        indexes: [0, 1],
      },
    );
    expect(await readSnapshotBody(post('{"snapshots":[]}'))).toMatchObject({ items: [], single: false });
  });

  it("may be gzip, in any of these forms", async () => {
    const headers = { "content-type": NDJSON, "content-encoding": "gzip" };
    const body = gzipSync(`${JSON.stringify(snapshot("a"))}\n`);
    expect(await readSnapshotBody(post(body, headers))).toMatchObject({ items: [snapshot("a")] });
  });

  it("loses only the line that is broken", async () => {
    const good = JSON.stringify(snapshot("a"));
    const body = Buffer.concat([
      Buffer.from(`${good}\n{"node":\n${good}\n`),
      Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]),
      Buffer.from(good),
    ]);
    expect(await readSnapshotBody(post(body, { "content-type": NDJSON }))).toEqual({
      single: false,
      items: [snapshot("a"), snapshot("a"), snapshot("a")],
      indexes: [0, 2, 4],
      rejected: [
        { index: 1, code: "invalid", detail: "Malformed JSON at line 1, column 9: expected a value." },
        { index: 3, code: "invalid", detail: "The body is not valid UTF-8." },
      ],
    });
  });

  it("loses only the snapshot that is nested too deep, even by a million levels", async () => {
    const deep = `{"schemaVersion":1,"x":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`;
    const body = await readSnapshotBody(post(`{"snapshots":[${JSON.stringify(snapshot("a"))},${deep}]}`));
    expect(body.items).toEqual([snapshot("a")]);
    expect(body.rejected).toEqual([{ index: 1, code: "invalid", detail: "Nested deeper than 32 levels." }]);
  });

  it.each([
    ["{", "Malformed JSON at line 1, column 2"],
    ["", "Malformed JSON at line 1, column 1"],
    ['{"node":"a"} {"node":"b"}', "Malformed JSON at line 1, column 14"],
    ['{\n"node": nan}', "Malformed JSON at line 2, column 9"],
  ])("that is no JSON is refused with the place: %j", async (body, message) => {
    const refused = await refusal(post(body));
    expect(refused.code).toBe("invalid");
    expect(refused.message).toContain(message);
  });

  it.each(["[]", '"a"', "1", "null", '{"snapshots":{}}', '{"snapshots":[],"node":"a"}'])(
    "that is neither snapshot nor batch is refused: %s",
    async (body) => {
      expect((await refusal(post(body))).code).toBe("unprocessable");
    },
  );

  it.each<Record<string, string>>([
    { "content-type": "text/plain" },
    { "content-type": "application/x-www-form-urlencoded" },
    { "content-type": "application/json; charset=utf-16" },
    { "content-type": JSON_TYPE, "content-encoding": "br" },
    { "content-type": JSON_TYPE, "content-encoding": "gzip, gzip" },
  ])("of another type or encoding is refused: %j", async (headers) => {
    expect((await refusal(post("{}", headers))).code).toBe("unsupported_media_type");
  });

  it("that is no whole gzip stream is refused", async () => {
    const headers = { "content-type": JSON_TYPE, "content-encoding": "gzip" };
    for (const body of [Buffer.from("{}"), gzipSync("{}").subarray(0, 15), Buffer.alloc(0)]) {
      expect((await refusal(post(body, headers))).code).toBe("invalid");
    }
  });

  it("that would inflate beyond the limit is refused before it has", async () => {
    const bomb = gzipSync(Buffer.alloc(SNAPSHOT_LIMITS.bodyBytes * 8, 0x20));
    expect(bomb.length).toBeLessThan(SNAPSHOT_LIMITS.compressedBodyBytes);
    const before = process.memoryUsage().arrayBuffers;
    const refused = await refusal(post(bomb, { "content-type": JSON_TYPE, "content-encoding": "gzip" }));
    expect(refused.code).toBe("too_large");
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(SNAPSHOT_LIMITS.bodyBytes * 3);
  });

  it("that is too large, declared or streamed, is refused", async () => {
    const declared = post("{}", {
      "content-type": JSON_TYPE,
      "content-length": String(SNAPSHOT_LIMITS.bodyBytes + 1),
    });
    expect((await refusal(declared)).code).toBe("too_large");

    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(1024 * 1024).fill(0x20));
      },
    });
    const init: RequestInit & { duplex: "half" } = {
      method: "POST",
      body: endless,
      duplex: "half",
      headers: { "content-type": JSON_TYPE },
    };
    expect((await refusal(new Request("http://plumbline/api/v1/snapshots", init))).code).toBe("too_large");
    expect(pulled).toBeLessThan(40);
  });

  it("with more snapshots than one request may hold is refused", async () => {
    const many = SNAPSHOT_LIMITS.snapshotsPerRequest + 1;
    expect((await refusal(post(JSON.stringify({ snapshots: Array(many).fill({}) })))).code).toBe("too_large");
    expect((await refusal(post("{}\n".repeat(many), { "content-type": NDJSON }))).code).toBe("too_large");
  });
});
