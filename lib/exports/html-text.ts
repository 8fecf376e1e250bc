import { VERDICT_GLYPHS } from "#lib/charts/verdict.ts";
import type { VerdictText } from "#lib/charts/verdict.ts";
import type { MarkdownBlock, MarkdownInline, MarkdownReference } from "#lib/charts/markdown.ts";
import type { PlainTable } from "#lib/contracts/csv.ts";

/** A piece of HTML that was made here. Any other text becomes one only through `html`, which escapes it. */
export class Html {
  constructor(readonly source: string) {}
}

type Part = string | number | Html | readonly Html[] | undefined;

/** Control characters that HTML must not hold, and marks of direction but for those of an isolate. */
const CONTROLS =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066\u2067\ufffe\uffff]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function sourceOf(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Html) return part.source;
  if (typeof part === "number") return String(part);
  if (typeof part === "string")
    return part.replace(CONTROLS, "").replace(/[&<>"']/g, (found) => ENTITIES[found] ?? "");
  return part.map(({ source }) => source).join("");
}

/**
 * HTML with values in it, as text between tags or inside quoted attributes: whatever they hold, they stay text.
 *
 * @example html`<b>${"<i>"}</b>`.source // "<b>&lt;i&gt;</b>"
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const texts = withoutIndent.get(strings) ?? strings.map((text) => text.replace(/\n\s*/g, "\n"));
  withoutIndent.set(strings, texts);
  return new Html(texts.map((text, index) => text + sourceOf(parts[index])).join(""));
}

/** Templates as they are sent: the blanks that set them off in this source are none of a file with thousands of cells. */
const withoutIndent = new WeakMap<TemplateStringsArray, readonly string[]>();

/** A link; its content alone where it leads nowhere. */
export function htmlLink(content: Part, href: string | undefined): Html {
  return href === undefined
    ? html`${content}`
    : html`<a href="${href}" rel="noopener noreferrer nofollow">${content}</a>`;
}

/** A verdict: glyph, word and colour. */
export function verdictHtml({ word, tone }: VerdictText): Html {
  return html`<span class="verdict ${tone}"
    ><svg viewBox="0 0 11 12" width="11" height="12" aria-hidden="true">
      <path
        d="${VERDICT_GLYPHS[tone]}"
        fill="none"
        stroke="currentColor"
        stroke-width="1.8"
        stroke-linecap="round"
      />
    </svg>
    ${word}</span
  >`;
}

/** What stands in a text for what it refers to. */
export interface HtmlReferences {
  readonly inline: (to: MarkdownReference) => Html;
  readonly block: (to: MarkdownReference) => Html;
  /** The absolute address of a page of the product; undefined where nothing leads there. */
  readonly address: (path: string) => string | undefined;
}

const SPANS = { strong: "strong", emphasis: "em", deleted: "del" } as const;

function inlinesHtml(inlines: readonly MarkdownInline[], to: HtmlReferences): Html[] {
  return inlines.map((inline): Html => {
    switch (inline.kind) {
      case "text":
        return html`${inline.text}`;
      case "code":
        return html`<code>${inline.text}</code>`;
      case "break":
        return html`<br />`;
      case "strong":
      case "emphasis":
      case "deleted": {
        const tag = new Html(SPANS[inline.kind]);
        return html`<${tag}>${inlinesHtml(inline.children, to)}</${tag}>`;
      }
      case "link":
        return htmlLink(
          inlinesHtml(inline.children, to),
          inline.external || inline.href.startsWith("#") ? inline.href : to.address(inline.href),
        );
      case "reference":
        return to.inline(inline.to);
    }
  });
}

/** Blocks that were read from Markdown. */
export function blocksHtml(blocks: readonly MarkdownBlock[], to: HtmlReferences): Html[] {
  return blocks.map((block): Html => {
    switch (block.kind) {
      case "heading": {
        const tag = new Html(`h${block.level}`);
        return html`<${tag}>${inlinesHtml(block.children, to)}</${tag}>`;
      }
      case "paragraph":
        return html`<p>${inlinesHtml(block.children, to)}</p>`;
      case "code":
        return html`<pre>${block.text}</pre>`;
      case "quote":
        return html`<blockquote>${blocksHtml(block.children, to)}</blockquote>`;
      case "list": {
        const items = block.items.map((item) => html`<li>${blocksHtml(item, to)}</li>`);
        return block.start === undefined
          ? html`<ul>
              ${items}
            </ul>`
          : html`<ol start="${block.start}">
              ${items}
            </ol>`;
      }
      case "table": {
        const cells = (row: readonly (readonly MarkdownInline[])[], tag: "th" | "td") => {
          const name = new Html(tag);
          return row.map((cell) => html`<${name}>${inlinesHtml(cell, to)}</${name}>`);
        };
        return html`<div class="scroll" tabindex="0" role="group" aria-label="Table">
          <table>
            <thead>
              <tr>
                ${cells(block.head, "th")}
              </tr>
            </thead>
            <tbody>
              ${block.rows.map(
                (row) =>
                  html`<tr>
                    ${cells(row, "td")}
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>`;
      }
      case "rule":
        return html`<hr />`;
      case "figure":
        return to.block(block.to);
    }
  });
}

/** A table of texts and numbers; what is not known is empty. Most of a report is this, so cells are not closed: HTML need not. */
export function tableHtml({ columns, rows }: PlainTable, label: string): Html {
  const numeric = columns.map(
    (_, at) => rows.some((row) => isNumeric(row[at])) && !rows.some((row) => isWord(row[at])),
  );
  const classOf = (at: number) => (numeric[at] ? html` class="n"` : undefined);
  const head = columns.map((column, at) => html`<th scope="col" ${classOf(at)}>${column}</th>`);
  const line = (row: PlainTable["rows"][number]) =>
    html`<tr>
      ${row.map((cell, at) => html`<td${classOf(at)}>${cell ?? undefined}</td${classOf(at)}>`)}
    </tr>`;
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${head}
        </tr>
      </thead>
      <tbody>
        ${rows.map(line)}
      </tbody>
    </table>
  </div>`;
}

type Cell = string | number | null | undefined;
const NUMERIC =
  /^[+\u2212-]?[\d.,]+(?:[\s\u00a0\u202f](?:[KMGT]iB|%))?$|^[\u2212\d.,]+(?:\u2013| to )[\u2212\d.,]+$|^[<>\u2013]?[\s\u00a0]?[\d.]*$/;
const isNumeric = (cell: Cell) =>
  typeof cell === "number" || (typeof cell === "string" && NUMERIC.test(cell));
const isWord = (cell: Cell) => typeof cell === "string" && !NUMERIC.test(cell) && cell !== "not reported";
