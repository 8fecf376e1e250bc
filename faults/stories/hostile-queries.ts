import { realSnapshot } from "../../scripts/testing/real-snapshot.ts";
import { call, findNode, readJson, send } from "../api.ts";
import { push, receiptOf, snapshotOf } from "../push.ts";
import type { Story } from "../report.ts";

const IDS = [
  "0",
  "-1",
  "1.5",
  "NaN",
  "Infinity",
  "2147483647",
  "2147483648",
  "99999999999999999999",
  "1e3",
  "0x1",
  "%20",
  "%00",
  "..",
  "%2e%2e",
  "'",
  "null",
  "%E0%A4%A",
];
const TIMES = [
  "",
  "now",
  "now-",
  "now-1h",
  "now-999999999y",
  "now+999999999y",
  "0",
  "-1",
  "1e9",
  "NaN",
  "Infinity",
  "8640000000000000",
  "8640000000000001",
  "2026-02-30",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59Z",
  "+275760-09-13",
  "%00",
  "now/d",
  "💥",
  "a".repeat(5000),
];
const POINTS = ["0", "1", "-5", "2", "2000", "2001", "1e9", "NaN", "1.5", "", "abc", "9007199254740993"];
const METRICS = [
  "",
  "nothing",
  "band.",
  "band.nothing",
  "total.kernelUnreclaimable",
  "meminfo.MemFree",
  "meminfo.__proto__",
  "meminfo.constructor",
  'meminfo.Mem"Free',
  "meminfo.MemFree'; drop table x; --",
  "vmstat.nr_slab_unreclaimable",
  "vmstat.nothing",
  "slab.dentry.bytes",
  "slab.a/b.bytes",
  "slab..bytes",
  "slab.%00.bytes",
  "watch./run/crio/exits.files",
  "tmpfs./dev/shm.inodes",
  "tmpfs.//.usedKib",
  "watch.\u0000.files",
  "🧯",
  "x".repeat(3000),
  "\ud800",
];
const OTHERS: Record<string, string[]> = {
  pageSize: ["0", "2000", "2001", "x"],
  page: ["0", "1", "9007199254740991", "1e300"],
  sort: ["name", "growth", "__proto__", ""],
  order: ["asc", "sideways"],
  search: ["", "%", "(((", "\\", "x".repeat(300), "\u0000"],
  cluster: ["", "'", "\u0000"],
  kind: ["note", "nothing", ""],
  limit: ["0", "1", "500", "501"],
  before: ["6h", "0h", "-6h", "999999w", "x"],
  after: ["6h", "", "1s"],
  timezone: ["utc", "browser", "Mars/Olympus", "Europe/Berlin", "\u0000"],
  verbose: ["", "1"],
  stranger: ["1"],
};

interface Document {
  paths: Record<string, Record<string, { parameters?: { name: string; in: string }[] }>>;
}

export const hostileQueries: Story = {
  name: "hostile-queries",
  about: "every route of the document with hostile parameters",
  async run({ stack, report }) {
    const write = stack.issueToken(["snapshots:write"], "queries");
    const token = stack.issueToken(["read", "annotations:write"], "queries");
    const base = realSnapshot();
    const nowMs = Date.now();
    const samples = Array.from({ length: 30 }, (_, index) =>
      snapshotOf(base, {
        node: "queried",
        at: nowMs - (30 - index) * 5000,
        bootId: "b",
        bootedAtMs: nowMs - 3_600_000,
      }),
    );
    receiptOf(await push(stack.server, write, samples));
    const nodeId = String((await findNode(stack.server, token, "queried"))?.nodeId);
    const made = await send(stack.server, token, "/api/v1/annotations", {
      at: nowMs - 60_000,
      kind: "deploy",
      title: "t",
    });
    const annotationId = String((JSON.parse(made.text) as { annotationId: number }).annotationId);

    const document = (await readJson(stack.server, token, "/api/v1/openapi.json")) as Document;
    const failures: string[] = [];
    const slow: string[] = [];
    const counts = new Map<number, number>();
    const ask = async (path: string) => {
      const sinceMs = Date.now();
      const answer = await call(stack.server, path, { token }).catch((error: unknown) => ({
        status: 599,
        text: String(error),
      }));
      counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
      if (answer.status >= 500)
        failures.push(`${path.slice(0, 120)} ${answer.status} ${answer.text.slice(0, 150)}`);
      if (Date.now() - sinceMs > 2000) slow.push(`${path.slice(0, 120)} ${Date.now() - sinceMs} ms`);
    };
    const ids: Record<string, string> = { nodeId, annotationId, tokenId: "1" };
    for (const [path, operations] of Object.entries(document.paths)) {
      const operation = operations.get;
      if (operation === undefined) continue;
      const names = (operation.parameters ?? [])
        .filter((each) => each.in === "query")
        .map(({ name }) => name);
      const fill = (changes: Record<string, string> = {}) =>
        path.replace(/\{(\w+)\}/g, (_, name: string) => changes[name] ?? ids[name] ?? "1");
      const required = names.includes("metric") ? "metric=meminfo.MemFree&" : "";
      for (const [, name = ""] of path.matchAll(/\{(\w+)\}/g)) {
        for (const id of IDS) await ask(`${fill({ [name]: id })}?${required}`);
      }
      for (const name of [...names, "stranger"]) {
        const values =
          name === "from" || name === "to" || name === "at"
            ? TIMES
            : name === "points"
              ? POINTS
              : name === "metric"
                ? METRICS
                : (OTHERS[name] ?? IDS);
        for (const value of values) {
          const encoded = /^%[\dA-F]{2}/.test(value) ? value : encodeURIComponent(value.toWellFormed());
          await ask(`${fill()}?${name === "metric" ? "" : required}${name}=${encoded}`);
        }
        await ask(`${fill()}?${required}${name}=1&${name}=2&${name}=3`);
      }
      if (names.includes("from")) {
        await ask(`${fill()}?${required}from=now&to=now-1h`);
        await ask(`${fill()}?${required}from=0&to=8640000000000000&points=2000`);
        await ask(`${fill()}?${required}from=now-3650d&to=now&points=2000`);
        await ask(`${fill()}?${required}from=${nowMs}&to=${nowMs + 1}&points=2000`);
      }
      if (names.includes("metric")) {
        const forty = Array.from(
          { length: 40 },
          (_, at) => `metric=meminfo.${Object.keys(base.meminfo)[at % Object.keys(base.meminfo).length]}`,
        );
        await ask(`${fill()}?${forty.join("&")}`);
        await ask(`${fill()}?${forty.join("&")}&metric=one.more`);
        await ask(`${fill()}?${Array(40).fill("metric=meminfo.MemFree").join("&")}`);
        await ask(
          `${fill()}?${METRICS.map((each) => `metric=${encodeURIComponent(each.toWellFormed())}`).join("&")}`,
        );
      }
    }
    report.step(
      [...counts]
        .sort(([a], [b]) => a - b)
        .map(([status, count]) => `${count} × ${status}`)
        .join(", "),
    );
    report.check(
      "no query makes the server fail",
      failures.length === 0,
      failures.slice(0, 10).join("\n     "),
    );
    report.check("none takes longer than 2 s", slow.length === 0, slow.slice(0, 10).join("\n     "));

    const good = { at: nowMs, kind: "note", title: "t" };
    const bodies: [string, unknown, number][] = [
      ["a title of blanks", { ...good, title: "   " }, 422],
      ["NUL in the text", { ...good, text: "a\u0000b" }, 422],
      ["half a pair in a tag", { ...good, tags: ["\ud800"] }, 422],
      ["an end before the beginning", { ...good, endsAt: nowMs - 1 }, 422],
      ["a kind of the machine", { ...good, kind: "reboot" }, 422],
      ["a stranger's key", { ...good, author: "root" }, 422],
      ["a node that is not there", { ...good, scope: { nodes: [2_147_483_647] } }, 422],
      ["a node id beyond all", { ...good, scope: { nodes: [1e18] } }, 422],
      ["another cluster", { ...good, scope: { cluster: "bench" } }, 422],
      ["the year 275760", { ...good, at: 8_640_000_000_000_000 }, 422],
      ["the year 0", { ...good, at: "0000-01-01T00:00:00Z" }, 422],
      ["10,001 nodes", { ...good, scope: { nodes: Array(10_001).fill(1) } }, 422],
      ["300 KiB", { ...good, text: "x".repeat(300 * 1024) }, 413],
      ["null", null, 422],
      ["half of JSON", '{"at":', 400],
      [
        "a label named __proto__",
        `{"at":${Date.now()},"kind":"note","title":"t","scope":{"labels":{"__proto__":"x"}}}`,
        422,
      ],
    ];
    for (const [what, body, expected] of bodies) {
      const { status, text } = await send(stack.server, token, "/api/v1/annotations", body);
      report.check(
        `mark with ${what} is answered ${expected}`,
        status === expected,
        `${status}${status === expected ? "" : ` ${text.slice(0, 150)}`}`,
      );
    }

    const path = `/api/v1/annotations/${annotationId}`;
    const changes = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        send(stack.server, token, path, { title: `change ${index}` }, "PATCH"),
      ),
    );
    const statuses = new Set(changes.map(({ status }) => status));
    report.check(
      "30 changes at once: each is made or told of the conflict",
      statuses.has(200) && [...statuses].every((status) => status === 200 || status === 409),
      [...statuses].join(", "),
    );
    const ends = await Promise.all(
      Array.from({ length: 10 }, () => call(stack.server, path, { method: "DELETE", token })),
    );
    const removed = ends.filter(({ status }) => status === 204).length;
    report.check(
      "10 removals at once: one removes, the others find nothing",
      removed === 1 && ends.every(({ status }) => status === 204 || status === 404),
      ends.map(({ status }) => status).join(" "),
    );
    const load = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        call(stack.server, `/api/v1/nodes/${nodeId}/composition?from=now-1h&points=${100 + index}`, {
          token,
        }),
      ),
    );
    report.check(
      "60 reads at once are answered",
      load.every(({ status }) => status === 200),
    );
    const same = await Promise.all(
      Array.from({ length: 20 }, () =>
        push(
          stack.server,
          write,
          samples.map((each) => ({ ...each, node: "same-at-once" })),
        ),
      ),
    );
    const receipts = same.map(receiptOf);
    report.check(
      "the same 30 snapshots sent 20 times at once are stored once",
      receipts.reduce((sum, each) => sum + each.accepted, 0) === 30 &&
        receipts.reduce((sum, each) => sum + each.duplicates, 0) === 19 * 30,
    );
  },
};
