import net from "node:net";
import { gzipSync } from "node:zlib";
import { realSnapshot } from "../../scripts/testing/real-snapshot.ts";
import { call, findNode } from "../api.ts";
import { push, receiptOf, snapshotOf } from "../push.ts";
import type { Story } from "../report.ts";

const MIB = 1024 * 1024;

export const hostileBodies: Story = {
  name: "hostile-bodies",
  about: "bodies that no collector sends",
  async run({ stack, report }) {
    const token = stack.issueToken(["snapshots:write"]);
    const read = stack.issueToken(["read"]);
    const base = realSnapshot();
    const post = (body: Buffer | string, headers: Record<string, string> = {}) =>
      call(stack.server, "/api/v1/snapshots", {
        method: "POST",
        token,
        body,
        headers: { "content-type": "application/json", ...headers },
      });
    const expectStatus = async (what: string, expected: number[], answer: ReturnType<typeof post>) => {
      const status = await answer.then(
        (each) => each.status,
        (error: unknown) => String(error),
      );
      report.check(
        `${what} is answered ${expected.join(" or ")}`,
        expected.some((each) => each === status),
        String(status),
      );
    };

    await expectStatus("malformed JSON", [400], post('{"node": '));
    await expectStatus("an empty body", [400], post(""));
    await expectStatus("broken UTF-8", [400], post(Buffer.from([0x7b, 0xff, 0xfe, 0x7d])));
    await expectStatus("a list instead of a snapshot", [422], post("[]"));
    await expectStatus("null", [422], post("null"));
    await expectStatus("an empty object", [422], post("{}"));
    await expectStatus("an empty batch", [200], post('{"snapshots":[]}'));
    await expectStatus("a batch that is no list", [422], post('{"snapshots":{"length":1}}'));
    await expectStatus("1,001 snapshots", [413], post(JSON.stringify({ snapshots: Array(1001).fill({}) })));
    await expectStatus("33 MiB", [413], post(Buffer.alloc(33 * MIB, 0x20)));
    const gzip = { "content-encoding": "gzip" };
    await expectStatus("a gzip bomb of 1 GiB", [413], post(bomb(), gzip));
    await expectStatus("what is no gzip", [400], post("not gzip", gzip));
    await expectStatus(
      "half a gzip stream",
      [400],
      post(gzipSync(JSON.stringify(base)).subarray(0, 200), gzip),
    );
    await expectStatus("Content-Encoding br", [415], post("{}", { "content-encoding": "br" }));
    await expectStatus(
      "Content-Encoding gzip, gzip",
      [415],
      post("{}", { "content-encoding": "gzip, gzip" }),
    );
    await expectStatus("Content-Type text/xml", [415], post("{}", { "content-type": "text/xml" }));
    await expectStatus(
      "JSON a million levels deep",
      [400, 422],
      post(`${"[".repeat(1e6)}${"]".repeat(1e6)}`),
    );
    await expectStatus(
      "an object 100,000 levels deep",
      [400, 422],
      post(`${'{"a":'.repeat(1e5)}1${"}".repeat(1e5)}`),
    );

    const nowMs = Date.now();
    const good = snapshotOf(base, { node: "wrong-types", at: nowMs, bootId: "b", bootedAtMs: nowMs - 1e6 });
    const counters = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`K${at}`, at]));
    const wrong: [string, object][] = [
      ["at as text", { at: "yesterday" }],
      ["at NaN", { at: null }],
      ["at negative", { at: -1 }],
      ["at in the year 275760", { at: 8_640_000_000_000_000 }],
      ["at in the year 0000", { at: "0000-01-01T00:00:00Z" }],
      ["node as number", { node: 7 }],
      ["node empty", { node: "" }],
      ["node of 254 characters", { node: "x".repeat(254) }],
      ["node with NUL", { node: "a\u0000b" }],
      ["node with half a pair", { node: "\ud800" }],
      ["meminfo as text", { meminfo: "MemTotal: 1 kB" }],
      ["meminfo null", { meminfo: null }],
      ["meminfo without MemTotal", { meminfo: { MemFree: 1 } }],
      ["MemTotal 1e300", { meminfo: { MemTotal: 1e300 } }],
      ["MemTotal 0.5", { meminfo: { MemTotal: 0.5 } }],
      ["4,000 counters", { meminfo: { MemTotal: 1, ...counters(4000) } }],
      [
        "501 slab caches",
        { slab: Array(501).fill({ name: "x", activeObjs: 1, numObjs: 1, objSizeBytes: 1, sizeKib: 1 }) },
      ],
      ["cpus 0", { cpus: 0 }],
      ["uptime negative", { uptimeSeconds: -5 }],
      ["labels as list", { labels: [["a", "b"]] }],
      ["schemaVersion 2", { schemaVersion: 2 }],
    ];
    const mixed = receiptOf(
      await push(stack.server, token, [...wrong.map(([, change]) => ({ ...good, ...change })), good]),
    );
    const refused = new Set(mixed.rejected.map(({ index }) => index));
    report.check(
      "of wrong snapshots each is refused by itself and the good one beside them is stored",
      mixed.accepted === 1 && refused.size === wrong.length,
      `${refused.size} of ${wrong.length} refused${wrong
        .filter((_, index) => !refused.has(index))
        .map(([what]) => `; taken: ${what}`)
        .join("")}`,
    );

    const extreme: [string, object][] = [
      [
        "counters of 2^53 - 1",
        {
          meminfo: { ...base.meminfo, MemTotal: 2 ** 53 - 1, MemFree: 2 ** 53 - 1, SUnreclaim: 2 ** 53 - 1 },
        },
      ],
      ["negative counters", { meminfo: { ...base.meminfo, MemFree: -5, Slab: -(2 ** 53 - 1) } }],
      [
        "keys of other words",
        {
          meminfo: JSON.parse(
            '{"MemTotal":1000,"MemFree":1,"__proto__":5,"constructor":6,"toString":7}',
          ) as object,
        },
      ],
      ["a key with half a pair", { vmstat: { "\ud800": 4, nr_free_pages: 3 } }],
      ["uptime 1e10", { uptimeSeconds: 1e10 }],
      [
        "events of any time",
        {
          events: [
            { at: 0, kind: "<b>", title: '\u202Eevil\'"; drop table "Node"; --' },
            { at: 8_640_000_000_000_000, kind: "k", title: "t", text: "x".repeat(4000) },
          ],
        },
      ],
      ["labels named __proto__", { labels: JSON.parse('{"__proto__":"x","constructor":"y"}') as object }],
      ["a source's reason with NUL", { sources: { meminfo: { status: "ok", detail: "\u0000 \ud800" } } }],
      ["an unknown section", { futureSection: { deep: [{ a: 1 }], "\u0000": "\u0000" } }],
      ["a path of 1,000 incompressible characters", { tmpfs: [{ mount: randomPath(1000), usedKib: 1 }] }],
      ["65,536 CPUs", { cpus: 65_536 }],
      [
        "the same cache twice",
        { slab: Array(2).fill({ name: "twice", activeObjs: 1, numObjs: 1, objSizeBytes: 1, sizeKib: 1 }) },
      ],
      [
        "a cache of 2^53 - 1",
        {
          slab: [
            {
              name: "huge",
              activeObjs: 2 ** 53 - 1,
              numObjs: 2 ** 53 - 1,
              objSizeBytes: 2 ** 53 - 1,
              sizeKib: 2 ** 53 - 1,
            },
          ],
        },
      ],
    ];
    const nodes: string[] = [];
    for (const [index, [what, change]] of extreme.entries()) {
      const node = `extreme-${index}`;
      const snapshot = { ...good, node, bootId: node, ...change };
      const answer = await push(stack.server, token, [
        snapshot,
        { ...good, node: `beside-${index}`, bootId: "b" },
      ]);
      const receipt = answer.status === 200 ? receiptOf(answer) : undefined;
      report.check(
        `${what}: no error, and its neighbour is stored`,
        receipt !== undefined && receipt.accepted >= 1 && receipt.rejected.every((each) => each.index === 0),
        answer.status === 200
          ? receipt?.rejected.map(({ detail }) => `refused: ${detail}`).join("") || "taken"
          : `${answer.status} ${answer.text.slice(0, 200)}`,
      );
      nodes.push(node);
    }
    // What was taken must be readable too.
    for (const [index, name] of nodes.entries()) {
      const node = await findNode(stack.server, read, name);
      if (node === undefined) continue;
      const bad: string[] = [];
      for (const path of [
        "",
        "/composition",
        "/snapshot",
        "/trend",
        "/slab",
        "/series?metric=meminfo.MemTotal",
        "/effects",
      ]) {
        const answer = await call(stack.server, `/api/v1/nodes/${node.nodeId}${path}`, { token: read });
        if (answer.status >= 500) bad.push(`${path} ${answer.status}`);
      }
      report.check(`${extreme[index]?.[0]}: readable`, bad.length === 0, bad.join(", "));
    }

    report.step("a body of one byte a second; the server should give up within 60 s and a little");
    const { status, tookMs } = await dripFeed(stack.server, token);
    report.check(
      "a body that never ends is cut off",
      tookMs < 75_000 && !/^5/.test(status),
      `${status} after ${(tookMs / 1000).toFixed(0)} s`,
    );
    const alive = await call(stack.server, "/readyz");
    report.check("the server is well afterwards", alive.status === 200);
  },
};

/** 1 GiB of blanks, gzip within gzip limits: about 1 MiB. */
function bomb(): Buffer {
  return gzipSync(Buffer.alloc(1024 * MIB, 0x20), { level: 1 });
}

/** Han characters without a pattern: three bytes each in UTF-8, which nothing compresses well. */
function randomPath(length: number): string {
  let seed = 12_345;
  const next = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31);
  return `/${String.fromCharCode(...Array.from({ length: length - 1 }, () => 0x4e00 + ((next() >> 8) % 20_000)))}`;
}

/** Sends the head of a request and then single bytes. */
function dripFeed(server: string, token: string): Promise<{ status: string; tookMs: number }> {
  const { hostname, port } = new URL(server);
  const sinceMs = Date.now();
  return new Promise((resolve) => {
    let answer = "";
    const socket = net.connect(Number(port), hostname);
    const drip = setInterval(() => socket.write(" "), 1000);
    const give = setTimeout(() => socket.destroy(), 90_000);
    socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearInterval(drip);
      clearTimeout(give);
      const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? "closed";
      resolve({ status, tookMs: Date.now() - sinceMs });
    });
    socket.write(
      `POST /api/v1/snapshots HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`,
    );
  });
}
