const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const CLOCK = "\\d{2}:\\d{2}:\\d{2}(?:[.,]\\d{1,9})?";
const ISO_TIME = `\\d{4}-\\d{2}-\\d{2}[T ]${CLOCK}(?: ?(?:Z|UTC|[+-]\\d{2}:?\\d{2}))?`;
const FOLLOWED_BY_KEY = "(?=\\s*[A-Z]\\w{0,40}(?:\\(\\w{1,10}\\))?:\\s*\\d)";

interface Prefix {
  readonly pattern: RegExp;
  /** Whether the first group is a time. */
  readonly time?: "clock" | "uptime";
  /** Whose the first group is the name: the logger's machine; the machine or file that a line with a key is of. */
  readonly host?: "logger" | "source";
}

/** What may stand before the text of a line, each anchored and bounded. They nest in any order, so all are tried again. */
const PREFIXES: readonly Prefix[] = [
  { pattern: /^(?:\s{0,40}>)+ ?/ },
  { pattern: /^\s{0,8}\|\s/ },
  { pattern: /^<\d{1,3}>/ },
  // Records of /dev/kmsg.
  { pattern: /^\d{1,3},\d{1,12},\d{1,16},[-c+][^;]{0,40};/ },
  {
    pattern: new RegExp(`^\\s{0,8}\\[?(${ISO_TIME})\\]?:?(?=\\s|$)`),
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
  { pattern: /^\s{0,8}(?:([\w.-]{1,64}) )?kernel: ?/, host: "logger" },
  { pattern: /^\s{0,8}(?:[\w.-]{1,64} )?[\w.-]{1,40}\[\d{1,9}\]: / },
  {
    pattern: new RegExp(`^[IWEF]\\d{4} (${CLOCK})\\s{1,8}\\d{1,9} [\\w.-]{1,60}:\\d{1,6}\\] `),
    time: "clock",
  },
  { pattern: /^\s{0,8}\d{1,6}(?::|\t)\s{0,8}(?=[A-Za-z(#])/ },
  { pattern: new RegExp(`^\\/(?:proc|sys)\\/[\\w./-]{1,100}:${FOLLOWED_BY_KEY}`) },
  { pattern: new RegExp(`^\\s{0,8}([\\w.-]{1,63}):${FOLLOWED_BY_KEY}`), host: "source" },
  // docker compose and loops of people: the name, a bar, perhaps a word on how it went.
  {
    pattern: new RegExp(
      `^\\s{0,4}([\\w.-]{1,63})\\s{1,30}\\|(?: {0,3}[A-Z]{2,12} {0,3}\\|)?${FOLLOWED_BY_KEY}`,
    ),
    host: "source",
  },
  // kubectl logs --prefix.
  { pattern: /^\[pod\/([\w.-]{1,100})\/[\w.-]{1,100}\] ?/, host: "source" },
  { pattern: new RegExp(`^\\s{0,8}[-+*•]\\s{1,4}${FOLLOWED_BY_KEY}`) },
];

/** What loggers write: a time, a machine, perhaps facility and severity, then who said it. */
const TAGGED = new RegExp(
  `^\\s{0,8}(?:<\\d{1,3}>)?(?:${MONTH} {1,2}\\d{1,2} ${CLOCK}|${ISO_TIME}) [\\w.-]{1,64} (?:[a-z]\\w{2,8}\\.[a-z]{2,8} )?` +
    `([^\\s:[]{1,64})(?:\\[\\d{1,9}\\])?:(?=\\s|$)`,
);
/** RFC 5424: version, time, machine, then who said it. */
const TAGGED_NEW = new RegExp(`^<\\d{1,3}>1 ${ISO_TIME} [\\w.-]{1,64} (\\S{1,48}) `);
/** A tag with the number of a process. */
const PROCESS = /^\s{0,8}(?:<\d{1,3}>)?(?:[\w.-]{1,64} )?([\w.-]{1,40})\[\d{1,9}\]: /;

/**
 * Whether a logger says that a program printed this line, not the kernel. `false` also where no logger says anything, as in
 * what dmesg prints. Anchored and bounded.
 */
export function isOfProgram(line: string): boolean {
  const region = line.slice(0, PREFIX_REGION);
  const tag = (TAGGED.exec(region) ?? TAGGED_NEW.exec(region) ?? PROCESS.exec(region))?.[1];
  return tag !== undefined && tag !== "kernel";
}

/** Long enough for every prefix above together. */
const PREFIX_REGION = 400;
const MOST_PREFIXES = 8;

/** A line without what stood before its text. */
export interface StrippedLine {
  readonly text: string;
  /** Time in the prefix as it was printed, in whatever zone that was; `N s after boot` for kernel time stamps. */
  readonly at: string | undefined;
  /** The machine that logged it. */
  readonly logger: string | undefined;
  /** The name of a machine, or of a file, that a tool put before it. */
  readonly source: string | undefined;
}

/** Takes away what mailers, loggers and tools put before a line of text. Anchored and bounded: linear in its length. */
export function stripPrefixes(text: string): StrippedLine {
  let rest = text;
  let at: string | undefined;
  let logger: string | undefined;
  let source: string | undefined;
  for (let round = 0; round < MOST_PREFIXES; round += 1) {
    const region = rest.slice(0, PREFIX_REGION);
    const found = firstPrefix(region);
    if (found === undefined) break;
    const { prefix, match } = found;
    if (prefix.host === "logger") logger ??= match[1];
    if (prefix.host === "source") source ??= match[1];
    const time = match[1];
    if (time !== undefined && prefix.time === "clock") at = time;
    if (time !== undefined && prefix.time === "uptime") at ??= `${time} s after boot`;
    rest = rest.slice(match[0].length);
  }
  return { text: rest, at, logger, source };
}

function firstPrefix(region: string): { prefix: Prefix; match: RegExpExecArray } | undefined {
  for (const prefix of PREFIXES) {
    const match = prefix.pattern.exec(region);
    if (match !== null && match[0] !== "") return { prefix, match };
  }
  return undefined;
}
