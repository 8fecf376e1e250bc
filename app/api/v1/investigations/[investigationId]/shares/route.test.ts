import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sharePicture } from "#lib/charts/share-picture.ts";
import { annotation } from "#lib/contracts/annotation.ts";
import { investigation } from "#lib/contracts/investigation.ts";
import { madeShare, openShareList, shareList } from "#lib/contracts/share.ts";
import { listAudit } from "#lib/server/data/audit.ts";
import { openShare, peekShare, readCloserShare, readFrozenShare } from "#lib/server/documents/open-share.ts";
import { openShareReader } from "#lib/server/documents/open-share-reader.ts";
import { setRuntime } from "#lib/server/http/runtime.ts";
import { shareKeyIn } from "#lib/server/http/share-visit.ts";
import type { Context } from "#lib/server/services/context.ts";
import { dropExpiredPartitions } from "#lib/server/services/drop-expired-partitions.ts";
import { ingestSnapshots } from "#lib/server/services/ingest-snapshots.ts";
import { leakThatStops, simulateNode } from "../../../../../../e2e/simulated-node.ts";
import {
  answerOf,
  callRoute,
  cookieIn,
  signedInCookie,
  useRuntime,
} from "../../../../../../scripts/testing/route-client.ts";
import { createTestDatabase, type TestDatabase } from "../../../../../../scripts/testing/test-database.ts";
import { DELETE as unmark, PATCH as editMark } from "../../../annotations/[annotationId]/route.ts";
import { POST as mark } from "../../../annotations/route.ts";
import { GET as listAll } from "../../../shares/route.ts";
import { POST as unlock } from "../../../shares/unlock/route.ts";
import { POST as openInvestigation } from "../../route.ts";
import { DELETE as removeInvestigation, PATCH as updateInvestigation } from "../route.ts";
import { POST as replaceAddress } from "./[shareId]/address/route.ts";
import { GET as take } from "../export/route.ts";
import { POST as addEntry } from "../log/route.ts";
import { DELETE as revoke } from "./[shareId]/route.ts";
import { GET as list, POST as create } from "./route.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = Date.parse("2026-03-01T00:00:00Z");
const readMs = startMs + 13 * hourMs;
let nowMs = readMs;
const silentAfterMs = 300_000;
const local = { local: true };

let database: TestDatabase;
/** Ids of the nodes own and neighbour. */
const nodes: Record<string, number> = {};
let markId = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  useRuntime(database.db, () => nowMs);
  for (const [name, seed] of [
    ["own", 1],
    ["neighbour", 2],
  ] as const) {
    const items = simulateNode({ ...leakThatStops(name, seed, readMs).node, everyMs: 300_000 });
    await ingestSnapshots({ ctx: system(), input: { items, cluster: "east" } });
    const node = await database.db.prisma.node.findFirstOrThrow({ where: { name } });
    nodes[name] = node.id;
  }
  const made = await callRoute(mark, {
    as: local,
    json: {
      at: startMs + 7 * hourMs,
      kind: "intervention",
      title: "puller stopped",
      scope: { nodes: [nodes["own"], nodes["neighbour"]] },
    },
  });
  markId = (await answerOf(made, annotation)).annotationId;
});
beforeEach(() => {
  nowMs = readMs;
  useRuntime(database.db, () => nowMs);
});
afterAll(async () => {
  setRuntime(undefined);
  await database.drop();
});

const system = (): Context => ({
  db: database.db,
  actor: { kind: "system", name: "test" },
  now: () => nowMs,
});
const window = `from=${startMs}&to=${readMs}`;
const chartOf = (name: string) => ({ kind: "chart", address: `/nodes/${nodes[name]}?${window}` });

/** Opens an investigation of the node own. */
async function investigate(json: object = {}) {
  const opened = await callRoute(openInvestigation, {
    as: local,
    json: { title: "a node dies", scope: { nodes: [nodes["own"]] }, ...json },
  });
  return (await answerOf(opened, investigation)).investigationId;
}

async function share(investigationId: number, json: object = {}, as: object = local) {
  const response = await callRoute(create, { as, params: { investigationId }, json });
  const made = await answerOf(response, madeShare);
  return { ...made, status: response.status, token: made.path.replace("/s/", ""), investigationId };
}

const visitOf = (token: string, key?: string) => ({
  db: database.db,
  now: () => nowMs,
  silentAfterMs,
  token,
  key,
});
const look = (token: string, { key, byProgram = false }: { key?: string; byProgram?: boolean } = {}) =>
  openShare(visitOf(token, key), byProgram);
async function opened(token: string, options: Parameters<typeof look>[1] = {}) {
  const found = await look(token, options);
  if (found?.kind !== "open") throw new Error(`expected an open link, got ${found?.kind ?? "nothing"}`);
  return found;
}
const sharesOf = async (investigationId: number) =>
  (await answerOf(await callRoute(list, { as: local, params: { investigationId } }), shareList)).shares;

describe("a link", () => {
  it("shows its address once, keeps a hash of it, and is told in the audit trail", async () => {
    const investigationId = await investigate();
    const made = await share(investigationId, { expiresAt: nowMs + hourMs });
    expect(made.status).toBe(201);
    expect(made.token).toMatch(/^[A-Za-z0-9_-]{32}$/);
    expect(made).toMatchObject({
      kind: "live",
      state: "open",
      hasPassword: false,
      uses: 0,
      contentHash: null,
    });
    const listed = await sharesOf(investigationId);
    expect(listed).toMatchObject([{ shareId: made.shareId, state: "open", expiresAt: nowMs + hourMs }]);
    expect(JSON.stringify(listed)).not.toContain(made.token);
    const row = await database.db.prisma.shareLink.findUniqueOrThrow({ where: { id: made.shareId } });
    expect(JSON.stringify(row)).not.toContain(made.token);
    expect(row.tokenHash).toBe(createHash("sha256").update(made.token).digest("hex"));
    const [line] = await listAudit(database.db.prisma, { limit: 1 });
    expect(line).toMatchObject({
      actor: "local",
      action: "share.make",
      subject: `share ${made.shareId}`,
      detail: { investigation: investigationId, kind: "live", password: false },
    });
    expect(JSON.stringify(line)).not.toContain(made.token);
  });

  it("opens nothing when it is unknown, expired, revoked, replaced, or its investigation is gone", async () => {
    const investigationId = await investigate();
    const expired = await share(investigationId, { expiresAt: nowMs + hourMs });
    const revoked = await share(investigationId);
    const replaced = await share(investigationId);
    const gone = await share(await investigate());
    for (const { token } of [expired, revoked, replaced, gone])
      expect((await opened(token)).kind).toBe("open");

    const params = { investigationId, shareId: revoked.shareId };
    expect((await callRoute(revoke, { as: local, params })).status).toBe(204);
    expect((await callRoute(revoke, { as: local, params })).status).toBe(404);
    const anew = await answerOf(
      await callRoute(replaceAddress, {
        as: local,
        params: { investigationId, shareId: replaced.shareId },
      }),
      madeShare,
    );
    await callRoute(removeInvestigation, {
      as: local,
      params: { investigationId: gone.investigationId },
    });
    nowMs += hourMs;
    for (const token of ["", "x".repeat(32), expired.token, revoked.token, replaced.token, gone.token])
      expect(await look(token)).toBeUndefined();
    expect((await opened(anew.path.replace("/s/", ""))).kind).toBe("open");
    expect((await sharesOf(investigationId)).map(({ state, uses }) => [state, uses])).toEqual([
      ["open", 2],
      ["revoked", 1],
      ["expired", 1],
    ]);
    expect((await listAudit(database.db.prisma, { limit: 10 })).map(({ action }) => action)).toEqual(
      expect.arrayContaining(["share.replace", "share.revoke"]),
    );
  });

  it("stands in the list of all that answer, also once its investigation is gone, until it is revoked", async () => {
    const investigationId = await investigate({ title: "listed" });
    const live = await share(investigationId);
    const frozen = await share(investigationId, { kind: "frozen" });
    const other = await investigate({ title: "ended at once" });
    const ended = await share(other, { kind: "frozen" });
    const over = await share(investigationId, { expiresAt: nowMs + 1 });
    nowMs += hourMs;
    const answering = async () => {
      const answer = await callRoute(listAll, { as: local, query: { limit: 200 } });
      const { shares } = await answerOf(answer, openShareList);
      return shares
        .filter(({ investigation: { title } }) => ["listed", "ended at once"].includes(title))
        .map(({ shareId, investigation: { title, deletedAt } }) => [shareId, title, deletedAt]);
    };
    expect(over.shareId).toBeGreaterThan(ended.shareId);
    expect(await answering()).toEqual([
      [ended.shareId, "ended at once", null],
      [frozen.shareId, "listed", null],
      [live.shareId, "listed", null],
    ]);
    const away = (id: number, query = {}) =>
      callRoute(removeInvestigation, { as: local, params: { investigationId: id }, query });
    expect((await away(investigationId)).status).toBe(204);
    expect((await away(other, { revokeLinks: "1" })).status).toBe(204);
    expect(await answering()).toEqual([[frozen.shareId, "listed", nowMs]]);
    expect(await look(ended.token)).toBeUndefined();
    expect((await opened(frozen.token)).kind).toBe("open");
    const audit = await listAudit(database.db.prisma, { limit: 3 });
    expect(audit.map(({ action, subject }) => `${action} ${subject}`)).toContain(
      `share.revoke share ${ended.shareId}`,
    );
    const params = { investigationId, shareId: frozen.shareId };
    expect((await callRoute(revoke, { as: local, params })).status).toBe(204);
    expect(await answering()).toEqual([]);
    expect(await look(frozen.token)).toBeUndefined();
  });

  it("is made by investigators, and is refused when it would have expired already", async () => {
    const investigationId = await investigate();
    useRuntime(database.db, () => nowMs, { trustLoopback: false });
    const asked = async (cookie: string, json: object = {}) =>
      (await callRoute(create, { as: { cookie }, params: { investigationId }, json })).status;
    nowMs = Date.now();
    const viewer = await signedInCookie(database.db, "viewer");
    const investigator = await signedInCookie(database.db, "investigator");
    expect(await asked("")).toBe(401);
    expect(await asked(viewer)).toBe(403);
    expect(await asked(investigator)).toBe(201);
    expect(await asked(investigator, { expiresAt: nowMs - 1 })).toBe(422);
    expect(await asked(investigator, { password: "short" })).toBe(422);
    const read = await callRoute(list, { as: { cookie: viewer }, params: { investigationId } });
    expect(read.status).toBe(403);
  });

  it("counts those who read it apart from programs that preview it", async () => {
    const made = await share(await investigate());
    await opened(made.token);
    await opened(made.token);
    await opened(made.token, { byProgram: true });
    expect(await sharesOf(made.investigationId)).toMatchObject([{ uses: 2, previews: 1, lastUsedAt: nowMs }]);
  });
});

describe("a link with a password", () => {
  it("shows nothing before it is given, counts no use, and limits attempts", async () => {
    const made = await share(await investigate(), { password: "tell nobody else" });
    const other = await share(made.investigationId, { password: "tell nobody else" });
    expect(await look(made.token)).toEqual({ kind: "locked" });
    const give = (password: string, token = made.token) =>
      callRoute(unlock, {
        as: { address: "10.9.9.9" },
        body: new URLSearchParams({ token, password }),
      });
    const wrong = await give("tell nobody");
    expect([wrong.status, wrong.headers.get("location"), wrong.headers.get("set-cookie")]).toEqual([
      303,
      `/s/${made.token}?tried=wrong`,
      null,
    ]);
    const asJson = await callRoute(unlock, { json: { token: made.token, password: "tell nobody else" } });
    expect(asJson.status).toBe(415);
    const right = await give("tell nobody else");
    expect(right.headers.get("location")).toBe(`/s/${made.token}`);
    expect(right.headers.get("set-cookie")).toMatch(
      new RegExp(`; Path=/s/${made.token}; HttpOnly; SameSite=Lax$`),
    );
    const key = shareKeyIn(new Headers({ cookie: cookieIn(right) }));
    expect((await opened(made.token, { key: key ?? "" })).head.title).toBe("a node dies");
    expect(await look(other.token, { key: key ?? "" })).toEqual({ kind: "locked" });
    expect((await sharesOf(made.investigationId)).map(({ uses }) => uses)).toEqual([0, 1]);
    for (let attempt = 0; attempt < 8; attempt += 1) await give("wrong again");
    expect((await give("tell nobody else")).headers.get("location")).toBe(`/s/${made.token}?tried=often`);
    expect((await give("x", "y".repeat(32))).headers.get("location")).toBe(
      `/s/${"y".repeat(32)}?tried=wrong`,
    );
  });
});

describe("what a link reads", () => {
  it("is the investigation's own nodes over what it pinned, and nothing beside", async () => {
    const investigationId = await investigate({
      text: `[[effect:${markId}]] and [[effect:${markId}@${nodes["neighbour"]}]]`,
      pins: [
        { ...chartOf("own"), caption: "it grows" },
        chartOf("neighbour"),
        { kind: "table", address: "/cohorts?attribute=kernelRelease" },
        { kind: "table", address: "/" },
        { kind: "comparison", address: `/compare?a=${nodes["own"]}&b=${nodes["neighbour"]}&${window}` },
      ],
    });
    const made = await share(investigationId);
    const { head, readings, effects } = await opened(made.token);
    expect(head.nodes).toEqual(["own"]);
    expect(head.pins.map(({ address }) => address)).toEqual(["", "", "", "", ""]);
    const kinds = await Promise.all([1, 2, 3, 4, 5].map(async (pin) => (await readings[pin])?.kind));
    expect(kinds).toEqual(["composition", "unreadable", "unreadable", "table", "unreadable"]);
    const chart = await readings[1];
    if (chart?.kind !== "composition") throw new Error("expected a chart");
    expect(chart.composition).toMatchObject({ from: startMs, to: readMs });
    expect(chart.node.annotations).toMatchObject([
      { annotationId: markId, scope: {}, nodeIds: [nodes["own"]], controlNodeIds: [] },
    ]);
    const fleet = await readings[4];
    if (fleet?.kind !== "table") throw new Error("expected a table");
    expect(fleet.table.rows.map(([name]) => name)).toEqual(["own"]);
    expect(await effects[`[[effect:${markId}]]`]).toMatchObject({ node: "own", href: "" });
    expect(await effects[`[[effect:${markId}@${nodes["neighbour"]}]]`]).toHaveProperty("message");
    const all = JSON.stringify([head, await Promise.all(Object.values(readings))]);
    expect(all).not.toContain("neighbour");

    const reader = await openShareReader({
      db: database.db,
      now: () => nowMs,
      silentAfterMs,
      shareId: made.shareId,
      investigationId,
      redactor: undefined,
    });
    expect(await reader.readPin(6)).toEqual({ kind: "unreadable", message: "There is no pin 6." });
    expect(await reader.readEffect("[[effect:999]]")).toEqual({ message: "The texts do not refer to it." });
  });
});

describe("a closer look", () => {
  const closer = (token: string, number: number, [fromHour, toHour]: readonly [number, number]) =>
    readCloserShare(visitOf(token), number, {
      fromMs: startMs + fromHour * hourMs,
      toMs: startMs + toHour * hourMs,
    });

  it("has the samples of a part of what a live link pinned, of no other time and no other node", async () => {
    const wide = `/nodes/${nodes["own"]}?from=${startMs - 30 * dayMs}&to=${readMs}`;
    const pins = [{ kind: "chart", address: wide }, chartOf("neighbour"), { kind: "table", address: "/" }];
    const { token } = await share(await investigate({ pins }));
    const chart = await (await opened(token)).readings[1];
    const near = await closer(token, 1, [1, 2]);
    if (chart?.kind !== "composition" || near?.kind !== "composition") throw new Error("expected charts");
    const inside = (atMs: number) => atMs >= startMs + hourMs && atMs <= startMs + 2 * hourMs;
    expect(near.composition.timesMs.every(inside)).toBe(true);
    expect(near.composition.timesMs.length).toBeGreaterThan(chart.composition.timesMs.filter(inside).length);
    expect(await closer(token, 1, [-10_000, 1])).toMatchObject({
      composition: { from: startMs - 30 * dayMs, to: startMs + hourMs },
    });
    for (const [number, part] of [
      [1, [-10_000, -9999]],
      [1, [2, 1]],
      [1, [NaN, NaN]],
      [2, [1, 2]],
      [3, [1, 2]],
    ] as const)
      expect(await closer(token, number, part)).toHaveProperty("kind", "unreadable");
    for (const number of [77, NaN]) expect(await closer(token, number, [1, 2])).toBeUndefined();
    expect(await closer("x".repeat(32), 1, [1, 2])).toBeUndefined();
  });

  it("is none of a frozen link, which has the points that it keeps", async () => {
    const { token } = await share(await investigate({ pins: [chartOf("own")] }), { kind: "frozen" });
    expect(await closer(token, 1, [1, 2])).toBeUndefined();
  });
});

describe("a link without names", () => {
  it.each(["live", "frozen"])(
    "%s: replaces them the same everywhere, before anything leaves",
    async (kind) => {
      const investigationId = await investigate({
        title: "own leaks, neighbour does not",
        people: ["Ada Root"],
        conclusion: `Ada Root asked carla@own about 10.1.2.3 and fe80::5054:ff:feab:cdef; carla agreed. [[effect:${markId}]]`,
        pins: [
          { ...chartOf("own"), caption: "10.1.2.3 of own" },
          { kind: "table", address: "/" },
          { kind: "dump", content: "dora@own:~$ free -m" },
        ],
      });
      await database.db.prisma.annotation.updateMany({
        where: { id: markId },
        data: { author: "Grace Marker", text: "dora and carla saw it on own", deletedAt: null },
      });
      const made = await share(investigationId, { kind, redacted: true });
      expect(made.redacted).toBe(true);
      const seen = async () => {
        const { head, readings, effects } = await opened(made.token);
        return {
          head,
          readings: await Promise.all(Object.values(readings)),
          effects: await Promise.all(Object.values(effects)),
        };
      };
      const { head, readings, effects } = await seen();
      expect(head).toMatchObject({
        title: "node-1 leaks, node-2 does not",
        people: ["user-1"],
        nodes: ["node-1"],
        status: "open",
        conclusion: `user-1 asked user-2@node-1 about 192.0.2.1 and 2001:db8::1; user-2 agreed. [[effect:${markId}]]`,
      });
      expect(head.pins[0]?.caption).toBe("192.0.2.1 of node-1");
      const [chart, fleet] = readings;
      if (chart?.kind !== "composition" || fleet?.kind !== "table")
        throw new Error("expected a chart and a table");
      expect(chart.node.name).toBe("node-1");
      expect(chart.node.annotations).toMatchObject([
        {
          author: expect.stringMatching(/^user-[34]$/) as string,
          text: expect.stringMatching(/^user-[34] and user-2 saw it on node-1$/) as string,
        },
      ]);
      expect(chart.composition.totalKib).toContain(64 * 1024 * 1024);
      expect(fleet.table.rows.map(([name]) => name)).toEqual(["node-1"]);
      expect(effects).toMatchObject([{ node: "node-1" }]);
      const all = JSON.stringify([head, readings, effects]);
      expect(all).not.toMatch(/\bown\b|neighbour|Ada|Grace|carla|dora|10\.1\.2\.3|fe80/);
      expect(JSON.stringify((await seen()).readings[0])).toBe(JSON.stringify(readings[0]));
      if (kind === "frozen")
        expect(await readFrozenShare(visitOf(made.token))).not.toMatch(
          /\bown\b|neighbour|Ada|Grace|carla|dora/,
        );
    },
  );
});

describe("a link without names, over everything that can be pinned", () => {
  const POD = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";
  const CONTAINER = "a3".repeat(32);
  const SECRETS =
    /\bown\b|neighbour|\beast\b|payments-blue|r17-berlin|Olga Owner|\bborg\b|10\.20\.30\.40|fe80|corp\.example|1b9d6bcd|a3a3a3/i;

  it.each(["live", "frozen"])("%s: not a byte of it names whose nodes these are", async (kind) => {
    await database.db.pool.query(`update "NodeRevision" set labels = $2 where "nodeId" = $1`, [
      nodes["own"],
      JSON.stringify({ team: "payments-blue", rack: "r17-berlin", os: "linux", tier: "1" }),
    ]);
    await database.db.prisma.finding.createMany({
      data: [
        {
          nodeId: nodes["own"] ?? 0,
          signature: "S01",
          severity: "warning",
          certainty: "firm",
          state: "new",
          stateAt: new Date(nowMs),
          firstSeenAt: new Date(startMs),
          lastSeenAt: new Date(nowMs),
          score: 0.9,
          detail: {
            name: "Exit files on a tmpfs",
            kind: "leak",
            what: "",
            explainedKib: null,
            explainedShare: null,
            evidence: [{ values: [], text: `/kubepods/pod${POD}/${CONTAINER} of own grows` }],
            counterEvidence: [],
            missing: [],
            confirm: { command: "ls", reading: "files" },
            mitigate: "",
            fix: "",
            affectedVersions: "",
            sources: [],
          },
        },
      ],
      skipDuplicates: true,
    });
    const marked = await callRoute(mark, {
      as: local,
      json: {
        at: startMs + 5 * hourMs,
        kind: "intervention",
        title: "drained NEIGHBOUR.corp.example for payments-blue",
        text: `as asked by Olga Owner <olga@corp.example>, borg@own:~# ip a 10.20.30.40, pod${POD}`,
        tags: ["r17-berlin"],
        scope: { nodes: [nodes["own"]] },
      },
    });
    const { annotationId } = await answerOf(marked, annotation);
    const both = [nodes["own"], nodes["neighbour"]];
    const investigationId = await investigate({
      title: "own of east, R17-Berlin",
      scope: { nodes: both },
      people: ["Olga Owner"],
      conclusion: `[[effect:${annotationId}]] on own, kubepods-pod${POD.replaceAll("-", "_")}.slice`,
      text: `| a | b |\n|---|---|\n| payments-blue | [x](http://neighbour.corp.example/10.20.30.40) |\n\n[[pin:1]]`,
      pins: [
        { ...chartOf("own"), caption: "own" },
        { ...chartOf("own"), kind: "table" },
        { ...chartOf("own"), kind: "scatter" },
        { kind: "effect", address: `/nodes/${nodes["own"]}?effect=${annotationId}&${window}` },
        { kind: "chart", address: `/nodes/${nodes["own"]}/slab?${window}` },
        { kind: "table", address: `/nodes/${nodes["own"]}/slab?${window}` },
        { kind: "table", address: "/" },
        { kind: "table", address: "/findings" },
        { kind: "table", address: "/experiments" },
        ...["cluster", "label.team", "kernelRelease"].map((attribute) => ({
          kind: "table",
          address: `/cohorts?attribute=${attribute}`,
        })),
        { kind: "comparison", address: `/compare?a=${nodes["own"]}&b=${nodes["neighbour"]}&${window}` },
        { kind: "comparison", address: `/compare?a=label.team%3Dpayments-blue&b=cluster%3Deast&${window}` },
        { kind: "dump", content: `borg@own:~$ cat /proc/meminfo\nMemTotal: 100 kB\npod${POD} Olga Owner` },
      ],
    });
    await callRoute(addEntry, {
      as: local,
      params: { investigationId },
      json: { text: "Olga Owner saw **own** at 10.20.30.40" },
    });
    const made = await share(investigationId, { kind, redacted: true });
    const { head, readings, effects } = await opened(made.token);
    const peek = await peekShare(visitOf(made.token));
    const all = {
      head,
      readings: await Promise.all(Object.values(readings)),
      effects: await Promise.all(Object.values(effects)),
      picture: sharePicture(peek?.head ?? head, peek?.chart, peek?.effects ?? {}),
      closer: await readCloserShare(visitOf(made.token), 1, { fromMs: startMs, toMs: startMs + hourMs }),
      content: await readFrozenShare(visitOf(made.token)),
    };
    expect(all.picture.summary).toMatch(/MiB\/h.* on node-1/);
    const unread = all.readings.filter(({ kind: read }) => read === "unreadable");
    expect(unread.length).toBeLessThan(4);
    for (const [part, value] of Object.entries(all)) {
      const text = JSON.stringify(value) ?? "";
      expect([
        part,
        SECRETS.exec(text)?.[0],
        text.slice(Math.max(0, text.search(SECRETS) - 80)).slice(0, 160),
      ]).toEqual([part, undefined, expect.any(String)]);
    }
    expect(JSON.stringify(all)).toContain("cluster-1");
    expect(JSON.stringify(all)).toContain("label-1");
    for (const format of ["markdown", "html", "json"]) {
      const file = await callRoute(take, {
        as: local,
        params: { investigationId },
        query: { format, redacted: "1" },
      });
      const text = await file.text();
      expect([format, SECRETS.exec(text)?.[0]]).toEqual([format, undefined]);
    }
    await callRoute(unmark, { as: local, params: { annotationId } });
  });
});

describe("a frozen link", () => {
  it("stays the same to the byte when data expire, marks and texts change, and node and investigation go", async () => {
    const text = `[[effect:${markId}]]`;
    const investigationId = await investigate({
      text,
      pins: [
        chartOf("own"),
        { kind: "table", address: `/nodes/${nodes["own"]}?${window}` },
        { kind: "scatter", address: `/nodes/${nodes["own"]}?${window}` },
        { kind: "chart", address: `/nodes/${nodes["own"]}/slab?${window}&cache=dentry` },
      ],
    });
    const made = await share(investigationId, { kind: "frozen" });
    expect(made).toMatchObject({
      state: "open",
      frozenAt: nowMs,
      parts: { done: 5, total: 5 },
      contentHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    const before = await readFrozenShare(visitOf(made.token));
    expect(
      createHash("sha256")
        .update(before ?? "")
        .digest("hex"),
    ).toBe(made.contentHash);
    const { head, readings, effects, frozen } = await opened(made.token);
    expect(frozen).toEqual({ atMs: nowMs, contentHash: made.contentHash });
    expect(head).toMatchObject({ title: "a node dies", zone: "UTC", readAtMs: nowMs });
    const chart = await readings[1];
    if (chart?.kind !== "composition") throw new Error("expected a chart");
    expect(chart.composition.timesMs.length).toBeGreaterThan(100);
    expect(chart.effects).toMatchObject([{ annotationId: markId, slopeVerdict: "stopped" }]);
    expect((await readings[3])?.kind).toBe("scatter");
    expect((await readings[4])?.kind).toBe("caches");
    expect(await effects[text]).toMatchObject({ title: "puller stopped" });

    const params = { annotationId: markId };
    await callRoute(editMark, { as: local, params, json: { title: "renamed", at: startMs + 2 * hourMs } });
    await callRoute(unmark, { as: local, params });
    const changed = await callRoute(updateInvestigation, {
      as: local,
      params: { investigationId },
      json: { version: 1, title: "another title", text: "nothing" },
    });
    expect(changed.status).toBe(200);
    nowMs += 800 * dayMs;
    const { dropped } = await dropExpiredPartitions({
      ctx: system(),
      input: { retention: { rawDays: 14, fiveMinuteDays: 90, hourDays: 730 } },
    });
    expect(dropped).toEqual(expect.arrayContaining([expect.stringMatching(/^Snapshot/)]));
    await callRoute(removeInvestigation, { as: local, params: { investigationId } });
    await database.db.pool.query(`delete from "NodeRevision" where "nodeId" = $1`, [nodes["own"]]);
    await database.db.pool.query(`delete from "NodeNewest" where "nodeId" = $1`, [nodes["own"]]);

    expect(await readFrozenShare(visitOf(made.token))).toBe(before);
    expect((await opened(made.token)).frozen?.contentHash).toBe(made.contentHash);
    expect((await opened(made.token)).head).toEqual(head);
    expect(await (await opened(made.token)).readings[1]).toEqual(chart);
  });

  it("is not shown when what it keeps was touched", async () => {
    const made = await share(await investigate(), { kind: "frozen" });
    await database.db.pool.query(
      `update "FrozenShare" set content = replace(content, 'a node dies', 'a node lives') where "shareId" = $1`,
      [made.shareId],
    );
    await expect(look(made.token)).rejects.toThrow(/not what was frozen/);
  });
});
