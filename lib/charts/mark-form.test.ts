import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readScope, readTags, scopeDraft, scopeText, tagsDraft, tagsFault } from "./mark-form.ts";

const place = { nodeId: 7, name: "ceria", cluster: "athena" };
const text = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom("a", "b=c", "a/b", "x y", "#7", ","));
const scope = fc.record(
  {
    nodes: fc.array(fc.oneof(fc.nat({ max: 99 }), fc.record({ cluster: text, name: text }))),
    labels: fc.dictionary(text, text, { noNullPrototype: true }),
    cluster: text,
  },
  { requiredKeys: [] },
);

describe("a scope in the form", () => {
  test.each([
    [{}, "all"],
    [{ nodes: [7] }, "node"],
    [{ nodes: [{ cluster: "athena", name: "bia" }, 9] }, "named"],
    [{ labels: { zone: "a", role: "w=x" } }, "labels"],
    [{ cluster: "apollo" }, "cluster"],
    [{ cluster: "apollo", labels: { zone: "a" } }, "kept"],
    [{ nodes: [{ cluster: "athena", name: "a b" }, 9] }, "kept"],
    [{ labels: { zone: "a,b" } }, "kept"],
  ])("%j is said by %s", (written, choice) => {
    expect(scopeDraft(written, place, choice === "node" ? [7] : [8, 9]).choice).toBe(choice);
  });

  test("is saved as it was written when nothing is altered, with a node and without", () => {
    fc.assert(
      fc.property(scope, fc.constantFrom(place, undefined), (written, where) => {
        const read = readScope(scopeDraft(written, where, [1, 2]), where, written);
        expect(read).toEqual({ ok: true, scope: written });
      }),
    );
  });

  test.each([
    [
      { choice: "named", names: "bia, apollo/rhea #3" },
      { nodes: [{ cluster: "athena", name: "bia" }, { cluster: "apollo", name: "rhea" }, 3] },
    ],
    [{ choice: "labels", labels: "zone=a, role=w=x," }, { labels: { zone: "a", role: "w=x" } }],
    [{ choice: "cluster", cluster: " athena " }, { cluster: "athena" }],
  ] as const)("%j means %j", (draft, meant) => {
    const blank = { names: "", labels: "", cluster: "" };
    expect(readScope({ ...blank, ...draft }, place, undefined)).toEqual({ ok: true, scope: meant });
  });

  test.each([
    [{ choice: "named", names: " , " }, /at least one node/],
    [{ choice: "named", names: "bia" }, /cluster\/bia/],
    [{ choice: "labels", labels: "zone" }, /key=value/],
    [{ choice: "labels", labels: "" }, /at least one label/],
    [{ choice: "cluster", cluster: " " }, /Name the cluster/],
  ] as const)("%j never means every node", (draft, message) => {
    const read = readScope({ names: "", labels: "", cluster: "", ...draft }, undefined, undefined);
    expect(read.ok ? "" : read.message).toMatch(message);
  });

  test.each([
    [{}, "all nodes"],
    [{ cluster: "east" }, "all nodes in east"],
    [{ labels: { zone: "a" }, cluster: "east" }, "nodes with zone=a in east"],
    [{ nodes: [1] }, "1 node by name"],
    [{ labels: { a: "\u202eb" } }, "nodes with a=b"],
  ])("%j reads %s", (written, said) => {
    expect(scopeText(written)).toBe(said);
  });
});

describe("tags in the form", () => {
  test("have commas between, each once", () => {
    expect(readTags(" a, b c,,a ")).toEqual(["a", "b c"]);
    expect(tagsFault("a, b")).toBeUndefined();
    expect(tagsFault("x".repeat(65))).toMatch(/at most 64/);
    expect(tagsFault(Array.from({ length: 21 }, (_, index) => index).join())).toMatch(/At most 20/);
  });

  test("with a comma inside are left alone", () => {
    expect(tagsDraft(["a", "b c"])).toBe("a, b c");
    expect(tagsDraft(["a,b"])).toBeUndefined();
  });
});
