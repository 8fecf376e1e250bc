import { describe, expect, it } from "vitest";
import { sampleComposition } from "../../scripts/testing/chart-samples.ts";
import type { SharedHead } from "./shared-document.ts";
import { sharePicture, shareSummary, summaryReferences } from "./share-picture.ts";

const head: SharedHead = {
  title: "a <script> \u202eof\u202c \u{1f986} " + "long ".repeat(60),
  status: "open",
  conclusion: "## It was\n\nthe **puller**: [[effect:3]] <b>no</b> \u2212 3 [\u202ex](javascript:alert(1))",
  text: "",
  window: { from: Date.parse("2026-03-01T00:00:00Z"), to: null },
  people: [],
  openedBy: "ada",
  openedAt: Date.parse("2026-03-01T00:00:00Z"),
  changedAt: 0,
  nodes: ["a", "<img src=x>\u202eb", "\u05d0\u05d1", "d", "e"],
  hypotheses: [],
  pins: [],
  entries: [],
  zone: "UTC",
  readAtMs: 0,
};

describe("what a link says of itself in a chat", () => {
  it("is plain text, short, in letters that the picture can draw", () => {
    const { title, facts, summary, line } = sharePicture(head, undefined, {});
    expect(title).toMatch(/^a <script> of \? long .*\u2026$/);
    expect(title.length).toBeLessThanOrEqual(110);
    expect(facts).toBe("a, <img src=x>b, ? and 2 more; since Sun 1 Mar 2026 00:00 UTC");
    expect(summary).toMatch(/^It was the puller: <b>no<\/b> - 3 \[? ?x\]?/);
    const endless = sharePicture({ ...head, nodes: ["n".repeat(250), "m".repeat(250)] }, undefined, {});
    expect(endless.facts.length).toBeLessThanOrEqual(130);
    expect(line).toEqual([]);
  });

  it("says the figures of the conclusion, as far as they were read", () => {
    const figure = {
      title: "stopped",
      when: "04:15",
      node: "a",
      href: "",
      verdict: { word: "stopped", tone: "ok" as const },
      short: "312 to 4 MiB/h",
      sentence: "It stopped.",
    };
    const said = {
      ...head,
      conclusion: "It left memory behind: [[effect:3]] when stopped; [[effect:4@2]], [[pin:1]].",
    };
    expect(summaryReferences(said)).toEqual(["[[effect:3]]", "[[effect:4@2]]"]);
    const effects = { "[[effect:3]]": figure, "[[effect:4@2]]": { message: "gone" } };
    expect(shareSummary(said, effects)).toBe("It left memory behind: 312 to 4 MiB/h when stopped; , .");
  });

  it("names nodes and window where nothing is concluded", () => {
    expect(shareSummary({ ...head, conclusion: " ", nodes: [] }, {})).toBe(
      "open; no node; since Sun 1 Mar 2026 00:00 UTC",
    );
  });

  it("draws the line of the first chart within its frame", () => {
    const composition = sampleComposition();
    const { line, caption } = sharePicture(
      head,
      {
        kind: "composition",
        node: {
          nodeId: 1,
          name: "a",
          window: { fromMs: 0, toMs: 1 },
          zone: "UTC",
          readAtMs: 0,
          annotations: [],
        },
        mode: undefined,
        atMs: undefined,
        composition,
        effects: [],
        trend: undefined,
      },
      {},
    );
    expect(line.length).toBeGreaterThan(100);
    expect(line.length).toBeLessThanOrEqual(201);
    expect(caption).toMatch(/^unreclaimable kernel memory, [\d.]+\sGiB to [\d.]+\sGiB$/);
    expect(line[0]?.[1]).toBe(1);
    expect(line.at(-1)?.[1]).toBe(0);
    expect(line.every(([x, y]) => x >= 0 && x <= 1 && y >= 0 && y <= 1)).toBe(true);
  });
});
