/** What was put in place of a name, and how often. */
export interface Replacement {
  readonly kind: "node" | "host" | "user" | "cluster" | "label" | "address" | "identifier";
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

export interface RedactedText {
  readonly text: string;
  /** In the order of first use. */
  readonly replacements: readonly Replacement[];
}

/** Names that say nothing about whose machine it is, or that readers of dumps need. */
const KEPT: ReadonlySet<string> = new Set(
  (
    "root nobody daemon bin sys adm mail www-data messagebus systemd-network systemd-resolve systemd-timesync syslog polkitd chrony " +
    "localhost localdomain kernel kubelet containerd crio dockerd systemd host node user name memory slab cache total free " +
    "Mem Swap Node Linux GNU master worker none unknown USER PID NAME effect pin local anonymous plumbline"
  ).split(" "),
);
const KEPT_IN_ANY_CASE: ReadonlySet<string> = new Set([...KEPT].map((name) => name.toLowerCase()));
/** The kernel's own words that hold a hyphen: a machine named `vm` is not meant by `total-vm`. */
const KERNEL_WORDS = /^(?:total-vm|(?:anon|file|shmem)-rss|kernel-stack|page-tables?)$/;
const LONGEST_LINE = 4000;
const NAME = "[A-Za-z_][\\w.-]{0,62}";
const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";

/** Where names of users and hosts stand in a line; each anchored or bounded, so that the search is linear. */
const PLACES: readonly { readonly pattern: RegExp; readonly kinds: readonly ("user" | "host")[] }[] = [
  // Prompts and addresses of mail: user@host.
  { pattern: new RegExp(`(?<![\\w.@-])(${NAME})@([A-Za-z0-9][\\w.-]{0,252})`, "g"), kinds: ["user", "host"] },
  // The kernel's log as syslog and journald keep it.
  {
    pattern: new RegExp(
      `^(?:<\\d{1,3}>)?\\s{0,4}${MONTH} {1,2}\\d{1,2} \\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})? ([A-Za-z0-9][\\w.-]{0,62}) [\\w./-]{1,60}(?:\\[\\d{1,9}\\])?:`,
    ),
    kinds: ["host"],
  },
  {
    pattern:
      /^\s{0,4}\d{4}-\d{2}-\d{2}[T ][\d:.,]{5,20}(?:Z|[+-]\d{2}:?\d{2})? ([A-Za-z0-9][\w.-]{0,62}) [\w./-]{1,60}(?:\[\d{1,9}\])?:/,
    kinds: ["host"],
  },
  // uname -a, hostnamectl, kubectl.
  { pattern: /^\s{0,8}Linux ([A-Za-z0-9][\w.-]{0,62}) \d+\.\d+/, kinds: ["host"] },
  {
    pattern:
      /^\s{0,8}(?:static hostname|hostname|host|nodename|node|node name|kubernetes\.io\/hostname)\s{0,4}[:=]\s{0,8}"?([A-Za-z][\w.-]{0,252})"?\s*$/i,
    kinds: ["host"],
  },
  // Clouds name machines by their address.
  { pattern: /(?<![\w.-])(ip(?:-\d{1,3}){4})(?![\w-])/g, kinds: ["host"] },
  { pattern: /\bnodes?\/([A-Za-z0-9][\w.-]{0,252})/g, kinds: ["host"] },
  // Homes, owners, identities.
  { pattern: /\/(?:home|Users)\/([A-Za-z_][\w.-]{0,31})/g, kinds: ["user"] },
  {
    pattern:
      /^\s{0,4}[-dlbcps][rwxsStT-]{9}[+.@]?\s{1,6}\d{1,6}\s{1,6}([A-Za-z_][\w.-]{0,31})\s{1,6}([A-Za-z_][\w.-]{0,31})\s/,
    kinds: ["user", "user"],
  },
  { pattern: /\b(?:uid|gid|groups)=\d{1,10}\(([A-Za-z_][\w.-]{0,31})\)/g, kinds: ["user"] },
];

/** Tables whose first column is a name, by their head. */
const TABLES: readonly { readonly head: RegExp; readonly kind: "user" | "host" }[] = [
  { head: /^\s{0,4}USER\s{1,20}PID\b/, kind: "user" },
  { head: /^\s{0,4}NAME\s{1,200}CPU\(cores\)\s{1,20}CPU%/, kind: "host" },
  { head: /^\s{0,4}NAME\s{1,200}STATUS\s{1,20}ROLES\b/, kind: "host" },
];

/** Replaces names in texts one after the other, the same for the same in all of them. */
export interface Redactor {
  /**
   * Replaces this name wherever it stands; nodes get their numbers in the order in which they are made known. What is known already
   * stays of its kind: the value of a label is often the name of a node.
   */
  know(kind: "node" | "user" | "cluster" | "label", name: string): void;
  /** Looks for names where they stand as such, to replace them throughout what is redacted after that. */
  learn(text: string): void;
  redact(text: string): string;
  /** What was replaced so far, in the order of first use. */
  replacements(): Replacement[];
}

type NameKind = Exclude<Replacement["kind"], "address" | "identifier">;

/** Begins with no name known. Total on any text, linear in its length. */
export function createRedactor(): Redactor {
  /** Names found in texts, which have to be spelt alike: a reading must not change for a user who is called `active`. */
  const names = new Map<string, { readonly kind: NameKind; readonly to?: string }>();
  /** Names that the program knows, in small letters: people and other programs write them in any case. */
  const known = new Map<string, { readonly kind: NameKind; readonly name: string; readonly to?: string }>();
  /** Of those, the ones that are no single word of letters, digits, dots, hyphens and underscores. */
  const phrases = new Map<string, { readonly kind: NameKind; readonly name: string; readonly to?: string }>();
  /** With what names begin, up to the first sign that a longer word may go on behind, in small letters. */
  const begins = new Set<string>();
  const beginWith = (name: string) => begins.add(name.toLowerCase().split(/[._-]/, 1)[0] ?? "");
  let phrase: RegExp | undefined;
  const made = new Map<string, { kind: Replacement["kind"]; to: string; count: number }>();
  const numbers = {
    node: 0,
    host: 0,
    user: 0,
    cluster: 0,
    label: 0,
    ipv4: 0,
    ipv6: 0,
    mac: 0,
    identifier: 0,
  };
  const next = (kind: NameKind) => `${kind}-${(numbers[kind] += 1)}`;
  const replace = (kind: Replacement["kind"], from: string, make: () => string): string => {
    const use = made.get(from) ?? { kind, to: make(), count: 0 };
    use.count += 1;
    made.set(from, use);
    return use.to;
  };
  const nameFor: NameFor = (name, isPartOfWord) => {
    const own = known.get(name.toLowerCase());
    if (isPartOfWord && own?.kind !== "node") return undefined;
    if (own !== undefined) return replace(own.kind, own.name, () => own.to ?? next(own.kind));
    const found = names.get(name);
    return found && replace(found.kind, name, () => found.to ?? next(found.kind));
  };
  const redactWords = (text: string) =>
    text
      .replace(IDENTIFIER, (found) => {
        const plain = found.toLowerCase().replaceAll("_", "-");
        return inFormOf(
          found,
          replace("identifier", plain, () => identifierLike(plain, (numbers.identifier += 1))),
        );
      })
      .replace(MAC, (address) => replace("address", address, () => macOf((numbers.mac += 1))))
      .replace(IPV6, (address) =>
        address === "::1" || !isIpv6(address)
          ? address
          : replace("address", address, () => `2001:db8::${(numbers.ipv6 += 1).toString(16)}`),
      )
      .replace(IPV4, (address) =>
        isPrivateToAll(address) ? address : replace("address", address, () => ipv4Of((numbers.ipv4 += 1))),
      )
      .replace(/[A-Za-z0-9_][\w.-]*/g, (token) =>
        names.size + known.size === 0 ? token : redactToken(token, nameFor, begins),
      );
  return {
    know: (kind, written) => {
      // A letter with its accent may be written as one sign or as two.
      const name = written.normalize("NFC");
      const key = name.toLowerCase();
      if (!isName(name) || KEPT_IN_ANY_CASE.has(key)) return;
      if ((kind === "cluster" || kind === "label") && (known.has(key) || phrases.has(key))) return;
      const made = { kind, name, ...(kind === "node" && { to: next(kind) }) };
      const { to } = made;
      if (!/^[A-Za-z0-9_][\w.-]*$/.test(name)) {
        phrases.set(key, made);
        phrase = undefined;
        return;
      }
      known.set(key, made);
      beginWith(name);
      const short = name.split(".")[0] ?? "";
      // The same machine under its short name.
      if (to !== undefined && short !== name && short.length > 2 && isName(short)) {
        const shortKey = short.toLowerCase();
        if (!known.has(shortKey)) known.set(shortKey, { kind, name: short, to });
      }
    },
    learn: (text) => {
      for (const [name, kind] of findNames(text.normalize("NFC").split("\n"))) {
        if (!names.has(name)) names.set(name, { kind });
        beginWith(name);
      }
    },
    redact: (text) => {
      phrase ??= anyOf([...phrases.keys()]);
      return text
        .normalize("NFC")
        .split("\n")
        .map((line) =>
          line
            .split(phrase ?? NOTHING)
            .map((part, at) => {
              if (at % 2 === 0) return redactWords(part);
              // Small letters are not told apart by all scripts as the search tells them: then it is a name of its own.
              const { kind, name, to } = phrases.get(part.toLowerCase()) ?? {
                kind: "user" as const,
                name: part,
                to: undefined,
              };
              return replace(kind, name, () => to ?? next(kind));
            })
            .join(""),
        )
        .join("\n");
    },
    replacements: () => [...made].map(([from, { kind, to, count }]) => ({ kind, from, to, count })),
  };
}

/** Matches no text. */
const NOTHING = /(?!)/;

/** Any of some names, the longest first, where no letter and no digit stands beside it; undefined for none. */
function anyOf(texts: readonly string[]): RegExp | undefined {
  if (texts.length === 0) return undefined;
  const escaped = texts
    .toSorted((a, b) => b.length - a.length)
    .map((each) => each.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return new RegExp(`(?<![\\p{L}\\p{N}])(${escaped.join("|")})(?![\\p{L}\\p{N}])`, "iu");
}

/**
 * Puts names of documentation in place of host names, user names and addresses, the same for the same everywhere, and
 * leaves everything else as it is: a reading of the text does not change. Finds names where they stand as such (prompts,
 * logs, `uname -a`, owners, tables of kubectl) and then replaces them throughout. Total on any text, linear in its length.
 * It cannot know every name: who shares a text looks it through.
 */
export function redactText(text: string): RedactedText {
  const redactor = createRedactor();
  redactor.learn(text);
  return { text: redactor.redact(text), replacements: redactor.replacements() };
}

const IPV4 = /(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\d)/g;
const IPV6 = /(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![\w:])/g;
const MAC = /(?<![\w:-])(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}(?![\w:-])/g;

/**
 * What names one pod, container, boot or machine for good: UUIDs, also as slices have them, and hexadecimal ids of 32 or 64 digits;
 * alone, or behind `pod`.
 */
const IDENTIFIER =
  /(?<=\bpod|_pod|(?<![0-9A-Za-z]))(?:[0-9A-Fa-f]{8}(?:[-_][0-9A-Fa-f]{4}){3}[-_][0-9A-Fa-f]{12}|[0-9A-Fa-f]{64}|[0-9A-Fa-f]{32})(?![0-9A-Za-z])/g;

/** A number with as many digits, and gaps where they were. */
function identifierLike(found: string, number: number): string {
  const plain = number.toString(16).padStart(found.replaceAll("-", "").length, "0");
  let at = 0;
  return found.replace(/[^-]/g, () => plain[at++] ?? "0");
}

/** What replaces an identifier, with the gaps of the one that stands there. */
function inFormOf(found: string, to: string): string {
  return found.includes("_") ? to.replaceAll("-", "_") : to;
}

/** 0.0.0.0 and loopback are everybody's; numbers above 255 are no address. */
function isPrivateToAll(address: string): boolean {
  const parts = address.split(".").map(Number);
  return parts.some((part) => part > 255) || parts[0] === 127 || parts.every((part) => part === 0);
}

/** Times look alike: an address has a gap, all eight groups, or a letter. */
function isIpv6(text: string): boolean {
  return /::/.test(text) ? /[0-9A-Fa-f]/.test(text) : text.split(":").length === 8;
}

/** Addresses that are set aside for documentation (RFC 5737), 254 a net. */
function ipv4Of(number: number): string {
  const nets = ["192.0.2", "198.51.100", "203.0.113"];
  const net = nets[Math.floor((number - 1) / 254)];
  return net === undefined ? `address-${number}` : `${net}.${((number - 1) % 254) + 1}`;
}

function macOf(number: number): string {
  const hex = number.toString(16).padStart(6, "0").slice(-6);
  return `02:00:00:${hex.slice(0, 2)}:${hex.slice(2, 4)}:${hex.slice(4, 6)}`;
}

/** Of one name: a longer one is found in no longer word. */
const MOST_SEGMENTS = 16;

/** What stands for a name; within a word that goes on behind an underscore only nodes are looked for: `slab_info` is no user. */
type NameFor = (name: string, isPartOfWord: boolean) => string | undefined;
/** A domain behind the name of a machine says whose it is. */
const DOMAIN = /^(?:\.[A-Za-z0-9-]+)+\.[A-Za-z]{2,63}(?=\.?$)/;

/**
 * A name may stand within a longer word: node-7-eth0, node-7_eth0, node-7.example. The longest part that is a name is replaced, with
 * the domain behind it.
 */
function redactToken(token: string, nameFor: NameFor, begins: ReadonlySet<string>): string {
  const whole = nameFor(token, false);
  if (whole !== undefined) return whole;
  if (KERNEL_WORDS.test(token)) return token;
  const parts = token.split(/([._-])/);
  if (parts.length === 1) return token;
  let out = "";
  for (let from = 0; from < parts.length;) {
    let taken = from + 1;
    let put = parts[from] ?? "";
    const longest = begins.has(put.toLowerCase())
      ? Math.min(parts.length, from + 2 * MOST_SEGMENTS - 1)
      : from;
    for (let to = longest; to > from; to -= 1) {
      const isPartOfWord = parts[from - 1] === "_" || parts[to] === "_";
      const name = nameFor(parts.slice(from, to).join(""), isPartOfWord);
      if (name === undefined) continue;
      [put, taken] = [name, to];
      break;
    }
    out += put;
    from = taken;
    if (parts.length - from > 2 * MOST_SEGMENTS || !/^(?:node|host)-\d+$/.test(put)) continue;
    const rest = parts.slice(from).join("");
    if (DOMAIN.test(rest)) return out + rest.replace(DOMAIN, "");
  }
  return out;
}

function findNames(lines: readonly string[]): ReadonlyMap<string, "user" | "host"> {
  const names = new Map<string, "user" | "host">();
  const add = (kind: "user" | "host", found: string | undefined) => {
    const name = found?.replace(/[.-]+$/, "") ?? "";
    if (!isName(name)) return;
    if (!names.has(name)) names.set(name, kind);
    const short = name.split(".")[0] ?? "";
    if (kind === "host" && short !== name && short.length > 2 && isName(short) && !names.has(short))
      names.set(short, kind);
  };
  let column: "user" | "host" | undefined;
  for (const line of lines) {
    if (line.length > LONGEST_LINE) continue;
    const table = TABLES.find(({ head }) => head.test(line));
    if (table) column = table.kind;
    else if (line.trim() === "") column = undefined;
    else if (column !== undefined) {
      const [, first, rest = ""] = /^\s{0,4}([A-Za-z_][\w.+-]{0,252})(\s{1,200}\S.{0,40})?/.exec(line) ?? [];
      if (/\d/.test(rest) || /Ready/.test(rest)) add(column, first?.replace(/\+$/, ""));
      else column = undefined;
    }
    for (const { pattern, kinds } of PLACES) {
      const matches = pattern.global ? line.matchAll(pattern) : [pattern.exec(line)];
      for (const match of matches) kinds.forEach((kind, at) => add(kind, match?.[at + 1]));
    }
  }
  return names;
}

/** Short and everyday words, and numbers, would be replaced where they are no names. */
function isName(name: string): boolean {
  return name.length > 1 && !KEPT.has(name) && !/^[\d.]+$/.test(name) && !/^(?:proc|sys|dev)$/.test(name);
}
