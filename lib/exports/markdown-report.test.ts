import MarkdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import { sampleReport } from "../../scripts/testing/sample-investigation.ts";
import { markdownReport } from "./markdown-report.ts";
import { escapeMarkdown } from "./markdown-text.ts";

const report = sampleReport();
const file = markdownReport(report);
/** A renderer that lets HTML through and makes links of whatever looks like one: the worst that there is. */
const renderer = new MarkdownIt({ html: true, linkify: true });
renderer.validateLink = () => true;
const drawn = renderer.render(file);
const sectionOf = (title: string) => file.split(`\n## ${title}\n`)[1]?.split("\n## ")[0] ?? "";

describe("escapeMarkdown", () => {
  it.each([
    "<b>x</b>",
    "# head",
    "a | b",
    "*x* _y_ ~~z~~ `c`",
    "[a](b) ![c](d) <https://e.example>",
    "&lt; &copy; &#60;",
    "\\*",
    "line\nbreak\r\n# and head",
    "https://evil.example www.evil.example m@evil.example javascript:alert(1)",
    "1 > 2",
    "$x$ #12 @someone",
  ])("shows %j as it was typed", (text) => {
    expect(renderer.renderInline(escapeMarkdown(text))).toBe(
      renderer.utils.escapeHtml(text.replace(/[\r\n]+/g, " ")),
    );
  });
});

describe("what came from outside", () => {
  it("is text in a renderer that lets HTML through", () => {
    const names = new Set([...drawn.matchAll(/<\/?([a-z0-9!]+)/gi)].map(([, name]) => name));
    expect([...names].sort()).toEqual(
      [
        "a",
        "blockquote",
        "br",
        "code",
        "em",
        "h1",
        "h2",
        "h3",
        "hr",
        "li",
        "ol",
        "p",
        "pre",
        "strong",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "ul",
      ].sort(),
    );
    expect(drawn).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(drawn).not.toMatch(/[\u0007\u202e]/);
  });

  it("leads to http alone", () => {
    const addresses = [...drawn.matchAll(/href="([^"]*)"/g)].map(([, to]) => to ?? "");
    expect(addresses.length).toBeGreaterThan(20);
    for (const to of addresses) expect(to).toMatch(/^https:\/\/(?:plumbline|example|x)\./);
  });

  it("makes no heading of its own", () => {
    const heads = file.match(/^#+ .*$/gm)?.map((line) => line.slice(0, 30));
    expect(heads).toEqual([
      "# Who eats the memory of magnesia? \\<script".slice(0, 30),
      "## Conclusion",
      "## Hypotheses",
      "### 1. supported",
      "### 2. refuted",
      "## Document",
      "### What we saw",
      "## Pinned views",
      "## Log",
    ]);
  });
});

describe("sentences", () => {
  it("stand with numbers, window and the address of their view", () => {
    expect(sectionOf("Document")).toContain(
      "- **leaking** \u2013 Unreclaimable kernel memory grows 312 MiB/h (95 %: 298\u2013327). (magnesia\\<b\\>; " +
        "Wed 2 Dec 2026 14:20 \u2013 Thu 3 Dec 2026 14:20 UTC; [view](<https://plumbline.example/nodes/7?from=",
    );
    expect(sectionOf("Conclusion")).toContain(
      "The puller: [312 to 4 MiB/h (\u22126 to 13)](<https://plumbline.example/nodes/7?",
    );
    expect(sectionOf("Hypotheses")).toMatch(
      /- pin 5, Growth and containers: \*\*leaves memory behind\*\*.*\[view\]/,
    );
  });

  it("say first what was done, where the whole window has no trend", () => {
    const { readings } = report.document;
    const undecided = Object.fromEntries(
      Object.entries(readings).map(([number, reading]) => [
        number,
        reading.kind === "composition" && reading.trend
          ? { ...reading, trend: { ...reading.trend, verdict: "insufficient" as const, text: "Cannot say." } }
          : reading,
      ]),
    );
    const written = markdownReport({ ...report, document: { ...report.document, readings: undecided } });
    const lines = written.split("\n").filter((line) => line.startsWith("- **"));
    const last = lines.findIndex((line) => line.includes("Cannot say."));
    expect(last).toBeGreaterThan(0);
    expect(lines[last - 1]).toMatch(/mark \d+, /);
  });

  it("have a small table of numbers below", () => {
    expect(sectionOf("Document")).toContain(
      "| memory | change since the newest boot, GiB | at the end, GiB |\n| --- | --- | --- |\n| free | +0.02 | 184.58 |",
    );
    expect(sectionOf("Pinned views")).toContain(
      "| kmalloc-64\\<b\\> | 477\u00a0MiB | 3.59\u00a0GiB | +3.13\u00a0GiB |",
    );
  });
});

it("keeps the structure of what people wrote", () => {
  const text = sectionOf("Document");
  for (const part of [
    "- one\n- two\n\n  with ` co `de",
    "1. first\n2. second",
    "> quoted",
    "| 1 | x \\| y |",
    "````\n<script>```\n````",
    "\n---\n",
    "- \\= not a heading",
    "\n\\- not a list",
  ]) {
    expect(text).toContain(part);
  }
});

it("leads nowhere in the product where names are replaced", () => {
  const nameless = markdownReport({ ...report, origin: undefined, page: undefined });
  expect(nameless).not.toContain("plumbline.example");
  expect(nameless).toContain("names replaced");
});

it("closes with the hash of the content", () => {
  expect(file.trimEnd().endsWith(`SHA-256 of the content: \`${"ab".repeat(32)}\``)).toBe(true);
});
