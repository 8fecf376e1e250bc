import { describe, expect, it } from "vitest";
import type { Annotation } from "./annotation.ts";
import { annotationCsv, readAnnotationCsv } from "./annotation-csv.ts";

const atMs = Date.parse("2026-03-01T04:15:00.250Z");
const mark: Annotation = {
  annotationId: 7,
  at: atMs,
  endsAt: atMs + 60_000,
  scope: { labels: { zone: "a" }, nodes: [{ cluster: "east", name: 'b"[]🦆' }] },
  nodeIds: [1],
  controls: { cluster: "west" },
  controlNodeIds: [2],
  kind: "deploy",
  title: '=HYPERLINK("http://x","<b>")',
  text: "first\nsecond, with a comma",
  tags: ["cri-o", "a;b", "[x"],
  author: "local",
  madeBy: "person",
  createdAt: atMs,
  updatedAt: atMs,
  deletedAt: null,
};

describe("marks as CSV", () => {
  it("are read back as what was written", () => {
    const plain: Annotation = { ...mark, endsAt: null, text: null, tags: ["x", "y z"], controls: "auto" };
    const { rows, faults } = readAnnotationCsv(annotationCsv([mark, plain], () => ["east/b", "a;b"]));
    expect(faults).toEqual([]);
    const { at, endsAt, scope, controls, kind, title, text, tags } = mark;
    expect(rows).toEqual([
      { line: 2, mark: { at, endsAt, scope, controls, kind, title, text, tags } },
      { line: 4, mark: { at, scope, controls: "auto", kind, title, tags: ["x", "y z"] } },
    ]);
  });

  it("hold no formula and one line of header", () => {
    const csv = annotationCsv([mark], () => []);
    expect(csv.split("\r\n")[0]).toBe(
      "annotationId,at,endsAt,kind,title,text,tags,scope,nodes,controls,author,madeBy,createdAt,updatedAt,deletedAt",
    );
    expect(csv).toContain('"\'=HYPERLINK(""http://x"",""<b>"")"');
  });

  it("of the machine are passed over", () => {
    const { rows, faults } = readAnnotationCsv("at,kind,title,scope\n1,reboot,booted,");
    expect({ rows, faults }).toEqual({ rows: [{ line: 2, mark: "machine" }], faults: [] });
  });

  it.each([
    ["at,kind,title\n1,note,a", 1, "", /header with scope/],
    ["at,kind,title,scope,colour\n1,note,a,{},red", 1, "", /unknown column colour/],
    ["at,kind,title,scope,at\n1,note,a,{},1", 1, "", /twice/],
    ["at,kind,title,scope\n1,note,a,", 2, "scope", /\{\} for all nodes/],
    ["at,kind,title,scope\n1,note,a,{},,", 2, "", /expected 4 cells, had 6/],
    ["at,kind,title,scope\nyesterday,note,a,{}", 2, "at", /expected/],
    ["at,kind,title,scope\n1785000000000,party,a,{}", 2, "kind", /./],
    ["at,kind,title,scope\n1785000000000,note,,{}", 2, "title", /./],
    ['at,kind,title,scope\n1,note,"a', 2, "", /never closed/],
    [
      "at,kind,title,scope,controls\n1785000000000,deploy,a,{},everybody",
      2,
      "controls",
      /expected auto, none/,
    ],
  ])("that cannot be read say where: %j", (csv, line, column, message) => {
    const { rows, faults } = readAnnotationCsv(csv);
    expect(rows).toEqual([]);
    expect(faults[0]).toMatchObject({ line, column });
    expect(faults[0]?.message).toMatch(message);
  });
});
