import { decodeTransport } from "./decode-transport.ts";
import type { DumpLine } from "./dump-line.ts";

const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const CLOCK = "\\d{2}:\\d{2}:\\d{2}(?:[.,]\\d{1,9})?";
const FOLLOWED_BY_KEY = "(?=\\s*[A-Z]\\w{0,40}(?:\\(\\w{1,10}\\))?:\\s*\\d)";

interface Prefix {
  readonly pattern: RegExp;
  /** Whether the first group is a time. */
  readonly time?: "clock" | "uptime";
}

/** What may stand before the text of a line, each anchored and bounded. They nest in any order, so all are tried again. */
const PREFIXES: readonly Prefix[] = [
  { pattern: /^(?:\s{0,40}>)+ ?/ },
  { pattern: /^\s{0,8}\|\s/ },
  { pattern: /^<\d{1,3}>/ },
  // Records of /dev/kmsg.
  { pattern: /^\d{1,3},\d{1,12},\d{1,16},[-c+][^;]{0,40};/ },
  {
    pattern: new RegExp(
      `^\\s{0,8}\\[?(\\d{4}-\\d{2}-\\d{2}[T ]${CLOCK}(?: ?(?:Z|UTC|[+-]\\d{2}:?\\d{2}))?)\\]?:?(?=\\s|$)`,
    ),
    time: "clock",
  },
  {
    pattern: new RegExp(
      `^\\s{0,8}\\[?(${DAY} ${MONTH} {1,2}\\d{1,2} ${CLOCK}(?: [A-Z]{3,4})? \\d{4})\\]?:?(?=\\s|$)`,
    ),
    time: "clock",
  },
  { pattern: new RegExp(`^\\s{0,8}(${MONTH} {1,2}\\d{1,2} ${CLOCK}) (?=\\S)`), time: "clock" },
  { pattern: new RegExp(`^\\s{0,8}\\[?(${CLOCK})\\]?${FOLLOWED_BY_KEY}`), time: "clock" },
  { pattern: /^\s{0,8}\[\s{0,8}(\d{1,9}\.\d{3,9})\] ?/, time: "uptime" },
  { pattern: /^\s{0,8}\[\s{0,8}[TC]\d{1,9}\] ?/ },
  // Some vendors print CPU, task and its number.
  { pattern: /^\s{0,8}\[\s{0,4}\d{1,4}:[^\]]{1,40}:\s{0,6}\d{1,9}\] ?/ },
  { pattern: /^\s{0,8}kern:\s{1,8}[a-z]{2,8}:\s{1,4}\[([^\]\s]{1,40})\]:\s?/, time: "clock" },
  { pattern: /^\s{0,8}[a-z]{2,8}\s{0,4}:[a-z]{2,8}\s{0,6}:\s{1,4}(?=\[)/ },
  { pattern: /^\s{0,8}(?:kern|user|daemon|syslog)\.[a-z]{2,8}\s/ },
  { pattern: /^\s{0,8}(?:[\w.-]{1,64} )?kernel: ?/ },
  { pattern: /^\s{0,8}(?:[\w.-]{1,64} )?[\w.-]{1,40}\[\d{1,9}\]: / },
  {
    pattern: new RegExp(`^[IWEF]\\d{4} (${CLOCK})\\s{1,8}\\d{1,9} [\\w.-]{1,60}:\\d{1,6}\\] `),
    time: "clock",
  },
  { pattern: /^\s{0,8}\d{1,6}(?::|\t)\s{0,8}(?=[A-Za-z(#])/ },
  { pattern: new RegExp(`^\\/(?:proc|sys)\\/[\\w./-]{1,100}:${FOLLOWED_BY_KEY}`) },
  { pattern: new RegExp(`^\\s{0,8}[\\w.-]{1,63}:${FOLLOWED_BY_KEY}`) },
  { pattern: new RegExp(`^\\s{0,8}[-+*•]\\s{1,4}${FOLLOWED_BY_KEY}`) },
];

/** Long enough for every prefix above together. */
const PREFIX_REGION = 400;
const MOST_PREFIXES = 8;

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
  lines.forEach((raw, index) => {
    const toLine = fromLine + (joined[index] ?? 1) - 1;
    const isLast = index === lines.length - 1;
    const isMoreBlank = raw === "" && list.at(-1)?.text === "" && list.at(-2)?.text === "";
    if (!isMoreBlank && (!isLast || raw !== "")) {
      const stripped = stripPrefixes(stripMarkup(raw));
      const command = commandOf(stripped.text);
      if (command !== undefined) {
        // Commands pasted one under the other, without prompts, are all answered below the last.
        context =
          command.bare && list.at(-1)?.isCommand === true ? `${context}\n${command.text}` : command.text;
      }
      list.push({
        index: list.length,
        text: stripped.text,
        fromLine,
        toLine,
        at: stripped.at,
        isCommand: command !== undefined,
        context,
        mayBeCut: isLast,
      });
    }
    fromLine = toLine + 1;
  });
  return list;
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

function stripPrefixes(text: string): { readonly text: string; readonly at: string | undefined } {
  let rest = text;
  let at: string | undefined;
  for (let round = 0; round < MOST_PREFIXES; round += 1) {
    const region = rest.slice(0, PREFIX_REGION);
    const found = PREFIXES.map((prefix) => ({ prefix, match: prefix.pattern.exec(region) })).find(
      ({ match }) => match !== null && match[0] !== "",
    );
    const match = found?.match;
    if (!match) break;
    const time = match[1];
    if (time !== undefined && found?.prefix.time === "clock") at = time;
    if (time !== undefined && found?.prefix.time === "uptime") at ??= `${time} s after boot`;
    rest = rest.slice(match[0].length);
  }
  return { text: rest, at };
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
