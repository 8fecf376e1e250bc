import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMarkdown, referencesOf, referenceText, type MarkdownBlock } from "./markdown.ts";

/** Every link of a document, and every text. */
function partsOf(blocks: readonly MarkdownBlock[]): { hrefs: string[]; texts: string[] } {
  const hrefs: string[] = [];
  const texts: string[] = [];
  JSON.stringify(blocks, (name, value: unknown) => {
    if (name === "href") hrefs.push(String(value));
    if (name === "text") texts.push(String(value));
    return value;
  });
  return { hrefs, texts };
}

describe("Markdown", () => {
  it("becomes blocks, with pins and figures where they were placed", () => {
    const text = [
      "# What we saw",
      "It grew by [[effect:12@7]], see [[pin:3]] and **`smem -w`**.",
      "",
      "[[pin:3]]",
      "",
      "1. one",
      "2. ~~two~~",
      "",
      "- stopped",
      "",
      "| a | b |",
      "| - | - |",
      "| 1 | https://example.org/x |",
      "",
      "```",
      "[[pin:9]]",
      "```",
    ].join("\n");
    expect(readMarkdown(text)).toEqual([
      { kind: "heading", level: 3, children: [{ kind: "text", text: "What we saw" }] },
      {
        kind: "paragraph",
        children: [
          { kind: "text", text: "It grew by " },
          { kind: "reference", to: { kind: "effect", annotationId: 12, nodeId: 7 } },
          { kind: "text", text: ", see " },
          { kind: "reference", to: { kind: "pin", number: 3 } },
          { kind: "text", text: " and " },
          { kind: "strong", children: [{ kind: "code", text: "smem -w" }] },
          { kind: "text", text: "." },
        ],
      },
      { kind: "figure", to: { kind: "pin", number: 3 } },
      {
        kind: "list",
        start: 1,
        items: [
          [{ kind: "paragraph", children: [{ kind: "text", text: "one" }] }],
          [
            {
              kind: "paragraph",
              children: [{ kind: "deleted", children: [{ kind: "text", text: "two" }] }],
            },
          ],
        ],
      },
      {
        kind: "list",
        start: undefined,
        items: [[{ kind: "paragraph", children: [{ kind: "text", text: "stopped" }] }]],
      },
      {
        kind: "table",
        head: [[{ kind: "text", text: "a" }], [{ kind: "text", text: "b" }]],
        rows: [
          [
            [{ kind: "text", text: "1" }],
            [
              {
                kind: "link",
                href: "https://example.org/x",
                external: true,
                children: [{ kind: "text", text: "https://example.org/x" }],
              },
            ],
          ],
        ],
      },
      { kind: "code", text: "[[pin:9]]" },
    ]);
  });

  it("shows HTML and whatever would run as the text that it is", () => {
    const text = [
      "<script>alert(1)</script>",
      "",
      "a <b onclick=alert(1)>b</b> <!-- c -->",
      "",
      "[x](javascript:alert(1)) [x](<java\tscript:alert(1)>) [x](//example.org) [x](data:text/html,x) [x](/\\example.org)",
      "",
      "![seen](https://example.org/p.png) <javascript:alert(1)> [in](/nodes/7?from=1&to=2)",
    ].join("\n");
    const { hrefs, texts } = partsOf(readMarkdown(text));
    // A backslash is encoded: a page of this host that is not there.
    expect(hrefs).toEqual(["/%5Cexample.org", "https://example.org/p.png", "/nodes/7?from=1&to=2"]);
    expect(texts[0]).toBe("<script>alert(1)</script>");
    expect(texts.join("")).toContain("<b onclick=alert(1)>b</b>");
    expect(texts.join("")).toContain("[x](javascript:alert(1))");
  });

  it("reorders nothing around it", () => {
    const { texts } = partsOf(readMarkdown("a\u202eb\n\n`c\u2066d`\n\n\u05d0"));
    expect(texts).toEqual(["ab", "cd", "\u2068\u05d0\u2069"]);
  });

  it.each([
    ["quotes in quotes", ">".repeat(50_000)],
    ["lists in lists", "- ".repeat(30_000)],
    ["open brackets", "[".repeat(50_000)],
    ["emphasis", "*a_ ".repeat(20_000)],
    ["links in links", "[a](".repeat(15_000)],
    ["a table of one line", "|".repeat(50_000)],
    ["a long word", "x".repeat(100_000)],
    ["lazy quotes", `${"> ".repeat(39)}a\n`.repeat(500)],
  ])("reads %s without breaking", (_name, text) => {
    expect(readMarkdown(text).length).toBeGreaterThan(0);
  });

  it("is total, and leads nowhere else", () => {
    const word = fc.constantFrom(
      "[",
      "](",
      ")",
      "<",
      ">",
      "javascript:x",
      "//h",
      "![",
      "`",
      "*",
      "\n",
      "&#x6a;",
      "[[pin:1]]",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string()), { maxLength: 30 }), (words) => {
        for (const href of partsOf(readMarkdown(words.join(""))).hrefs)
          expect(href).toMatch(/^(?:https?:\/\/|mailto:|\/(?![/\\])|#)/i);
      }),
      { seed: 11, numRuns: 300 },
    );
  });
});

describe("references", () => {
  it("are found in order, each once, and written as they are read", () => {
    const text = "[[pin:2]] [[effect:5]] [[pin:2]] [[effect:5@1]] [[pin:0]] [[other:1]]";
    const found = referencesOf(text);
    expect(found.map(referenceText)).toEqual(["[[pin:2]]", "[[effect:5]]", "[[effect:5@1]]"]);
  });
});
