import { decodeTransport } from "./decode-transport.ts";
import type { DumpLine } from "./dump-line.ts";
import { hostOfHeading, hostOfPrefix, hostOfPrompt } from "./host-of-line.ts";
import { stripPrefixes } from "../kernel-log/line-prefix.ts";

const PROMPTS: readonly RegExp[] = [
  /^\s{0,4}(?:\([\w.-]{1,40}\) ?)?\[[^\]\s]{1,64}@[^\]]{1,100}\] ?[#$%](?:\s+(.*))?$/s,
  /^\s{0,4}[\w.-]{1,64}@[\w.-]{1,64}[: ]?[^\s#$%>]{0,100} ?[#$%>](?:\s+(.*))?$/s,
  /^\s{0,4}(?:[\w.-]{1,40}|~|\/[\w./-]{0,60}) ?[#$](?:\s+(.*))?$/s,
  /^\s{0,4}(?:crash|PS [^>]{0,60})> ?(.*)$/s,
  /^\s{0,4}#{2,6}\s+(.*)$/s,
  /^\s{0,4}[#$%]\s+(?!name\b|-{2})(\S.*)$/s,
];

/** Commands that people paste without their prompt, and the arrows that head and tail print between files. */
const BARE_COMMANDS: readonly RegExp[] = [
  /^\s*==> (\S{1,300}) <==\s*$/,
  /^\s*((?:sudo )?(?:cat|head|tail|e?grep|zcat|less|awk|watch|find|ls) .{0,80}\/.*)$/s,
  /^\s*((?:sudo )?(?:free|slabtop|smem|vmstat|df|uptime|dmesg|arcstat(?:\.py)?|journalctl|numastat)(?: +-[^:]{1,200})?):?\s*$/,
  /^\s*"((?:sudo )?(?:slabtop|free|smem|cat) ?[^"]{0,100})" output:?\s*$/,
  /^[A-Za-z\s'\"(]{0,60}?((?:\/proc|\/sys)\/[a-z][\w./*-]{2,100}|memory\.stat|cgroup\.stat)[\s'\"),:]{0,6}$/,
];

/**
 * The lines of a paste without quoting, prefixes and mark-up. Total on any input, linear in its length: every expression
 * is anchored to the begin of a line and bounded.
 */
export function normaliseDump(text: string): readonly DumpLine[] {
  const { lines, joined } = decodeTransport(text);
  const list: DumpLine[] = [];
  let fromLine = 1;
  let context = "";
  let host: string | undefined;
  lines.forEach((raw, index) => {
    const toLine = fromLine + (joined[index] ?? 1) - 1;
    const isLast = index === lines.length - 1;
    const isMoreBlank = raw === "" && list.at(-1)?.text === "" && list.at(-2)?.text === "";
    if (!isMoreBlank && (!isLast || raw !== "")) {
      const stripped = stripPrefixes(stripMarkup(raw));
      const heading = isBetweenRulers(lines, index)
        ? hostOfPrefix(stripped.text.trim())
        : hostOfHeading(stripped.text);
      const isArrow = stripped.text.trimStart().startsWith("==> ");
      const command = heading === undefined || isArrow ? commandOf(stripped.text) : undefined;
      if (command !== undefined) {
        // Commands pasted one under the other, without prompts, are all answered below the last.
        context =
          command.bare && list.at(-1)?.isCommand === true ? `${context}\n${command.text}` : command.text;
        host = hostOfPrompt(stripped.text, command.text) ?? host;
      }
      host = heading ?? host;
      list.push({
        index: list.length,
        text: stripped.text,
        fromLine,
        toLine,
        at: stripped.at,
        isCommand: command !== undefined || heading !== undefined,
        context,
        // The logger may be known by another name than the machine whose prompt stands above.
        host: hostOfPrefix(stripped.source) ?? host ?? hostOfPrefix(stripped.logger),
        mayBeCut: isLast,
      });
    }
    fromLine = toLine + 1;
  });
  return list;
}

/** A word alone between two rulers, as clush -b heads what a machine printed. */
function isBetweenRulers(lines: readonly string[], index: number): boolean {
  const isRuler = (line: string | undefined) => /^(?:-{5,100}|={5,100})\s*$/.test(line ?? "");
  return (
    isRuler(lines[index - 1]) &&
    isRuler(lines[index + 1]) &&
    /^\s*[a-z][\w.-]{1,100}\s*$/i.test(lines[index] ?? "")
  );
}

/** Fences, bold, inline code and escapes of Markdown; `{code}` of issue trackers. Kernel text has none of these. */
function stripMarkup(text: string): string {
  if (
    /^\s{0,8}(?:>\s?)*\s*(?:`{3,}|~{3,})/.test(text) ||
    /^\s*\{(?:code|noformat)[^}]{0,40}\}\s*$/.test(text)
  )
    return "";
  return text
    .replace(/\*\*|`/g, "")
    .replace(/\\([_*#[\]~<>-])/g, "$1")
    .trimEnd();
}

/** What a line runs or announces, or `undefined` when it is output. A bare prompt announces nothing. */
function commandOf(text: string): { readonly text: string; readonly bare: boolean } | undefined {
  if (text.length > 1000 || text.trim() === "") return undefined;
  for (const pattern of PROMPTS) {
    const match = pattern.exec(text);
    if (match) return { text: (match[1] ?? "").trim(), bare: false };
  }
  for (const pattern of BARE_COMMANDS) {
    const match = pattern.exec(text);
    if (match) return { text: (match[1] ?? text).trim(), bare: true };
  }
  return undefined;
}
