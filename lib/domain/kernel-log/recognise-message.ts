import { LOG_PATTERNS, type LogPattern } from "./patterns.ts";

/** What one line says, by the first pattern that fits. */
export interface Recognised {
  readonly pattern: LogPattern;
  /** What the pattern's groups took out; those that took nothing are not there. */
  readonly extracted: Readonly<Record<string, string>>;
  readonly title: string;
  /** The same pattern and subject again is the same event again. */
  readonly subject: string;
  /** Character at which it begins in the message. */
  readonly index: number;
}

/** The kubelet's errors run to more than 4,000 characters, and what counts may stand at their end. */
const LONGEST_LINE = 16_384;
const LONGEST_TITLE = 300;

const HINTS = new RegExp(
  LOG_PATTERNS.flatMap(({ hints }) => hints)
    .map((hint) => hint.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("|"),
  "i",
);

/** Whether a raw line may hold a message worth reading: one cheap test, so that a busy log costs little. */
export function mayMatter(rawLine: string): boolean {
  return HINTS.test(rawLine.length > LONGEST_LINE ? rawLine.slice(0, LONGEST_LINE) : rawLine);
}

/**
 * Reads one message, without the prefix that loggers put before it. `undefined` when it is none of the table's. What a program
 * printed (`isOfProgram`) is none of the kernel's messages: it quotes one.
 */
export function recogniseMessage(message: string, isOfProgram = false): Recognised | undefined {
  const text = message.length > LONGEST_LINE ? message.slice(0, LONGEST_LINE) : message;
  for (const pattern of LOG_PATTERNS) {
    if (isOfProgram && pattern.by === "kernel") continue;
    const match = pattern.pattern.exec(text);
    if (match === null) continue;
    const extracted = Object.fromEntries(
      Object.entries(match.groups ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    return {
      pattern,
      extracted,
      title: fillTitle(pattern.title, extracted).slice(0, LONGEST_TITLE),
      subject: (pattern.subject ?? []).map((group) => extracted[group] ?? "").join(" "),
      index: match.index,
    };
  }
  return undefined;
}

/** `{group}` becomes what was extracted, `?` when nothing was; a piece in brackets is left out then. */
function fillTitle(template: string, extracted: Readonly<Record<string, string>>): string {
  return template
    .replace(/\[([^\]]*?)\{(\w+)\}([^\]]*)\]/g, (_, before: string, group: string, after: string) => {
      const value = extracted[group];
      return value === undefined ? "" : `${before}${value}${after}`;
    })
    .replace(/\{(\w+)\}/g, (_, group: string) => extracted[group] ?? "?");
}
