import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { annotation, annotationList } from "#lib/contracts/annotation.ts";
import { experiment, experimentList } from "#lib/contracts/experiment.ts";
import { issuedToken } from "#lib/contracts/token.ts";
import { listAudit } from "#lib/server/data/audit.ts";
import { setRuntime } from "#lib/server/http/runtime.ts";
import { createTestDatabase, type TestDatabase } from "../../../../scripts/testing/test-database.ts";
import { answerOf, callRoute, problemOf, useRuntime } from "../../../../scripts/testing/route-client.ts";
import { POST as issue } from "../tokens/route.ts";
import { GET as compare } from "../compare/route.ts";
import { GET as getEffect } from "../nodes/[nodeId]/effects/[annotationId]/route.ts";
import { GET as listExperiments } from "../experiments/route.ts";
import { GET as getFollowUps } from "./[annotationId]/followups/route.ts";
import { DELETE as remove, GET as getOne, PATCH as update } from "./[annotationId]/route.ts";
import { GET as list, POST as create } from "./route.ts";

const hourMs = 3_600_000;
const startMs = Date.parse("2026-03-01T04:15:00Z");
const nowMs = startMs + 2 * hourMs;
const local = { local: true };

let database: TestDatabase;
/** east/a, east/b, west/a. */
let nodes: number[] = [];
let eastToken = "";

beforeAll(async () => {
  database = await createTestDatabase();
  const { rows } = await database.db.pool.query<{ id: number }>(
    `with c as (insert into "Cluster" (name, "createdAt") values ('east', now()), ('west', now()) returning id, name)
     insert into "Node" ("clusterId", name, "firstSeenAt")
     select c.id, n.name, now() from c cross join (values ('a'), ('b"[]🦆')) n(name)
     where not (c.name = 'west' and n.name <> 'a') order by c.name, n.name returning id`,
  );
  nodes = rows.map(({ id }) => id);
  await database.db.pool.query(
    `insert into "NodeRevision" ("nodeId", since, "kernelRelease", cpus, versions, labels)
     values ($1, now() - interval '1 day', '4.18.0', 8, '{}', '{"zone": "old"}'),
            ($1, now(), '4.18.0', 8, '{}', '{"zone": "a"}')`,
    [nodes[0]],
  );
  useRuntime(database.db, () => nowMs);
  const token = await callRoute(issue, {
    as: local,
    json: { name: "ci of east", cluster: "east", scopes: ["read", "annotations:write"] },
  });
  eastToken = (await answerOf(token, issuedToken)).secret;
});
beforeEach(() => {
  useRuntime(database.db, () => nowMs);
});
afterAll(async () => {
  setRuntime(undefined);
  await database.drop();
});

const mark = { at: startMs, kind: "intervention", title: "pull-monitor stopped" };

async function make(fields: object = {}, as: { local?: boolean; token?: string } = local) {
  const response = await callRoute(create, { as, json: { ...mark, ...fields } });
  return answerOf(response, annotation);
}

async function titles(
  query: Record<string, string | number>,
  as: { local?: boolean; token?: string } = local,
) {
  const { annotations } = await answerOf(await callRoute(list, { as, query }), annotationList);
  return annotations.map(({ title }) => title);
}

describe("a mark", () => {
  it("is stored as written and as the nodes that it meant, with its author and an audit line", async () => {
    const response = await callRoute(create, {
      as: local,
      json: {
        at: "2026-03-01T05:15:00+01:00",
        endsAt: startMs + hourMs,
        scope: { nodes: [{ cluster: "east", name: 'b"[]🦆' }, nodes[0]] },
        kind: "intervention",
        title: "  pull-monitor stopped ",
        text: "by hand",
        tags: ["cri-o"],
      },
    });
    expect(response.status).toBe(201);
    const made = await answerOf(response, annotation);
    expect(response.headers.get("location")).toBe(`/api/v1/annotations/${made.annotationId}`);
    expect(made).toEqual({
      annotationId: made.annotationId,
      at: startMs,
      endsAt: startMs + hourMs,
      scope: { nodes: [{ cluster: "east", name: 'b"[]🦆' }, nodes[0]] },
      nodeIds: nodes.slice(0, 2),
      controls: "auto",
      controlNodeIds: [],
      kind: "intervention",
      title: "pull-monitor stopped",
      text: "by hand",
      tags: ["cri-o"],
      author: "local",
      madeBy: "person",
      createdAt: nowMs,
      updatedAt: nowMs,
    });
    const params = { annotationId: made.annotationId };
    expect(await answerOf(await callRoute(getOne, { as: local, params }), annotation)).toEqual(made);
    expect((await listAudit(database.db.prisma, 1))[0]).toMatchObject({
      actor: "local",
      action: "annotation.create",
      subject: `annotation ${made.annotationId}`,
    });
  });

  it.each([
    ["at", { at: 8_640_000_000_000_000 }],
    ["at", { at: -1 }],
    ["at", { at: "1969-12-31T23:59:59Z" }],
    ["at", { at: "9999-12-31T23:59:59-01:00" }],
    ["at", { at: undefined }],
    ["endsAt", { endsAt: 253_402_300_800_000 }],
    ["scope.labels.__proto__", JSON.parse('{"scope":{"labels":{"__proto__":"x"}}}') as object],
    ["controls.labels.__proto__", JSON.parse('{"controls":{"labels":{"__proto__":"x"}}}') as object],
    ["scope.labels", { scope: { labels: {} } }],
    ["controls.labels", { controls: { labels: {} } }],
  ])("is refused at %s for %j, when it is made and when it is changed", async (path, fields) => {
    const before = await titles({ from: "now-1d", to: "now" });
    const made = await callRoute(create, { as: local, json: { ...mark, ...fields } });
    expect(made.status).toBe(422);
    const { errors } = await problemOf(made);
    expect(errors?.map((each) => each.path)).toEqual([path]);
    expect(errors?.[0]?.message).toMatch(/^expected /);
    expect(await titles({ from: "now-1d", to: "now" })).toEqual(before);
    if ("at" in fields && fields.at === undefined) return;
    const { annotationId } = await make();
    const changed = await callRoute(update, { as: local, params: { annotationId }, json: fields });
    expect(changed.status).toBe(422);
    expect((await problemOf(changed)).errors?.[0]?.path).toBe(path);
    await callRoute(remove, { as: local, params: { annotationId } });
  });

  it("stored beyond the year 9999 before that was refused can be read and taken away", async () => {
    const { annotationId } = await make({ scope: { nodes: [nodes[0]] } });
    const late = `update "Annotation" set at = '200000-01-01T00:00:00Z' where id = $1`;
    await database.db.pool.query(late, [annotationId]);
    const params = { annotationId };
    const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
    expect((await answerOf(await callRoute(getOne, { as: local, params }), annotation)).at).toBe(lastMs);
    const effect = await callRoute(getEffect, { as: local, params: { annotationId, nodeId: nodes[0] ?? 0 } });
    expect(effect.status).toBe(404);
    const aligned = { a: nodes[0] ?? 0, b: nodes[1] ?? 0, align: "mark", mark: annotationId };
    expect((await callRoute(compare, { as: local, query: aligned })).status).toBe(404);
    expect((await callRoute(listExperiments, { as: local })).status).toBe(200);
    expect((await callRoute(remove, { as: local, params })).status).toBe(204);
  });

  it("goes by the newest labels of the nodes", async () => {
    expect((await make({ scope: { labels: { zone: "a" } } })).nodeIds).toEqual([nodes[0]]);
    const refused = await callRoute(create, {
      as: local,
      json: { ...mark, scope: { labels: { zone: "old" } } },
    });
    expect((await problemOf(refused)).errors?.[0]?.path).toBe("scope.labels");
  });

  it("changes where it is told to and nowhere else, and resolves only a new scope anew", async () => {
    const made = await make({ scope: { nodes: [nodes[1]] }, text: "first", endsAt: startMs + hourMs });
    const params = { annotationId: made.annotationId };
    const change = async (json: object) =>
      answerOf(await callRoute(update, { as: local, params, json }), annotation);
    expect(await change({ title: "CRI-O restarted" })).toEqual({
      ...made,
      title: "CRI-O restarted",
      updatedAt: nowMs + 1,
    });
    expect(await change({ text: null, endsAt: null })).toMatchObject({
      text: null,
      endsAt: null,
      title: "CRI-O restarted",
      nodeIds: [nodes[1]],
    });
    expect((await change({ scope: { cluster: "west" } })).nodeIds).toEqual([nodes[2]]);
    const refused = await callRoute(update, { as: local, params, json: { endsAt: startMs } });
    expect((await problemOf(refused)).errors?.[0]?.path).toBe("endsAt");
  });

  it("does not lose a change when two people change it at once", async () => {
    const { annotationId } = await make();
    const statuses = await Promise.all(
      ["one", "two", "three"].map(
        async (title) =>
          (await callRoute(update, { as: local, params: { annotationId }, json: { title } })).status,
      ),
    );
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
    expect(statuses).toContain(200);
  });

  it("is gone when it is taken away", async () => {
    const { annotationId, title } = await make({ title: "a mistake" });
    const call = { as: local, params: { annotationId } };
    expect((await callRoute(remove, call)).status).toBe(204);
    expect((await callRoute(remove, call)).status).toBe(404);
    expect((await callRoute(getOne, call)).status).toBe(404);
    expect(await titles({ from: startMs - hourMs, to: nowMs })).not.toContain(title);
  });

  it("made by the machine can be taken away but not changed", async () => {
    const { rows } = await database.db.pool.query<{ id: number }>(
      `insert into "Annotation" (at, scope, "nodeIds", kind, title, tags, author, "madeBy", "createdAt", "updatedAt")
       values (to_timestamp($1), '{}', $2, 'reboot', 'booted', '{}', 'plumbline', 'machine', now(), now()) returning id`,
      [startMs / 1000, [nodes[0]]],
    );
    const call = { as: local, params: { annotationId: rows[0]?.id ?? 0 } };
    expect((await callRoute(update, { ...call, json: { title: "not a reboot" } })).status).toBe(409);
    expect((await callRoute(remove, call)).status).toBe(204);
  });

  it.each([
    [{ endsAt: startMs }, "endsAt"],
    [{ kind: "reboot" }, "kind"],
    [{ title: "" }, "title"],
    [{ title: "\ud800" }, "title"],
    [{ text: "a\u0000b" }, "text"],
    [{ at: "yesterday" }, "at"],
    [{ at: -1 }, "at"],
    [{ scope: { nodes: [123456] } }, "scope.nodes.0"],
    [{ scope: { nodes: ["a"] } }, "scope.nodes.0"],
    [{ scope: { everyone: true } }, "scope"],
    [{ severity: 1 }, ""],
  ])("with %j is refused", async (fields, path) => {
    const refused = await callRoute(create, { as: local, json: { ...mark, ...fields } });
    expect(refused.status).toBe(422);
    expect((await problemOf(refused)).errors?.[0]?.path).toBe(path);
  });
});

describe("the list of marks", () => {
  it("holds those that touch the window, oldest first, of a node or kind", async () => {
    const base = startMs - 100 * 24 * hourMs;
    await make({ title: "before", at: base - hourMs });
    await make({ title: "into", at: base - hourMs, endsAt: base + 1, scope: { nodes: [nodes[0]] } });
    await make({ title: "note", at: base + 10, kind: "note", scope: { nodes: [nodes[1]] } });
    await make({ title: "all", at: base + 5 });
    await make({ title: "after", at: base + hourMs });
    const window = { from: base, to: base + 1000 };
    expect(await titles(window)).toEqual(["into", "all", "note"]);
    expect(await titles({ ...window, nodeId: nodes[0] ?? 0 })).toEqual(["into", "all"]);
    expect(await titles({ ...window, kind: "note" })).toEqual(["note"]);
  });

  it.each([
    [{ from: "whenever" }, "from"],
    [{ nodeId: "x" }, "nodeId"],
    [{ kind: "party" }, "kind"],
    [{ nodeid: 1 }, ""],
  ])("refuses %j", async (query, path) => {
    const refused = await callRoute(list, { as: local, query: query });
    expect(refused.status).toBe(400);
    expect((await problemOf(refused)).errors?.[0]?.path).toBe(path);
  });
});

describe("a token of one cluster", () => {
  const as = () => ({ token: eastToken });

  it("marks only nodes of its cluster, and `{}` means those", async () => {
    expect(await make({ title: "deployed", kind: "deploy" }, as())).toMatchObject({
      nodeIds: nodes.slice(0, 2),
      author: "token ci of east",
      madeBy: "api",
    });
    const refused = await callRoute(create, { as: as(), json: { ...mark, scope: { nodes: [nodes[2]] } } });
    expect(refused.status).toBe(422);
  });

  it("sees and changes no marks of others", async () => {
    const base = startMs - 300 * 24 * hourMs;
    const west = await make({ title: "west", at: base, scope: { cluster: "west" } });
    const both = await make({ title: "both", at: base, scope: {} });
    expect(await titles({ from: base, to: base + 1 }, as())).toEqual(["both"]);
    expect(await titles({ from: base, to: base + 1, nodeId: nodes[2] ?? 0 }, as())).toEqual([]);
    const change = (annotationId: number) =>
      callRoute(update, { as: as(), params: { annotationId }, json: { title: "mine" } });
    expect((await change(west.annotationId)).status).toBe(404);
    expect((await change(both.annotationId)).status).toBe(403);
  });
});

describe("controls", () => {
  const pathsOf = async (json: object) => {
    const refused = await callRoute(create, { as: local, json: { ...mark, ...json } });
    expect(refused.status).toBe(422);
    return (await problemOf(refused)).errors?.map(({ path, message }) => `${path}: ${message}`);
  };

  it("are stored as written and as the nodes that they meant, less those that are treated", async () => {
    const made = await make({ scope: { nodes: [nodes[0]] }, controls: { cluster: "east" } });
    expect(made).toMatchObject({ controls: { cluster: "east" }, controlNodeIds: [nodes[1]] });
    const params = { annotationId: made.annotationId };
    const change = async (json: object) =>
      answerOf(await callRoute(update, { as: local, params, json }), annotation);
    expect(await change({ title: "renamed" })).toMatchObject({ controlNodeIds: [nodes[1]] });
    expect(await change({ scope: { nodes: [nodes[1]] } })).toMatchObject({ controlNodeIds: [nodes[0]] });
    expect(await change({ controls: "none" })).toMatchObject({ controls: "none", controlNodeIds: [] });
    expect(await change({ controls: "auto" })).toMatchObject({ controls: "auto", controlNodeIds: [] });
  });

  it("are refused by name where they are treated, unknown, or where none is left", async () => {
    const scope = { nodes: [nodes[0]] };
    expect(await pathsOf({ scope, controls: { nodes: [nodes[1], nodes[0]] } })).toEqual([
      "controls.nodes.1: this node is treated: it cannot be a control",
    ]);
    expect(await pathsOf({ scope, controls: { nodes: [{ cluster: "east", name: "nobody" }] } })).toEqual([
      "controls.nodes.0: there is no such node",
    ]);
    expect(await pathsOf({ scope, controls: { cluster: "north" } })).toEqual([
      "controls.cluster: there is no such cluster with nodes",
    ]);
    expect(await pathsOf({ scope: {}, controls: { cluster: "west" } })).toEqual([
      "controls: no node is left that is not treated",
    ]);
    expect(await pathsOf({ scope, controls: { nodes: [nodes[1]] }, kind: "note" })).toEqual([
      "controls: a mark of kind note is compared with nothing",
    ]);
  });

  it("belong to experiments, which list what their reader may see", async () => {
    const east = await make({ scope: { nodes: [nodes[0]] }, title: "only in the east" });
    const west = await make({ scope: { nodes: [nodes[2]] }, title: "only in the west" });
    const note = await make({ kind: "note" });
    const search = async (text: string, as: { local?: boolean; token?: string }) => {
      const { experiments } = await answerOf(
        await callRoute(listExperiments, { as, query: { search: text } }),
        experimentList,
      );
      return experiments.map(({ title, treated }) => [title, treated.map(({ name }) => name)]);
    };
    expect(await search("ONLY IN", local)).toEqual([
      ["only in the west", ["a"]],
      ["only in the east", ["a"]],
    ]);
    expect(await search("only in", { token: eastToken })).toEqual([["only in the east", ["a"]]]);
    const followUps = (annotationId: number, as: { local?: boolean; token?: string } = local) =>
      callRoute(getFollowUps, { as, params: { annotationId } });
    expect(await answerOf(await followUps(east.annotationId), experiment)).toMatchObject({
      status: "following",
      followUps: [],
      treatedCount: 1,
    });
    expect((await followUps(west.annotationId, { token: eastToken })).status).toBe(404);
    expect((await problemOf(await followUps(note.annotationId))).detail).toMatch(/of kind note; only/);
    const refused = await callRoute(listExperiments, { as: local, query: { status: "unknown" } });
    expect(refused.status).toBe(400);
  });
});
