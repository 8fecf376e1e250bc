import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { annotation } from "#lib/contracts/annotation.ts";
import { canonicalJson } from "#lib/contracts/canonical-json.ts";
import { investigationFile } from "#lib/contracts/investigation-content.ts";
import { entryList, investigation, investigationList } from "#lib/contracts/investigation.ts";
import { shareList } from "#lib/contracts/share.ts";
import { readFrozenShare } from "#lib/server/documents/open-share.ts";
import { hashOf, shareInvestigation } from "#lib/server/documents/share-investigation.ts";
import { setRuntime } from "#lib/server/http/runtime.ts";
import { ingestSnapshots } from "#lib/server/services/ingest-snapshots.ts";
import { leakThatStops, simulateNode } from "../../../../../../e2e/simulated-node.ts";
import {
  answerOf,
  callRoute,
  signedInCookie,
  useRuntime,
} from "../../../../../../scripts/testing/route-client.ts";
import { createTestDatabase, type TestDatabase } from "../../../../../../scripts/testing/test-database.ts";
import { POST as mark } from "../../../annotations/route.ts";
import { POST as takeIn } from "../../import/route.ts";
import { GET as listInvestigations, POST as openInvestigation } from "../../route.ts";
import { GET as getLog } from "../log/route.ts";
import { GET as listShares } from "../shares/route.ts";
import { GET as take } from "./route.ts";

const hourMs = 3_600_000;
const startMs = Date.parse("2026-03-01T00:00:00Z");
let nowMs = startMs + 13 * hourMs;
const local = { local: true };

let database: TestDatabase;
let investigationId = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  useRuntime(database.db, () => nowMs);
  const items = simulateNode({ ...leakThatStops("taken-node", 5, nowMs).node, everyMs: 300_000 });
  const ctx = { db: database.db, actor: { kind: "system", name: "test" } as const, now: () => nowMs };
  await ingestSnapshots({ ctx, input: { items, cluster: "east" } });
  const { id: nodeId } = await database.db.prisma.node.findFirstOrThrow({ where: { name: "taken-node" } });
  const made = await callRoute(mark, {
    as: local,
    json: {
      at: startMs + 7 * hourMs,
      kind: "intervention",
      title: "puller stopped",
      scope: { nodes: [nodeId] },
    },
  });
  const { annotationId } = await answerOf(made, annotation);
  const window = `from=${startMs}&to=${nowMs}`;
  const opened = await callRoute(openInvestigation, {
    as: local,
    json: {
      title: 'Who "eats"; taken-node \u00e9?',
      scope: { nodes: [nodeId] },
      conclusion: `The puller: [[effect:${annotationId}]].`,
      pins: [
        { kind: "chart", address: `/nodes/${nodeId}?${window}` },
        { kind: "scatter", address: `/nodes/${nodeId}?${window}` },
      ],
    },
  });
  ({ investigationId } = await answerOf(opened, investigation));
});
afterAll(async () => {
  setRuntime(undefined);
  await database.drop();
});

async function exported(query: Record<string, string>, as: object = local) {
  const response = await callRoute(take, { as, params: { investigationId }, query });
  return { response, text: await response.text() };
}
const hashIn = (text: string) =>
  /[0-9a-f]{64}(?![0-9a-f])/.exec(text.slice(text.lastIndexOf("SHA-256")))?.[0];

describe("an export", () => {
  it("is a file with its name in UTF-8 and in ASCII", async () => {
    const { response } = await exported({ format: "markdown" });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="investigation-${investigationId} Who eats taken-node _.md"; ` +
        `filename*=UTF-8''investigation-${investigationId}%20Who%20eats%20taken-node%20%C3%A9.md`,
    );
    const html = (await exported({ format: "html" })).response;
    expect(html.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(html.headers.get("content-security-policy")).toContain("sandbox");
  });

  it("says numbers, window and the absolute address of each view", async () => {
    const { text } = await exported({ format: "markdown" });
    expect(text).toMatch(/The puller: \[31\d to \S+ MiB\/h \(.*?\)\]\(<http:\/\/[^>]+\/nodes\/\d+\?/);
    expect(text).toMatch(/taken-node; Sun 1 Mar 2026 00:00 \u2013 13:00 UTC; \[view\]\(<http:\/\/[^>]+from=/);
    expect(text).toContain("per container");
  });

  it("has the same hash in both forms and at another time, and another once something changed", async () => {
    const before = hashIn((await exported({ format: "html" })).text);
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    nowMs += hourMs;
    expect(hashIn((await exported({ format: "markdown" })).text)).toBe(before);
    const row = { where: { id: investigationId }, data: { conclusion: "Another." } };
    await database.db.prisma.investigation.update(row);
    expect(hashIn((await exported({ format: "markdown" })).text)).not.toBe(before);
  });

  it("replaces names where that is wished, and then leads nowhere back", async () => {
    for (const format of ["markdown", "html"]) {
      const { text } = await exported({ format, redacted: "1" });
      expect(text).toContain("node-1");
      expect(text).not.toMatch(/taken-node|\/nodes\/|localhost:4400/);
    }
  });

  it("refuses other forms, strangers, and what is not there", async () => {
    expect((await exported({ format: "pdf" })).response.status).toBe(400);
    expect((await exported({ format: "html" }, {})).response.status).toBe(401);
    const gone = await callRoute(take, {
      as: local,
      params: { investigationId: 4711 },
      query: { format: "html" },
    });
    expect(gone.status).toBe(404);
    expect(gone.headers.get("content-type")).toBe("application/problem+json");
  });
});

describe("an import", () => {
  const text = async (id: number, query: Record<string, string> = {}) => {
    const response = await callRoute(take, {
      as: local,
      params: { investigationId: id },
      query: { format: "json", ...query },
    });
    expect(response.headers.get("content-type")).toBe("application/json");
    return response.text();
  };
  const send = (body: string, as: object = local) =>
    callRoute(takeIn, { as, body, headers: { "content-type": "application/json" } });
  const fileOf = (json: string) => investigationFile.parse(JSON.parse(json));

  it("shows what came with it, and taken along again has the same content", async () => {
    const first = await text(investigationId);
    nowMs += hourMs;
    const made = await answerOf(await send(first), investigation);
    expect(made).toMatchObject({ nodeIds: [], title: fileOf(first).content.head.title });
    const { contentHash, readAt } = fileOf(first);
    const came = {
      origin: "http://localhost:4400",
      readAt,
      importedBy: expect.any(String) as string,
      importedAt: nowMs,
      contentHash,
    };
    expect(made.imported).toEqual(came);
    const { investigations } = await answerOf(
      await callRoute(listInvestigations, { as: local }),
      investigationList,
    );
    expect(investigations.map(({ investigationId: id, imported }) => [id, imported])).toEqual([
      [made.investigationId, came],
      [investigationId, null],
    ]);
    expect(made.pins.map(({ number, address }) => [number, address])).toEqual([
      [1, ""],
      [2, ""],
    ]);
    nowMs += hourMs;
    const second = await text(made.investigationId);
    expect(fileOf(second).contentHash).toBe(fileOf(first).contentHash);
    expect(fileOf(second)).toEqual({ ...fileOf(first), madeAt: nowMs });
    const asHtml = { params: { investigationId: made.investigationId }, query: { format: "html" } };
    const html = await (await callRoute(take, { as: local, ...asHtml })).text();
    expect(html).toContain('<figure id="pin-1">');
    expect(html).toContain("taken-node");
  });

  it("makes nobody of this Plumbline an author", async () => {
    const body = JSON.parse(await text(investigationId)) as z.input<typeof investigationFile>;
    const { content } = body;
    content.head.openedBy = "Ida Local";
    for (const each of content.head.pins) each.createdBy = "Ida Local";
    content.head.entries = [
      { entryId: 1, at: startMs, kind: "note", text: "I did it.", madeBy: "person", createdBy: "Ida Local" },
    ];
    const sent = JSON.stringify({ ...body, contentHash: hashOf(canonicalJson(content)) });
    const made = await answerOf(await send(sent), investigation);
    const params = { investigationId: made.investigationId };
    const { entries } = await answerOf(await callRoute(getLog, { as: local, params }), entryList);
    const authors = [made, ...made.pins, ...entries.filter(({ kind }) => kind === "note")];
    expect(authors.map(({ createdBy }) => createdBy)).toEqual(authors.map(() => "Ida Local (imported)"));
    const html = await (await callRoute(take, { as: local, params, query: { format: "html" } })).text();
    expect(html).toContain("by Ida Local (imported)");
    expect(html).not.toMatch(/Ida Local(?! \(imported\))/);
    expect(fileOf(await text(made.investigationId)).content.head).toEqual(content.head);

    const ctx = { db: database.db, actor: { kind: "local" as const, name: "local" }, now: () => nowMs };
    const share = { kind: "frozen" as const, redacted: false };
    const { path } = await shareInvestigation({
      ctx,
      silentAfterMs: 300_000,
      input: { ...params, share },
    });
    const visit = { db: database.db, now: () => nowMs, silentAfterMs: 300_000, key: undefined };
    const shown = await readFrozenShare({ ...visit, token: path.replace("/s/", "") });
    expect(shown).toContain("Ida Local (imported)");
    expect(shown).not.toMatch(/Ida Local(?! \(imported\))/);
  });

  it("keeps the data when the node is gone here, and tells what was changed since", async () => {
    const first = await text(investigationId);
    const { investigationId: copy } = await answerOf(await send(first), investigation);
    await database.db.prisma.investigation.update({ where: { id: copy }, data: { title: "Renamed" } });
    const changed = fileOf(await text(copy));
    expect(changed.contentHash).not.toBe(fileOf(first).contentHash);
    expect(changed.content.head.title).toBe("Renamed");
    expect(changed.content.readings).toEqual(fileOf(first).content.readings);
    const { shares } = await answerOf(
      await callRoute(listShares, { as: local, params: { investigationId: copy } }),
      shareList,
    );
    expect(shares).toEqual([]);
  });

  it("has no name or address of the first where these were replaced", async () => {
    const json = await text(investigationId, { redacted: "1" });
    expect(json).not.toMatch(/taken-node|localhost|\/nodes\//);
    expect(fileOf(json).origin).toBeNull();
    expect((await send(json)).status).toBe(201);
  });

  it("says what is wrong, and where", async () => {
    const first = await text(investigationId);
    const problemOf = async (body: string, as?: object) => {
      const response = await send(body, as);
      return { status: response.status, ...((await response.json()) as { errors?: { path: string }[] }) };
    };
    expect(await problemOf(first.replaceAll("puller stopped", "puller started"))).toMatchObject({
      status: 422,
      errors: [{ path: "contentHash" }],
    });
    expect(await problemOf(first.replace('"bucketSeconds":', '"bucketSecond":'))).toMatchObject({
      status: 422,
      errors: [
        { path: expect.stringMatching(/^content\.readings\.1\.composition\.resolution/) as string },
        {},
      ],
    });
    const changed = (old: RegExp, other: (found: string) => string) => {
      expect(first).toMatch(old);
      return first.replace(old, other);
    };
    const backwards = changed(/"timesMs":\[(\d+),(\d+)/, (found) => found.replace(/(\d+),(\d+)/, "$2,$1"));
    expect(await problemOf(backwards)).toMatchObject({
      status: 422,
      errors: [{ path: expect.stringMatching(/^content\.readings\.1\.composition$/) as string }],
    });
    const shorter = changed(/"totalKib":\[\d+,/, () => '"totalKib":[');
    expect(await problemOf(shorter)).toMatchObject({
      status: 422,
      errors: [{ path: expect.stringMatching(/^content\.readings\.1\.composition$/) as string }],
    });
    const empty = changed(/"window":\{"from":(\d+),"to":(?:null|\d+)\}/, (found) =>
      found.replace(/"from":(\d+),"to":(?:null|\d+)/, '"from":$1,"to":$1'),
    );
    expect(await problemOf(empty)).toMatchObject({
      status: 422,
      errors: [{ path: "content.head.window.to" }],
    });
    expect(await problemOf("{}")).toMatchObject({ status: 422 });
    expect(await problemOf(`{"format":"${"x".repeat(33 * 1024 * 1024)}"}`)).toMatchObject({ status: 413 });
    const viewer = { cookie: await signedInCookie(database.db, "viewer") };
    expect(await problemOf(first, viewer)).toMatchObject({ status: 403 });
  });
});
