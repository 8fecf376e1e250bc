import MarkdownIt from "markdown-it";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";

/** What a text refers to: a pin by its number, or what a mark did, on a node where one is named. */
export type MarkdownReference =
  | { readonly kind: "pin"; readonly number: number }
  | { readonly kind: "effect"; readonly annotationId: number; readonly nodeId: number | undefined };

export type MarkdownInline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "break" }
  | { readonly kind: "strong" | "emphasis" | "deleted"; readonly children: readonly MarkdownInline[] }
  /** `external` leaves the product. */
  | {
      readonly kind: "link";
      readonly href: string;
      readonly external: boolean;
      readonly children: readonly MarkdownInline[];
    }
  | { readonly kind: "reference"; readonly to: MarkdownReference };

export type MarkdownBlock =
  | { readonly kind: "heading"; readonly level: 3 | 4 | 5; readonly children: readonly MarkdownInline[] }
  | { readonly kind: "paragraph"; readonly children: readonly MarkdownInline[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "quote"; readonly children: readonly MarkdownBlock[] }
  | {
      readonly kind: "list";
      readonly start: number | undefined;
      readonly items: readonly (readonly MarkdownBlock[])[];
    }
  | {
      readonly kind: "table";
      readonly head: readonly (readonly MarkdownInline[])[];
      readonly rows: readonly (readonly (readonly MarkdownInline[])[])[];
    }
  | { readonly kind: "rule" }
  /** A reference that stands alone: the view itself is placed here. */
  | { readonly kind: "figure"; readonly to: MarkdownReference };

type Token = ReturnType<MarkdownIt["parse"]>[number];

/** A token with those between it and its end. */
interface Tree {
  readonly token: Token;
  readonly children: Tree[];
}

const REFERENCE = /\[\[(?:pin:([1-9]\d{0,5})|effect:([1-9]\d{0,8})(?:@([1-9]\d{0,8}))?)\]\]/g;

/** Where a text may lead: a page of the product, a place of the page, http, https or mailto. */
function leadsTo(url: string): "inside" | "outside" | undefined {
  const isPage = /^\/(?![/\\])/.test(url) && !/[\u0000-\u0020\\]/.test(url);
  if (isPage || /^#[\w-]+$/.test(url)) return "inside";
  const isExternal = /^(?:https?:\/\/|mailto:)[^\u0000-\u0020]+$/i.test(url) && URL.canParse(url);
  return isExternal ? "outside" : undefined;
}

const parser = new MarkdownIt({ html: false, linkify: true });
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
// What leads elsewhere stays the text that was typed.
parser.validateLink = (url) => leadsTo(url) !== undefined;

/**
 * Markdown (CommonMark with tables, strikethrough and bare links) as blocks to draw. There is no HTML: what looks like it is text,
 * and pictures are links, so that nothing is loaded from elsewhere. Links lead to http, https, mailto, or to a page of the product.
 * Texts do not reorder what stands around them. Total on any text.
 */
export function readMarkdown(text: string): MarkdownBlock[] {
  return withHeadingsInOrder(blocksOf(treesOf(parser.parse(text, {}))));
}

/** The page has its own first two levels: the highest heading of a text is the third, and none leaves a level out. */
function withHeadingsInOrder(blocks: readonly MarkdownBlock[]): MarkdownBlock[] {
  const levels = blocks.flatMap((block) => (block.kind === "heading" ? [block.level] : []));
  const highest = Math.min(...levels);
  let before = 2;
  return blocks.map((block) => {
    if (block.kind !== "heading") return block;
    before = Math.min(3 + block.level - highest, before + 1);
    return { ...block, level: before === 3 ? 3 : before === 4 ? 4 : 5 };
  });
}

/** Every reference of a text, in order, each once. */
export function referencesOf(text: string): MarkdownReference[] {
  const found = [...text.matchAll(REFERENCE)].map(referenceOf);
  return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];
}

/** How a text refers to something. */
export function referenceText(to: MarkdownReference): string {
  if (to.kind === "pin") return `[[pin:${to.number}]]`;
  return `[[effect:${to.annotationId}${to.nodeId === undefined ? "" : `@${to.nodeId}`}]]`;
}

function referenceOf([, pin, effect, node]: RegExpMatchArray): MarkdownReference {
  return pin === undefined
    ? {
        kind: "effect",
        annotationId: Number(effect),
        nodeId: node === undefined ? undefined : Number(node),
      }
    : { kind: "pin", number: Number(pin) };
}

/** Tokens come flat, with a sign at the begin and the end of what holds others. */
function treesOf(tokens: readonly Token[]): Tree[] {
  const roots: Tree[] = [];
  const open: Tree[] = [];
  for (const token of tokens) {
    if (token.nesting === -1) {
      open.pop();
      continue;
    }
    const tree = { token, children: [] };
    (open.at(-1)?.children ?? roots).push(tree);
    if (token.nesting === 1) open.push(tree);
  }
  return roots;
}

/** What is written in a paragraph, a heading or a cell. */
function linesOf({ children }: Tree): MarkdownInline[] {
  return children.flatMap(({ token }) => inlinesOf(treesOf(token.children ?? [])));
}

function partsOf({ children }: Tree, type: string): Tree[] {
  return children.filter(({ token }) => token.type === type);
}

function blocksOf(trees: readonly Tree[]): MarkdownBlock[] {
  return trees.flatMap((tree): MarkdownBlock[] => {
    const { token, children } = tree;
    switch (token.type) {
      case "heading_open":
        return [
          {
            kind: "heading",
            level: token.tag === "h1" ? 3 : token.tag === "h2" ? 4 : 5,
            children: linesOf(tree),
          },
        ];
      case "paragraph_open": {
        const lines = linesOf(tree);
        const said = lines.filter((each) => each.kind !== "text" || each.text.trim() !== "");
        return said.length > 0 && said.every((each) => each.kind === "reference")
          ? said.map((each) => ({ kind: "figure", to: each.to }))
          : [{ kind: "paragraph", children: lines }];
      }
      case "fence":
      case "code_block":
        return [{ kind: "code", text: isolatedText(token.content.replace(/\n$/, "")) }];
      case "blockquote_open":
        return [{ kind: "quote", children: blocksOf(children) }];
      case "bullet_list_open":
      case "ordered_list_open":
        return [
          {
            kind: "list",
            start: token.type === "ordered_list_open" ? Number(token.attrGet("start") ?? 1) : undefined,
            items: children.map((item) => blocksOf(item.children)),
          },
        ];
      case "table_open": {
        const rowsIn = (part: string) =>
          partsOf(tree, part).flatMap((each) => each.children.map((row) => row.children.map(linesOf)));
        return [{ kind: "table", head: rowsIn("thead_open")[0] ?? [], rows: rowsIn("tbody_open") }];
      }
      case "hr":
        return [{ kind: "rule" }];
      default:
        return token.content === ""
          ? blocksOf(children)
          : [{ kind: "paragraph", children: textOf(token.content) }];
    }
  });
}

const SPANS: Readonly<Record<string, "strong" | "emphasis" | "deleted">> = {
  strong_open: "strong",
  em_open: "emphasis",
  s_open: "deleted",
};

function inlinesOf(trees: readonly Tree[]): MarkdownInline[] {
  return trees.flatMap(({ token, children }): MarkdownInline[] => {
    const span = SPANS[token.type];
    if (span !== undefined) return [{ kind: span, children: inlinesOf(children) }];
    switch (token.type) {
      case "code_inline":
        return [{ kind: "code", text: isolatedText(token.content) }];
      case "hardbreak":
        return [{ kind: "break" }];
      case "softbreak":
        return [{ kind: "text", text: " " }];
      case "link_open":
        return linkTo(token.attrGet("href") ?? "", inlinesOf(children));
      case "image": {
        const href = token.attrGet("src") ?? "";
        return linkTo(href, [{ kind: "text", text: isolatedText(token.content || href) }]);
      }
      default:
        return textOf(token.content);
    }
  });
}

function linkTo(href: string, children: readonly MarkdownInline[]): MarkdownInline[] {
  const where = leadsTo(href);
  return where === undefined
    ? [...children]
    : [{ kind: "link", href, external: where === "outside", children }];
}

function textOf(text: string): MarkdownInline[] {
  const found: MarkdownInline[] = [];
  let from = 0;
  const say = (part: string) => {
    if (part !== "") found.push({ kind: "text", text: isolatedText(part) });
  };
  for (const match of text.matchAll(REFERENCE)) {
    say(text.slice(from, match.index));
    found.push({ kind: "reference", to: referenceOf(match) });
    from = match.index + match[0].length;
  }
  say(text.slice(from));
  return found;
}

/** The pins that stand in a text as views, not only by name in a line. */
export function placedPins(text: string): ReadonlySet<number> {
  return new Set(pinsIn(readMarkdown(text)));
}

function pinsIn(blocks: readonly MarkdownBlock[]): number[] {
  return blocks.flatMap((block): number[] => {
    if (block.kind === "figure") return block.to.kind === "pin" ? [block.to.number] : [];
    if (block.kind === "quote") return pinsIn(block.children);
    return block.kind === "list" ? block.items.flatMap(pinsIn) : [];
  });
}
