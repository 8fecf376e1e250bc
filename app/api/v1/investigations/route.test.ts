import { beforeEach, describe, expect, it } from "vitest";
import { annotation } from "#lib/contracts/annotation.ts";
import {
  entry,
  entryList,
  hypothesis,
  investigation,
  investigationHistory,
  investigationList,
  pin,
} from "#lib/contracts/investigation.ts";
import { listAudit } from "#lib/server/data/audit.ts";
import type { Route } from "#lib/server/http/define-route.ts";
import type { Context } from "#lib/server/services/context.ts";
import { logInvestigationEvents } from "#lib/server/services/log-investigation-events.ts";
import { answerOf, callRoute, problemOf } from "../../../../scripts/testing/route-client.ts";
import { serveTwoClusters } from "../../../../scripts/testing/two-clusters.ts";
import { DELETE as unmark } from "../annotations/[annotationId]/route.ts";
import { POST as mark } from "../annotations/route.ts";
import { GET as getHistory } from "./[investigationId]/history/route.ts";
import { POST as addHypothesis } from "./[investigationId]/hypotheses/route.ts";
import {
  DELETE as removeHypothesis,
  PATCH as changeHypothesis,
} from "./[investigationId]/hypotheses/[hypothesisId]/route.ts";
import { GET as getLog, POST as addEntry } from "./[investigationId]/log/route.ts";
import { DELETE as removeEntry, PATCH as changeEntry } from "./[investigationId]/log/[entryId]/route.ts";
import { POST as addPin } from "./[investigationId]/pins/route.ts";
import { DELETE as removePin, PATCH as changePin } from "./[investigationId]/pins/[number]/route.ts";
import { DELETE as remove, GET as getOne, PATCH as update } from "./[investigationId]/route.ts";
import { GET as list, POST as create } from "./route.ts";

const hourMs = 3_600_000;
const startMs = Date.parse("2026-03-01T04:15:00Z");
let nowMs = startMs + 2 * hourMs;
const local = { local: true };
type As = { local?: boolean; token?: string };

const fleet = serveTwoClusters(() => nowMs);
beforeEach(() => {
  nowMs = startMs + 2 * hourMs;
});

async function open(json: object = {}, as: As = local) {
  return answerOf(await callRoute(create, { as, json: { title: "a node dies", ...json } }), investigation);
}
const send = (route: Route, params: Record<string, number>, json: object | undefined, as: As = local) =>
  callRoute(route, { as, params, ...(json !== undefined && { json }) });
const read = async (investigationId: number) =>
  answerOf(await send(getOne, { investigationId }, undefined), investigation);
const logOf = async (investigationId: number) =>
  (await answerOf(await send(getLog, { investigationId }, undefined), entryList)).entries;
const historyOf = async (investigationId: number, as: As = local) =>
  answerOf(await send(getHistory, { investigationId }, undefined, as), investigationHistory);
const worker = (): Context => ({
  db: fleet.db,
  actor: { kind: "system", name: "worker" },
  now: () => nowMs,
});

describe("an investigation", () => {
  it("is opened with its scope as written and as nodes, its first pins, a log line and an audit line", async () => {
    const response = await callRoute(create, {
      as: local,
      json: {
        title: "  a node dies every week ",
        scope: { cluster: "east" },
        people: ["on-call"],
        pins: [
          {
            kind: "chart",
            address: `/nodes/${fleet.nodes[0]}?from=now-6h&to=now&view=change`,
            caption: "it grows",
          },
        ],
      },
    });
    expect(response.status).toBe(201);
    const made = await answerOf(response, investigation);
    expect(response.headers.get("location")).toBe(`/api/v1/investigations/${made.investigationId}`);
    expect(made).toMatchObject({
      title: "a node dies every week",
      status: "open",
      scope: { cluster: "east" },
      nodeIds: fleet.nodes.slice(0, 2),
      window: { from: nowMs - 6 * hourMs, to: null },
      people: ["on-call"],
      version: 1,
      createdBy: "local",
      updatedAt: nowMs,
      hypotheses: [],
    });
    expect(made.pins).toMatchObject([
      {
        number: 1,
        kind: "chart",
        caption: "it grows",
        address: `/nodes/${fleet.nodes[0]}?from=${nowMs - 6 * hourMs}&to=${nowMs}&view=change`,
      },
    ]);
    expect(await read(made.investigationId)).toEqual(made);
    expect((await logOf(made.investigationId)).map(({ kind, text }) => [kind, text])).toEqual([
      ["change", "opened the investigation"],
    ]);
    expect((await listAudit(fleet.db.prisma, { limit: 1 }))[0]).toMatchObject({
      actor: "local",
      action: "investigation.created",
      subject: `investigation ${made.investigationId}`,
    });
  });

  it.each([
    ["scope.cluster", { scope: { cluster: "north" } }],
    ["window.to", { window: { from: startMs, to: startMs } }],
    ["pins.0.address", { pins: [{ kind: "chart", address: "//example.org" }] }],
    ["pins.0.content", { pins: [{ kind: "dump" }] }],
    ["pins.0.content", { pins: [{ kind: "chart", address: "/nodes/1", content: "x" }] }],
    ["pins.0.address", { pins: [{ kind: "chart", address: "/nodes/4711" }] }],
    ["title", { title: " " }],
    ["title", { title: "a\u0000b" }],
    ["text", { text: "x".repeat(100_001) }],
  ])("is refused at %s", async (path, json) => {
    const refused = await callRoute(create, { as: local, json: { title: "x", ...json } });
    expect(refused.status).toBe(422);
    expect((await problemOf(refused)).errors?.[0]?.path).toBe(path);
  });

  it("is listed by status, text and node, the last changed first, with what it holds", async () => {
    const first = await open({ title: "100 %_ sure", scope: { nodes: [fleet.nodes[0]] } });
    nowMs += 1000;
    const second = await open({ title: "another", text: "of crio", scope: { nodes: [fleet.nodes[2]] } });
    await send(addHypothesis, { investigationId: first.investigationId }, { text: "h", state: "refuted" });
    const found = async (query: Record<string, string | number>) => {
      const { investigations } = await answerOf(
        await callRoute(list, { as: local, query }),
        investigationList,
      );
      return investigations.map(({ title }) => title);
    };
    expect(await found({ search: "%_" })).toEqual(["100 %_ sure"]);
    expect(await found({ search: "CRIO" })).toEqual(["another"]);
    expect(await found({ nodeId: fleet.nodes[2] ?? 0 })).toContain("another");
    expect(await found({ status: "resolved" })).toEqual([]);
    expect((await found({ limit: 2 }))[0]).toBe(second.title);
    const listed = await answerOf(
      await callRoute(list, { as: local, query: { search: "%_" } }),
      investigationList,
    );
    expect(listed.investigations[0]).toMatchObject({
      pins: 0,
      hypotheses: { open: 0, supported: 0, refuted: 1 },
    });
  });

  it("goes from status to status as far as that makes sense, and tells the log", async () => {
    const { investigationId } = await open();
    const become = async (status: string) => {
      const { version } = await read(investigationId);
      return (await send(update, { investigationId }, { version, status })).status;
    };
    expect(await become("reopened")).toBe(422);
    expect(await become("watching")).toBe(200);
    expect(await become("resolved")).toBe(200);
    expect(await become("open")).toBe(422);
    expect(await become("reopened")).toBe(200);
    expect((await logOf(investigationId)).map(({ text }) => text)).toEqual([
      "set the status to reopened",
      "set the status to resolved",
      "set the status to watching",
      "opened the investigation",
    ]);
  });

  it("keeps texts as they were written, whatever they are", async () => {
    const hostile = `<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1)) \u202egnp.exe\u0007 ${"\u0301".repeat(500)} \ud83e\udd86`;
    const long = "x".repeat(100_000);
    const { investigationId } = await open({
      title: hostile.slice(0, 200).toWellFormed(),
      conclusion: hostile,
      text: long,
    });
    expect(await read(investigationId)).toMatchObject({ conclusion: hostile, text: long });
    const broken = await send(addEntry, { investigationId }, { text: "\ud83e" });
    expect(broken.status).toBe(422);
  });

  it("stays readable in its history when it is taken away, and there only", async () => {
    const { investigationId } = await open({ conclusion: "first" });
    expect((await send(remove, { investigationId }, undefined)).status).toBe(204);
    expect((await send(getOne, { investigationId }, undefined)).status).toBe(404);
    expect((await send(remove, { investigationId }, undefined)).status).toBe(404);
    const { revisions, deletedAt } = await historyOf(investigationId);
    expect(deletedAt).toBe(nowMs);
    expect(revisions[0]).toMatchObject({ action: "deleted", before: { conclusion: "first" } });
  });
});

describe("a save over a newer version", () => {
  it("is refused with both texts, and nothing is lost", async () => {
    const { investigationId } = await open({ text: "base" });
    const first = await send(update, { investigationId }, { version: 1, text: "by the first" });
    expect(first.status).toBe(200);
    const second = await send(
      update,
      { investigationId },
      { version: 1, text: "by the second" },
      { token: fleet.eastToken },
    );
    // The token sees one cluster; the investigation concerns all nodes.
    expect(second.status).toBe(403);
    const late = await send(update, { investigationId }, { version: 1, text: "by the second" });
    expect(late.status).toBe(409);
    const { conflict } = await problemOf(late);
    expect(investigation.parse(conflict?.current)).toMatchObject({ version: 2, text: "by the first" });
    expect(conflict?.sent).toEqual({ version: 1, text: "by the second" });
    expect(await read(investigationId)).toMatchObject({ version: 2, text: "by the first" });
  });

  it("is refused where two come at the very same time", async () => {
    const { investigationId } = await open();
    const both = await Promise.all(
      ["a", "b", "c"].map((text) => send(update, { investigationId }, { version: 1, text })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  it("is refused of a hypothesis, a pin and a note as well", async () => {
    const { investigationId } = await open({ pins: [{ kind: "table", address: "/" }] });
    const held = await answerOf(await send(addHypothesis, { investigationId }, { text: "crio" }), hypothesis);
    const note = await answerOf(await send(addEntry, { investigationId }, { text: "seen" }), entry);
    const { hypothesisId } = held;
    const ways = [
      [changeHypothesis, { investigationId, hypothesisId }, "text"],
      [changePin, { investigationId, number: 1 }, "caption"],
      [changeEntry, { investigationId, entryId: note.entryId }, "text"],
    ] as const;
    for (const [route, params, field] of ways) {
      expect((await send(route, params, { version: 1, [field]: "newer" })).status).toBe(200);
      const late = await send(route, params, { version: 1, [field]: "older" });
      expect(late.status).toBe(409);
      expect((await problemOf(late)).conflict?.current).toMatchObject({ version: 2, [field]: "newer" });
    }
  });
});

describe("history", () => {
  it("has each change with what stood before; one sitting of typing is one change, and no change is none", async () => {
    const { investigationId } = await open({ text: "0" });
    const write = async (text: string) => {
      const { version } = await read(investigationId);
      await send(update, { investigationId }, { version, text });
    };
    await write("1");
    nowMs += 60_000;
    await write("2");
    await write("2");
    nowMs += 3 * hourMs;
    await write("3");
    const { revisions } = await historyOf(investigationId);
    expect(revisions.slice(0, 2).map(({ before, after }) => [before, after])).toEqual([
      [{ text: "2" }, { text: "3" }],
      [{ text: "0" }, { text: "2" }],
    ]);
    expect((await read(investigationId)).version).toBe(4);
  });

  it("has the parts, also those that were taken away", async () => {
    const { investigationId } = await open({ pins: [{ kind: "table", address: "/cohorts" }] });
    const at = { investigationId };
    const held = await answerOf(await send(addHypothesis, at, { text: "crio leaks" }), hypothesis);
    const params = { ...at, hypothesisId: held.hypothesisId };
    const changed = await send(changeHypothesis, params, {
      version: 1,
      state: "supported",
      evidence: [{ kind: "pin", number: 1 }],
    });
    expect(await answerOf(changed, hypothesis)).toMatchObject({ state: "supported", version: 2 });
    await send(removeHypothesis, params, undefined);
    const note = await answerOf(await send(addEntry, at, { at: startMs, text: "*seen*" }), entry);
    expect(note).toMatchObject({ at: startMs, kind: "note", madeBy: "person", text: "*seen*" });
    await send(removeEntry, { ...at, entryId: note.entryId }, undefined);
    const { revisions } = await historyOf(investigationId);
    expect(revisions.map(({ subject, action }) => `${subject} ${action}`)).toEqual([
      `entry ${note.entryId} deleted`,
      `entry ${note.entryId} created`,
      `hypothesis ${held.hypothesisId} deleted`,
      `hypothesis ${held.hypothesisId} changed`,
      `hypothesis ${held.hypothesisId} created`,
      "investigation created",
    ]);
    expect((await read(investigationId)).hypotheses).toEqual([]);
    expect((await logOf(investigationId)).map(({ text }) => text)).toEqual([
      "called supported: crio leaks",
      "opened the investigation",
    ]);
  });
});

describe("evidence", () => {
  it("is refused for what never was there, by its name, and not for what was taken away since", async () => {
    const { investigationId } = await open({ pins: [{ kind: "table", address: "/cohorts" }] });
    const at = { investigationId };
    const made = await callRoute(mark, {
      as: local,
      json: { at: startMs, kind: "intervention", title: "stopped", scope: { nodes: [fleet.nodes[0]] } },
    });
    const { annotationId } = await answerOf(made, annotation);
    await callRoute(unmark, { as: local, params: { annotationId } });
    await send(removePin, { ...at, number: 1 }, undefined);
    const there = [
      { kind: "pin", number: 1 },
      { kind: "effect", annotationId, nodeId: fleet.nodes[0] },
      { kind: "finding", signature: "S01" },
    ];
    const held = await answerOf(
      await send(addHypothesis, at, { text: "crio leaks", evidence: there }),
      hypothesis,
    );
    const wrong = [
      { kind: "pin", number: 2 },
      { kind: "effect", annotationId: 4711 },
      { kind: "effect", annotationId, nodeId: 4712 },
      { kind: "finding", signature: "S999" },
    ];
    const expected = ["pin 2", "mark 4711", "node 4712", "signature S999"];
    for (const refused of [
      await send(addHypothesis, at, { text: "x", evidence: [...there, ...wrong] }),
      await send(
        changeHypothesis,
        { ...at, hypothesisId: held.hypothesisId },
        { version: held.version, evidence: [...there, ...wrong] },
      ),
    ]) {
      expect(refused.status).toBe(422);
      expect((await problemOf(refused)).errors).toEqual(
        expected.map((what, index) => ({ path: `evidence.${index + 3}`, message: `there is no ${what}` })),
      );
    }
  });
});

describe("pins", () => {
  it.each([
    ["node 4711", { kind: "chart", address: "/nodes/4711" }],
    ["mark 4711", { kind: "effect", address: "/nodes/FIRST?effect=4711" }],
    ["node 4712", { kind: "comparison", address: "/compare?a=FIRST&b=4712" }],
    ["mark 4711", { kind: "comparison", address: "/compare?a=FIRST&b=FIRST&align=mark&mark=4711" }],
  ])("are refused of %s that never was there", async (what, json) => {
    const { investigationId } = await open();
    const address = json.address.replaceAll("FIRST", String(fleet.nodes[0]));
    const refused = await send(addPin, { investigationId }, { ...json, address });
    expect(refused.status).toBe(422);
    expect((await problemOf(refused)).errors).toEqual([{ path: "address", message: `there is no ${what}` }]);
  });

  it("have numbers that are never given again, and an order that can be changed", async () => {
    const { investigationId } = await open();
    const at = { investigationId };
    const put = async (caption: string) =>
      (await answerOf(await send(addPin, at, { kind: "table", address: "/cohorts", caption }), pin)).number;
    expect([await put("a"), await put("b")]).toEqual([1, 2]);
    expect((await send(removePin, { ...at, number: 2 }, undefined)).status).toBe(204);
    expect(await put("c")).toBe(3);
    await send(changePin, { ...at, number: 3 }, { version: 1, position: 0 });
    expect((await read(investigationId)).pins.map(({ number, position }) => [number, position])).toEqual([
      [3, 0],
      [1, 1],
    ]);
    expect((await send(removePin, { ...at, number: 2 }, undefined)).status).toBe(404);
  });

  it("get numbers of their own when several come at once", async () => {
    const { investigationId } = await open();
    const made = await Promise.all(
      [1, 2, 3].map(async () => {
        const response = await send(addPin, { investigationId }, { kind: "dump", content: "MemTotal: 1 kB" });
        return (await answerOf(response, pin)).number;
      }),
    );
    expect(made.sort()).toEqual([1, 2, 3]);
  });
});

describe("a token of one cluster", () => {
  const as = () => ({ token: fleet.eastToken });

  it("opens investigations of its nodes and writes to those alone", async () => {
    const own = await open({ title: "own" }, as());
    expect(own).toMatchObject({ nodeIds: fleet.nodes.slice(0, 2), createdBy: "token ci of east" });
    const note = await send(addEntry, { investigationId: own.investigationId }, { text: "x" }, as());
    expect(await answerOf(note, entry)).toMatchObject({ madeBy: "api" });

    const west = await open({ title: "west", scope: { cluster: "west" } });
    const both = await open({ title: "both" });
    const change = (investigationId: number) =>
      send(update, { investigationId }, { version: 1, title: "mine" }, as());
    expect((await change(west.investigationId)).status).toBe(404);
    expect((await change(both.investigationId)).status).toBe(403);
    const add = (investigationId: number) =>
      send(addPin, { investigationId }, { kind: "table", address: "/" }, as());
    expect((await add(west.investigationId)).status).toBe(404);
    expect((await add(both.investigationId)).status).toBe(403);
    expect((await send(getLog, { investigationId: west.investigationId }, undefined, as())).status).toBe(404);
    expect((await send(getHistory, { investigationId: west.investigationId }, undefined, as())).status).toBe(
      404,
    );
    const listed = await answerOf(await callRoute(list, { as: as() }), investigationList);
    const titles = listed.investigations.map(({ title }) => title);
    expect(titles).toContain("both");
    expect(titles).not.toContain("west");
  });

  it("is needed from elsewhere", async () => {
    expect((await callRoute(create, { json: { title: "x" } })).status).toBe(401);
    expect((await callRoute(list)).status).toBe(401);
  });
});

describe("what the program writes to the log", () => {
  it("is each mark within scope and window once, and verdicts and crashes with them", async () => {
    const scope = { nodes: [fleet.nodes[0]] };
    const put = async (json: object) =>
      answerOf(
        await callRoute(mark, { as: local, json: { kind: "intervention", scope, ...json } }),
        annotation,
      );
    const stopped = await put({ at: startMs, title: "puller stopped", text: "by hand" });
    await put({ at: startMs - 10 * hourMs, title: "long before" });
    await put({ at: startMs, title: "elsewhere", scope: { nodes: [fleet.nodes[2]] } });
    const { investigationId } = await open({ scope, window: { from: startMs - hourMs } });
    const texts = async () => (await logOf(investigationId)).map(({ kind, text }) => `${kind} ${text}`);
    expect(await texts()).toEqual([
      "change opened the investigation",
      "mark local marked on a: puller stopped: by hand",
    ]);

    nowMs += hourMs;
    const effect = JSON.stringify({ text: "It grew 312 MiB/h until then, and 4 after: stopped." });
    await fleet.db.pool.query(
      `insert into "Annotation" ("at", "scope", "nodeIds", "kind", "title", "text", "tags", "author", "madeBy", "dedupeKey", "createdAt", "updatedAt")
       values ($1, '{}', array[$2::int, $3::int], 'reboot', 'Reboot', 'MemAvailable at 7 KiB', '{}', 'plumbline', 'machine', 'reboot:x', $1, $1)`,
      [new Date(startMs + hourMs), fleet.nodes[0], fleet.nodes[2]],
    );
    await fleet.db.pool.query(
      `insert into "Experiment" ("annotationId", "status", "statusAt", "metrics") values ($1, 'following', now(), '{band.percpu}')`,
      [stopped.annotationId],
    );
    const follow = (horizon: string, atMs: number, verdict = "stopped", dueAtMs = atMs) =>
      fleet.db.pool.query(
        `insert into "FollowUp" ("annotationId", "nodeId", "metric", "horizon", "dueAt", "computedAt", "checkedAt", "treatedNodeIds",
           "controlNodeIds", "dataHash", "slopeVerdict", "levelVerdict", "effect")
         values ($1, $2, 'band.percpu', $3, $7, $4, $4, array[$2::int], '{}', 'x', $5, 'none', $6)`,
        [stopped.annotationId, fleet.nodes[0], horizon, new Date(atMs), verdict, effect, new Date(dueAtMs)],
      );
    await follow("1h", nowMs);
    await follow("6h", nowMs, "too-early");
    for (let round = 0; round < 2; round += 1) await logInvestigationEvents({ ctx: worker(), input: {} });
    const expected = [
      "verdict puller stopped, after 1 h: It grew 312 MiB/h until then, and 4 after: stopped.",
      "change opened the investigation",
      "reboot a: Reboot: MemAvailable at 7 KiB",
      "mark local marked on a: puller stopped: by hand",
    ];
    expect(await texts()).toEqual(expected);

    const [verdict] = await logOf(investigationId);
    const at = { investigationId, entryId: verdict?.entryId ?? 0 };
    expect((await send(changeEntry, at, { version: 1, text: "mine" })).status).toBe(422);
    await send(removeEntry, at, undefined);
    await logInvestigationEvents({ ctx: worker(), input: {} });
    expect(await texts()).toEqual(expected.slice(1));

    await send(update, { investigationId }, { version: 1, status: "resolved" });
    await put({ at: startMs + hourMs, title: "after the end" });
    nowMs += hourMs;
    await follow("return", nowMs, "started");
    await logInvestigationEvents({ ctx: worker(), input: {} });
    expect((await read(investigationId)).status).toBe("reopened");
    expect((await texts()).slice(0, 2).sort()).toEqual([
      "change reopened the investigation: growth returned after puller stopped",
      "returned Growth returned after puller stopped. It grew 312 MiB/h until then, and 4 after: stopped.",
    ]);

    nowMs += hourMs;
    await follow("7d", nowMs, "stopped", nowMs - hourMs);
    await follow("24h", nowMs, "stopped", nowMs - 2 * hourMs);
    await logInvestigationEvents({ ctx: worker(), input: {} });
    expect((await texts()).slice(0, 2)).toEqual([
      expect.stringMatching(/^verdict puller stopped, after 7 d:/),
      expect.stringMatching(/^verdict puller stopped, after 24 h:/),
    ]);
  });
});
