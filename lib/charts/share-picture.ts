import { formatKib } from "./format.ts";
import { investigationFacts, STATUS_TEXTS } from "./investigation-model.ts";
import { readMarkdown, referencesOf, referenceText } from "./markdown.ts";
import type { MarkdownBlock, MarkdownInline } from "./markdown.ts";
import type { EffectReading, PinReading } from "./pin-reading.ts";
import type { SharedHead } from "./shared-document.ts";

/** What the picture of a link shows in a chat: plain words, and the line of the first pinned chart. */
export interface SharePicture {
  readonly title: string;
  readonly status: string;
  readonly facts: string;
  /** What is known so far. */
  readonly summary: string;
  /** Unreclaimable kernel memory, each point from 0 to 1 of the width and of the height from the top; empty without a chart. */
  readonly line: readonly (readonly [x: number, y: number])[];
  /** What the line shows, from where to where; empty without one. */
  readonly caption: string;
}

/** What marks did, by how a text refers to them, as far as it was read. */
export type ReadEffects = Readonly<Record<string, EffectReading>>;

function inlineText(inlines: readonly MarkdownInline[], effects: ReadEffects): string {
  return inlines
    .map((each) => {
      if ("children" in each) return inlineText(each.children, effects);
      if (each.kind === "break") return " ";
      if (each.kind !== "reference") return each.text;
      const reading = effects[referenceText(each.to)];
      return reading === undefined || "message" in reading ? "" : reading.short;
    })
    .join("");
}

function blockText(block: MarkdownBlock, effects: ReadEffects): string {
  switch (block.kind) {
    case "heading":
    case "paragraph":
      return inlineText(block.children, effects);
    case "quote":
      return block.children.map((each) => blockText(each, effects)).join(" ");
    case "list":
      return block.items.map((item) => item.map((each) => blockText(each, effects)).join(" ")).join("; ");
    default:
      return "";
  }
}

/** The first characters of a text without its marks of direction and line ends; shortened at a blank where there is one. */
function beginning(text: string, mostChars: number): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  if (plain.length <= mostChars) return plain;
  const cut = plain.slice(0, mostChars - 1);
  const blank = cut.lastIndexOf(" ");
  return `${(blank > mostChars / 2 ? cut.slice(0, blank) : cut).trimEnd()}\u2026`;
}

const MOST_CHARS = { title: 110, facts: 130, summary: 260 } as const;

/** What the few words of a link need to have been read: the effects that its conclusion names. */
export function summaryReferences({ conclusion }: Pick<SharedHead, "conclusion">): string[] {
  return referencesOf(conclusion).flatMap((to) => (to.kind === "effect" ? [referenceText(to)] : []));
}

/** What a link says of itself in a few words, for previews: the conclusion, or which nodes it is about. */
export function shareSummary(head: SharedHead, effects: ReadEffects): string {
  const facts = factsOf(head);
  const conclusion = readMarkdown(head.conclusion)
    .map((block) => blockText(block, effects))
    .filter(Boolean)
    .join(" ");
  return beginning(
    conclusion.trim() === "" ? `${STATUS_TEXTS[head.status].word}; ${facts}` : conclusion,
    MOST_CHARS.summary,
  );
}

function factsOf({ nodes, window, openedAt, openedBy, zone }: SharedHead): string {
  const facts = investigationFacts(
    { createdAt: openedAt, createdBy: openedBy, nodeIds: nodes.map((_, at) => at), window, people: [] },
    (at) => nodes[at],
    { zone, nowMs: 0 },
  );
  const named = facts.nodes.slice(0, 3).map(({ name }) => name);
  const more = nodes.length > named.length ? ` and ${nodes.length - named.length} more` : "";
  return `${named.length === 0 ? "no node" : `${named.join(", ")}${more}`}; ${facts.window}`;
}

/** Prepares the picture of a link; `reading` is what its first chart shows, `effects` are those of {@link summaryReferences}. */
export function sharePicture(
  head: SharedHead,
  reading: PinReading | undefined,
  effects: ReadEffects,
): SharePicture {
  return {
    title: drawable(beginning(head.title, MOST_CHARS.title)) || "An investigation",
    status: STATUS_TEXTS[head.status].word,
    facts: drawable(beginning(factsOf(head), MOST_CHARS.facts)),
    summary: drawable(shareSummary(head, effects)),
    ...(reading?.kind === "composition" ? lineOf(reading.composition) : { line: [], caption: "" }),
  };
}

/** Only letters that the font of the picture has: for others the drawing would ask a server elsewhere. */
function drawable(text: string): string {
  return text
    .replace(/\u2212/g, "-")
    .replace(/[^\u0020-\u007e\u00a0-\u017f\u2013\u2014\u2018\u2019\u201c\u201d\u2026]+/g, "?");
}

const MOST_POINTS = 200;

function lineOf({
  timesMs,
  kernelUnreclaimableKib,
  from,
  to,
}: Extract<PinReading, { kind: "composition" }>["composition"]): Pick<SharePicture, "line" | "caption"> {
  const points = timesMs.flatMap((atMs, at) => {
    const value = kernelUnreclaimableKib[at];
    return value == null ? [] : [[atMs, value] as const];
  });
  if (points.length === 0) return { line: [], caption: "" };
  const values = points.map(([, value]) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const every = Math.ceil(points.length / MOST_POINTS);
  const line = points
    .filter((_, at) => at % every === 0 || at === points.length - 1)
    .map(
      ([atMs, value]) =>
        [
          (atMs - from) / Math.max(1, to - from),
          high === low ? 0.5 : 1 - (value - low) / (high - low),
        ] as const,
    );
  return { line, caption: `unreclaimable kernel memory, ${formatKib(low)} to ${formatKib(high)}` };
}
