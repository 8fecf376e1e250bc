import { beforeAll, describe, expect, it } from "vitest";
import { annotation } from "#lib/contracts/annotation.ts";
import { grafanaAnnotationMade, grafanaAnnotations } from "#lib/contracts/grafana.ts";
import { answerOf, callRoute, problemOf, useRuntime } from "../../../scripts/testing/route-client.ts";
import { serveTwoClusters } from "../../../scripts/testing/two-clusters.ts";
import { GET as getOne } from "../v1/annotations/[annotationId]/route.ts";
import { GET as list, POST as create } from "./route.ts";

const nowMs = Date.parse("2026-03-01T06:15:00Z");
const fleet = serveTwoClusters(() => nowMs);

async function make(json: object) {
  const response = await callRoute(create, { as: { token: fleet.eastToken }, json });
  const { id } = await answerOf(response, grafanaAnnotationMade);
  const one = await callRoute(getOne, { as: { local: true }, params: { annotationId: id } });
  return answerOf(one, annotation);
}

describe("POST /api/annotations", () => {
  it("answers as Grafana does and marks all nodes of the token's cluster", async () => {
    const json = {
      dashboardUID: "jcIIG-07z",
      panelId: 2,
      time: 1_507_037_197_339,
      timeEnd: 1_507_180_805_056,
      tags: ["tag1", "tag2"],
      text: "Annotation Description",
    };
    const response = await callRoute(create, { as: { token: fleet.eastToken }, json });
    expect(response.status).toBe(200);
    const body: unknown = await response.json();
    expect(body).toEqual({ message: "Annotation added", id: expect.any(Number) as number });
    const { id } = grafanaAnnotationMade.parse(body);
    const one = await callRoute(getOne, { as: { local: true }, params: { annotationId: id } });
    expect(await answerOf(one, annotation)).toMatchObject({
      at: 1_507_037_197_339,
      endsAt: 1_507_180_805_056,
      kind: "note",
      title: "Annotation Description",
      text: null,
      tags: ["tag1", "tag2"],
      scope: { cluster: "east" },
      nodeIds: fleet.nodes.slice(0, 2),
      author: "token ci of east",
      madeBy: "api",
    });
  });

  it.each([
    [{ tags: ["node:a"] }, { scope: { nodes: [{ cluster: "east", name: "a" }] }, tags: [], kind: "note" }],
    [{ tags: ["cluster:east", "deploy", "x"] }, { scope: { cluster: "east" }, tags: ["x"], kind: "deploy" }],
    [
      { tags: null, time: 0 },
      { at: nowMs, scope: {} },
    ],
    [
      { timeEnd: 0, time: 1_500_000_000_005 },
      { at: 1_500_000_000_005, endsAt: null },
    ],
    [
      { time: 1_500_000_000_005, timeEnd: 1_500_000_000_005 },
      { at: 1_500_000_000_005, endsAt: null },
    ],
    [{ text: "<b>one</b>\ntwo" }, { title: "<b>one</b>", text: "two" }],
    [{ text: "x".repeat(300) }, { title: "x".repeat(200), text: "x".repeat(300) }],
  ])("reads %j", async (json, expected) => {
    expect(await make({ text: "a", ...json })).toMatchObject(expected);
  });

  it.each([
    [{ text: "" }, "text"],
    [{ text: " \n" }, "text"],
    [{}, "text"],
    [{ text: "a", tags: ["node:nobody"] }, "tags"],
    [{ text: "a", tags: ["cluster:west"] }, "tags"],
    [{ text: "a", tags: ["x".repeat(65)] }, "tags"],
    [{ text: "a", time: 1_500_000_000_010, timeEnd: 1_500_000_000_005 }, "endsAt"],
    [{ text: "a", time: 1_600_000_000 }, "time"],
    [{ text: "a", timeEnd: 1_600_000_000 }, "timeEnd"],
    [{ text: "a", time: "yesterday" }, "time"],
  ])("refuses %j", async (json, path) => {
    const refused = await callRoute(create, { as: { token: fleet.eastToken }, json });
    expect(refused.status).toBe(422);
    expect((await problemOf(refused)).errors?.[0]?.path).toBe(path);
  });
});

describe("GET /api/annotations", () => {
  const base = 1_600_000_000_000;
  const read = async (
    query: Record<string, string | number | readonly string[]>,
    as: { local?: boolean; token?: string } = { token: fleet.eastToken },
  ) => answerOf(await callRoute(list, { as, query }), grafanaAnnotations);
  const texts = async (query: Record<string, string | number | readonly string[]>) =>
    (await read({ from: base, to: base + 1000, ...query })).map(({ text }) => text);

  beforeAll(async () => {
    useRuntime(fleet.db, () => nowMs);
    await make({ time: base, timeEnd: base + 9, text: "first\nand more", tags: ["x", "node:a"] });
    await make({ time: base + 1, text: "second", tags: ["x", "y", "deploy"] });
    await make({ time: base + 2, text: "third", tags: ["deploy"] });
  });

  it("gives back what was sent, newest first", async () => {
    const [third, , first] = await read({ from: base, to: base + 1000 });
    expect(third).toMatchObject({
      text: "third",
      time: base + 2,
      timeEnd: base + 2,
      login: "token ci of east",
    });
    expect(third?.tags).toEqual(["deploy", "cluster:east", "node:a", 'node:b"[]🦆']);
    expect(first).toMatchObject({ text: "first\nand more", time: base, timeEnd: base + 9 });
    expect(first?.tags).toEqual(["x", "note", "cluster:east", "node:a"]);
  });

  it.each([
    [{ tags: "x" }, ["second", "first\nand more"]],
    [{ tags: ["x", "y"] }, ["second"]],
    [{ tags: ["x", "deploy"], matchAny: "true" }, ["third", "second", "first\nand more"]],
    [{ tags: "deploy" }, ["third", "second"]],
    [{ tags: 'node:b"[]🦆' }, ["third", "second"]],
    [{ tags: "cluster:west" }, []],
    [{ limit: 1 }, ["third"]],
    [{ type: "alert" }, []],
    [{ type: "annotation", dashboardUID: "abc", panelId: "7" }, ["third", "second", "first\nand more"]],
    [{ from: base + 5 }, ["first\nand more"]],
  ])("%j", async (query, expected) => {
    expect(await texts(query)).toEqual(expected);
  });

  it("needs a token or the local person, and refuses what Grafana has not", async () => {
    expect((await callRoute(list, {})).status).toBe(401);
    expect((await callRoute(list, { as: { local: true }, query: { nodes: "a" } })).status).toBe(400);
  });
});
