import { beforeAll, describe, expect, it } from "vitest";
import {
  annotation,
  annotationHistory,
  annotationList,
  annotationTagList,
} from "#lib/contracts/annotation.ts";
import { annotationImport } from "#lib/contracts/annotation-csv.ts";
import { experiment, experimentList } from "#lib/contracts/experiment.ts";
import { listAudit } from "#lib/server/data/audit.ts";
import { answerOf, callRoute, problemOf, useRuntime } from "../../../../scripts/testing/route-client.ts";
import { serveTwoClusters } from "../../../../scripts/testing/two-clusters.ts";
import { GET as compare } from "../compare/route.ts";
import { GET as getEffect } from "../nodes/[nodeId]/effects/[annotationId]/route.ts";
import { GET as listExperiments } from "../experiments/route.ts";
import { GET as getFollowUps } from "./[annotationId]/followups/route.ts";
import { DELETE as remove, GET as getOne, PATCH as update } from "./[annotationId]/route.ts";
import { GET as getHistory } from "./[annotationId]/history/route.ts";
import { GET as exportCsv, POST as importCsv } from "../annotations.csv/route.ts";
import { GET as listTags } from "./tags/route.ts";
import { GET as list, POST as create } from "./route.ts";

const hourMs = 3_600_000;
const startMs = Date.parse("2026-03-01T04:15:00Z");
const nowMs = startMs + 2 * hourMs;
const local = { local: true };

const fleet = serveTwoClusters(() => nowMs);

const mark = { at: startMs, kind: "intervention", title: "pull-monitor stopped" };

async function make(fields: object = {}, as: { local?: boolean; token?: string } = local) {
  const response = await callRoute(create, { as, json: { ...mark, ...fields } });
  return answerOf(response, annotation);
}

async function titles(
  query: Record<string, string | number | readonly string[]>,
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
        scope: { nodes: [{ cluster: "east", name: 'b"[]🦆' }, fleet.nodes[0]] },
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
      scope: { nodes: [{ cluster: "east", name: 'b"[]🦆' }, fleet.nodes[0]] },
      nodeIds: fleet.nodes.slice(0, 2),
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
      deletedAt: null,
    });
    const params = { annotationId: made.annotationId };
    expect(await answerOf(await callRoute(getOne, { as: local, params }), annotation)).toEqual(made);
    expect((await listAudit(fleet.db.prisma, { limit: 1 }))[0]).toMatchObject({
      actor: "local",
      action: "annotation.create",
      subject: `annotation ${made.annotationId}`,
    });
  });

  it.each([
    ["at", { at: 8_640_000_000_000_000 }],
    ["at", { at: -1 }],
    ["at", { at: 0 }],
    ["at", { at: nowMs / 1000 }],
    ["endsAt", { endsAt: "1970-01-01T00:00:00Z" }],
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
    const { annotationId } = await make({ scope: { nodes: [fleet.nodes[0]] } });
    const late = `update "Annotation" set at = '200000-01-01T00:00:00Z' where id = $1`;
    await fleet.db.pool.query(late, [annotationId]);
    const params = { annotationId };
    const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
    expect((await answerOf(await callRoute(getOne, { as: local, params }), annotation)).at).toBe(lastMs);
    const effect = await callRoute(getEffect, {
      as: local,
      params: { annotationId, nodeId: fleet.nodes[0] ?? 0 },
    });
    expect(effect.status).toBe(404);
    const aligned = { a: fleet.nodes[0] ?? 0, b: fleet.nodes[1] ?? 0, align: "mark", mark: annotationId };
    expect((await callRoute(compare, { as: local, query: aligned })).status).toBe(404);
    expect((await callRoute(listExperiments, { as: local })).status).toBe(200);
    expect((await callRoute(remove, { as: local, params })).status).toBe(204);
  });

  it("goes by the newest labels of the nodes", async () => {
    expect((await make({ scope: { labels: { zone: "a" } } })).nodeIds).toEqual([fleet.nodes[0]]);
    const refused = await callRoute(create, {
      as: local,
      json: { ...mark, scope: { labels: { zone: "old" } } },
    });
    expect((await problemOf(refused)).errors?.[0]?.path).toBe("scope.labels");
  });

  it("changes where it is told to and nowhere else, and resolves only a new scope anew", async () => {
    const made = await make({ scope: { nodes: [fleet.nodes[1]] }, text: "first", endsAt: startMs + hourMs });
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
      nodeIds: [fleet.nodes[1]],
    });
    expect((await change({ scope: { cluster: "west" } })).nodeIds).toEqual([fleet.nodes[2]]);
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
    const { rows } = await fleet.db.pool.query<{ id: number }>(
      `insert into "Annotation" (at, scope, "nodeIds", kind, title, tags, author, "madeBy", "createdAt", "updatedAt")
       values (to_timestamp($1), '{}', $2, 'reboot', 'booted', '{}', 'plumbline', 'machine', now(), now()) returning id`,
      [startMs / 1000, [fleet.nodes[0]]],
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
    await make({ title: "into", at: base - hourMs, endsAt: base + 1, scope: { nodes: [fleet.nodes[0]] } });
    await make({ title: "note", at: base + 10, kind: "note", scope: { nodes: [fleet.nodes[1]] } });
    await make({ title: "all", at: base + 5 });
    await make({ title: "after", at: base + hourMs });
    const window = { from: base, to: base + 1000 };
    expect(await titles(window)).toEqual(["into", "all", "note"]);
    expect(await titles({ ...window, nodeId: fleet.nodes[0] ?? 0 })).toEqual(["into", "all"]);
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

describe("what is searched for", () => {
  const base = startMs - 512 * 24 * hourMs;
  const window = { from: base, to: base + 1000 };
  beforeAll(async () => {
    useRuntime(fleet.db, () => nowMs);
    await make({ at: base, title: "100% of a_b\\c", tags: ["x", "y"], kind: "note" });
    await make({ at: base + 1, title: "1000 of axb", tags: ["x"], scope: { nodes: [fleet.nodes[1]] } });
    await make({ at: base + 2, title: "CRI-O", text: "upgraded to 1.2", kind: "deploy" });
    await make({ at: base + 3, title: "gone", tags: ["y", "z"] });
    const gone = await make({ at: base + 4, title: "taken away", tags: ["old"] });
    await callRoute(remove, { as: local, params: { annotationId: gone.annotationId } });
  });

  it.each([
    [{ search: "100%" }, ["100% of a_b\\c"]],
    [{ search: "a_b" }, ["100% of a_b\\c"]],
    [{ search: "b\\c" }, ["100% of a_b\\c"]],
    [{ search: "UPGRADED" }, ["CRI-O"]],
    [{ search: "z" }, ["gone"]],
    [{ search: "🦆" }, ["100% of a_b\\c", "1000 of axb", "CRI-O", "gone"]],
    [{ tag: "x" }, ["100% of a_b\\c", "1000 of axb"]],
    [{ tag: ["x", "y"] }, ["100% of a_b\\c"]],
    [{ kind: ["note", "deploy"] }, ["100% of a_b\\c", "CRI-O"]],
    [{ state: "deleted" }, ["taken away"]],
    [{ search: "nowhere" }, []],
  ])("%j finds %j", async (query, found) => {
    expect(await titles({ ...window, ...query })).toEqual(found);
  });

  it("comes in parts, newest first, with the number of all", async () => {
    const part = async (offset: number) => {
      const query = { ...window, limit: 3, offset };
      return answerOf(await callRoute(list, { as: local, query }), annotationList);
    };
    const [first, second, third] = [await part(0), await part(3), await part(6)];
    expect(first.annotations.map(({ title }) => title)).toEqual(["1000 of axb", "CRI-O", "gone"]);
    expect(second.annotations.map(({ title }) => title)).toEqual(["100% of a_b\\c"]);
    expect(third.annotations).toEqual([]);
    expect([first.total, second.total, third.total]).toEqual([4, 4, 4]);
  });

  it("knows the tags of what stands", async () => {
    const { tags } = await answerOf(await callRoute(listTags, { as: local }), annotationTagList);
    expect(tags).toEqual(
      expect.arrayContaining([
        { tag: "x", count: 2 },
        { tag: "z", count: 1 },
      ]),
    );
    expect(tags.map(({ tag }) => tag)).not.toContain("old");
  });
});

describe("the history of a mark", () => {
  const read = async (annotationId: number, as: { local?: boolean; token?: string } = local) => {
    const answer = await callRoute(getHistory, { as, params: { annotationId } });
    return answerOf(answer, annotationHistory);
  };

  it("keeps every text, who wrote it, and stays when the mark goes", async () => {
    const made = await make({ scope: { cluster: "east" }, title: "first", tags: ["a"] });
    const { annotationId } = made;
    const change = (json: object, as: { local?: boolean; token?: string } = local) =>
      callRoute(update, { as, params: { annotationId }, json });
    await change({ title: "second" }, { token: fleet.eastToken });
    await change({ title: "second" });
    await change({ text: "more", scope: { nodes: [fleet.nodes[0]] }, tags: [] });
    await callRoute(remove, { as: local, params: { annotationId } });
    const { versions, deletedAt } = await read(annotationId);
    expect(deletedAt).toBe(nowMs);
    expect(versions.map(({ by, action, changed }) => [by, action, changed])).toEqual([
      ["local", "created", []],
      ["token ci of east", "changed", ["title"]],
      ["local", "changed", ["scope", "nodeIds", "text", "tags"]],
      ["local", "deleted", []],
    ]);
    expect(versions.map(({ mark: { title, text, nodeIds, tags } }) => [title, text, nodeIds, tags])).toEqual([
      ["first", null, fleet.nodes.slice(0, 2), ["a"]],
      ["second", null, fleet.nodes.slice(0, 2), ["a"]],
      ["second", "more", [fleet.nodes[0]], []],
      ["second", "more", [fleet.nodes[0]], []],
    ]);
  });

  it("has no version of a change that failed, and none that others may not see", async () => {
    const { annotationId } = await make({ scope: { cluster: "west" } });
    await callRoute(update, { as: local, params: { annotationId }, json: { endsAt: startMs } });
    expect((await read(annotationId)).versions).toHaveLength(1);
    const others = await callRoute(getHistory, { as: { token: fleet.eastToken }, params: { annotationId } });
    expect(others.status).toBe(404);
  });
});

describe("marks as CSV", () => {
  const base = startMs - 700 * 24 * hourMs;
  const query = { from: base, to: base + 1000 };
  const send = (body: string, as: { local?: boolean; token?: string } = local, type = "text/csv") =>
    callRoute(importCsv, { as, body, headers: { "content-type": type } });

  it("are exported, taken away, imported, and imported again without a second", async () => {
    const title = '=HYPERLINK("http://x","<b>")';
    await make({ at: base, endsAt: base + 5, title, tags: ["a;b"], scope: { labels: { zone: "a" } } });
    await make({ at: base + 1, kind: "note", title: "plain" });
    const exported = await callRoute(exportCsv, { as: local, query });
    expect(exported.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const csv = await exported.text();
    expect(csv).toContain(`"'=HYPERLINK(`);
    expect(csv).toContain("east/a");
    const accept = { accept: "text/csv, application/json;q=0.5" };
    expect(await (await callRoute(list, { as: local, query, headers: accept })).text()).toBe(csv);

    const before = await answerOf(await callRoute(list, { as: local, query }), annotationList);
    for (const { annotationId } of before.annotations)
      await callRoute(remove, { as: local, params: { annotationId } });
    expect(await answerOf(await send(csv), annotationImport)).toEqual({ created: 2, known: 0, machine: 0 });
    expect(await answerOf(await send(csv), annotationImport)).toEqual({ created: 0, known: 2, machine: 0 });
    const after = await answerOf(await callRoute(list, { as: local, query }), annotationList);
    const said = ({
      at,
      endsAt,
      scope,
      nodeIds,
      kind,
      title: its,
      text,
      tags,
    }: (typeof after.annotations)[0]) => [at, endsAt, scope, nodeIds, kind, its, text, tags];
    expect(after.annotations.map(said)).toEqual(before.annotations.map(said));
  });

  it.each([
    ["at,kind,title,scope\n2001-01-01T00:00:01Z,note,a,{}\n2001-01-01T00:00:02Z,note,,{}", "line 3: title"],
    [
      'at,kind,title,scope\n2001-01-01T00:00:01Z,note,a,{}\n2001-01-01T00:00:02Z,note,b,"{""cluster"":""north""}"',
      "line 3: scope.cluster",
    ],
    ["at,kind,title,scope,endsAt\n2001-01-01T00:00:01Z,note,a,{},2001-01-01T00:00:01Z", "line 2: endsAt"],
    ["nothing", "line 1"],
  ])("import nothing of %j", async (csv, path) => {
    const refused = await send(csv);
    expect(refused.status).toBe(422);
    expect((await problemOf(refused)).errors?.[0]?.path).toBe(path);
    expect(await titles({ from: "2001-01-01T00:00:00Z", to: "2001-01-01T00:01:00Z" })).toEqual([]);
  });

  it("import no mark of others, no other type, and pass over what the machine made", async () => {
    const west = 'at,kind,title,scope\n5,note,a,"{""cluster"":""west""}"';
    expect((await send(west, { token: fleet.eastToken })).status).toBe(422);
    expect((await send(west, local, "application/json")).status).toBe(415);
    expect(await answerOf(await send("at,kind,title,scope\n5,reboot,a,{}"), annotationImport)).toEqual({
      created: 0,
      known: 0,
      machine: 1,
    });
  });
});

describe("a token of one cluster", () => {
  const as = () => ({ token: fleet.eastToken });

  it("marks only nodes of its cluster, and `{}` means those", async () => {
    expect(await make({ title: "deployed", kind: "deploy" }, as())).toMatchObject({
      nodeIds: fleet.nodes.slice(0, 2),
      author: "token ci of east",
      madeBy: "api",
    });
    const refused = await callRoute(create, {
      as: as(),
      json: { ...mark, scope: { nodes: [fleet.nodes[2]] } },
    });
    expect(refused.status).toBe(422);
  });

  it("has marks of its cluster alone, also where somebody who sees all imports them again", async () => {
    const base = startMs - 512 * 24 * hourMs;
    const made = await make({ title: "of one cluster", at: base, scope: {} }, as());
    expect(made.scope).toEqual({ cluster: "east" });
    const query = { from: base, to: base + 1000 };
    const csv = await (await callRoute(exportCsv, { as: local, query })).text();
    const again = await callRoute(importCsv, {
      as: local,
      body: csv,
      headers: { "content-type": "text/csv" },
    });
    expect(await answerOf(again, annotationImport)).toMatchObject({ created: 0, machine: 0 });
    const params = { annotationId: made.annotationId };
    const changed = await callRoute(update, { as: as(), params, json: { scope: { labels: { zone: "a" } } } });
    expect(await answerOf(changed, annotation)).toMatchObject({
      scope: { cluster: "east", labels: { zone: "a" } },
    });
  });

  it("sees and changes no marks of others", async () => {
    const base = startMs - 300 * 24 * hourMs;
    const west = await make({ title: "west", at: base, scope: { cluster: "west" } });
    const both = await make({ title: "both", at: base, scope: {} });
    expect(await titles({ from: base, to: base + 1 }, as())).toEqual(["both"]);
    expect(await titles({ from: base, to: base + 1, nodeId: fleet.nodes[2] ?? 0 }, as())).toEqual([]);
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
    const made = await make({ scope: { nodes: [fleet.nodes[0]] }, controls: { cluster: "east" } });
    expect(made).toMatchObject({ controls: { cluster: "east" }, controlNodeIds: [fleet.nodes[1]] });
    const params = { annotationId: made.annotationId };
    const change = async (json: object) =>
      answerOf(await callRoute(update, { as: local, params, json }), annotation);
    expect(await change({ title: "renamed" })).toMatchObject({ controlNodeIds: [fleet.nodes[1]] });
    expect(await change({ scope: { nodes: [fleet.nodes[1]] } })).toMatchObject({
      controlNodeIds: [fleet.nodes[0]],
    });
    expect(await change({ controls: "none" })).toMatchObject({ controls: "none", controlNodeIds: [] });
    expect(await change({ controls: "auto" })).toMatchObject({ controls: "auto", controlNodeIds: [] });
  });

  it("are refused by name where they are treated, unknown, or where none is left", async () => {
    const scope = { nodes: [fleet.nodes[0]] };
    expect(await pathsOf({ scope, controls: { nodes: [fleet.nodes[1], fleet.nodes[0]] } })).toEqual([
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
    expect(await pathsOf({ scope, controls: { nodes: [fleet.nodes[1]] }, kind: "note" })).toEqual([
      "controls: a mark of kind note is compared with nothing",
    ]);
  });

  it("belong to experiments, which list what their reader may see", async () => {
    const east = await make({ scope: { nodes: [fleet.nodes[0]] }, title: "only in the east" });
    const west = await make({ scope: { nodes: [fleet.nodes[2]] }, title: "only in the west" });
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
    expect(await search("only in", { token: fleet.eastToken })).toEqual([["only in the east", ["a"]]]);
    const followUps = (annotationId: number, as: { local?: boolean; token?: string } = local) =>
      callRoute(getFollowUps, { as, params: { annotationId } });
    expect(await answerOf(await followUps(east.annotationId), experiment)).toMatchObject({
      status: "following",
      followUps: [],
      treatedCount: 1,
    });
    expect((await followUps(west.annotationId, { token: fleet.eastToken })).status).toBe(404);
    expect((await problemOf(await followUps(note.annotationId))).detail).toMatch(/of kind note; only/);
    const unreadable = await callRoute(listExperiments, { as: local, query: { search: "\u0000" } });
    expect(await problemOf(unreadable)).toMatchObject({ status: 400, errors: [{ path: "search" }] });
    const refused = await callRoute(listExperiments, { as: local, query: { status: "unknown" } });
    expect(refused.status).toBe(400);
  });
});
