import type { MarkdownBlock, MarkdownInline, MarkdownReference } from "#lib/charts/markdown.ts";
import type { PlainTable } from "#lib/contracts/csv.ts";

/** Control characters that no text needs, and marks of direction but for those of an isolate. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066\u2067]/g;
/** Whatever means something inside a line of Markdown, of GitHub's as of CommonMark. */
const ACTIVE = /[\\`*_[\]<>&~|#!$@]/g;
/** What some renderers make a link of although nothing marks it as one. */
const BARE_LINK = /\b(?:www\.|(?:https?|ftp|mailto|xmpp|javascript|data):)/gi;

/**
 * A text as Markdown that shows that text: nothing of it is a heading, a link, HTML or an entity, and it stays in its line.
 *
 * @example escapeMarkdown("a <b> *c*") // "a \\<b\\> \\*c\\*"
 */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, " ")
    .replace(CONTROLS, "")
    .replace(ACTIVE, "\\$&")
    .replace(BARE_LINK, (found) => `${found.slice(0, -1)}\\${found.slice(-1)}`);
}

/** A line that begins no list, no rule and no heading of the line before. */
function lineStart(line: string): string {
  return line
    .trimStart()
    .replace(/^[-+=]/, "\\$&")
    .replace(/^(\d{1,9})([.)])/, "$1\\$2");
}

/** What stands in a text for what it refers to. */
export interface ReferenceWriter {
  /** In a line. */
  readonly inline: (to: MarkdownReference) => string;
  /** In its place. */
  readonly block: (to: MarkdownReference) => string;
  /** The absolute address of a page of the product; undefined where nothing leads there. */
  readonly address: (path: string) => string | undefined;
}

/** A link; its text alone where it leads nowhere. `label` is Markdown. */
export function markdownLink(label: string, href: string | undefined): string {
  return href === undefined ? label : `[${label}](<${href.replace(/[\s<>\\;]/g, encodeURIComponent)}>)`;
}

function inlinesText(inlines: readonly MarkdownInline[], writer: ReferenceWriter): string {
  return inlines.map((inline) => inlineText(inline, writer)).join("");
}

const MARKERS = { strong: "**", emphasis: "*", deleted: "~~" } as const;

function inlineText(inline: MarkdownInline, writer: ReferenceWriter): string {
  switch (inline.kind) {
    case "text":
      return escapeMarkdown(inline.text);
    case "code": {
      const text = inline.text.replace(/\s+/g, " ").replace(CONTROLS, "");
      return `${fenceOf(text, 1)} ${text} ${fenceOf(text, 1)}`;
    }
    case "break":
      return "\\\n";
    case "strong":
    case "emphasis":
    case "deleted": {
      // Markers touch what they mark, or they are none.
      const inside = inlinesText(inline.children, writer);
      const text = inside.trim();
      const marker = MARKERS[inline.kind];
      return text === "" ? inside : inside.replace(text, () => `${marker}${text}${marker}`);
    }
    case "link": {
      const label = inlinesText(inline.children, writer);
      return markdownLink(label, inline.external ? inline.href : writer.address(inline.href));
    }
    case "reference":
      return writer.inline(inline.to);
  }
}

/** Backticks, one more than the longest row of them inside. */
function fenceOf(text: string, least: number): string {
  const rows = text.match(/`+/g) ?? [];
  return "`".repeat(Math.max(least, ...rows.map((row) => row.length + 1)));
}

const indented = (text: string, first: string, rest: string) =>
  text
    .split("\n")
    .map((line, index) => (line === "" && index > 0 ? "" : `${index === 0 ? first : rest}${line}`))
    .join("\n");

function paragraph(text: string): string {
  return text.split("\n").map(lineStart).join("\n");
}

/** Blocks that were read from Markdown, as Markdown again: the same structure, and no more of it than was read. */
export function blocksText(blocks: readonly MarkdownBlock[], writer: ReferenceWriter): string {
  return blocks.map((block) => blockText(block, writer)).join("\n\n");
}

function blockText(block: MarkdownBlock, writer: ReferenceWriter): string {
  switch (block.kind) {
    case "heading":
      return `${"#".repeat(block.level)} ${inlinesText(block.children, writer).replaceAll("\\\n", " ")}`;
    case "paragraph":
      return paragraph(inlinesText(block.children, writer));
    case "code": {
      const fence = fenceOf(block.text, 3);
      return `${fence}\n${block.text.replace(/\r\n?/g, "\n").replace(CONTROLS, "")}\n${fence}`;
    }
    case "quote":
      return blocksText(block.children, writer)
        .split("\n")
        .map((line) => (line === "" ? ">" : `> ${line}`))
        .join("\n");
    case "list":
      return block.items
        .map((item, index) => {
          const marker = block.start === undefined ? "- " : `${block.start + index}. `;
          return indented(blocksText(item, writer), marker, " ".repeat(marker.length));
        })
        .join("\n");
    case "table": {
      const cells = (row: readonly (readonly MarkdownInline[])[]) =>
        row.map((cell) => inlinesText(cell, writer).replaceAll("\\\n", " "));
      return tableText(cells(block.head), block.rows.map(cells));
    }
    case "rule":
      return "---";
    case "figure":
      return writer.block(block.to);
  }
}

/** A table; cells are Markdown. */
function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A table of texts and numbers. What is not known is empty. */
export function plainTableText({ columns, rows }: PlainTable): string {
  const cell = (value: string | number | null) => (value === null ? "" : escapeMarkdown(String(value)));
  return tableText(
    columns.map(cell),
    rows.map((row) => row.map(cell)),
  );
}
