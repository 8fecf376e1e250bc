/** One file of a raw body. */
export interface RawPart {
  /** The name between the arrows, as `tail` printed it. */
  readonly name: string;
  readonly text: string;
}

/** What was read at one time. */
export interface RawSample {
  /** The time on the line that starts the sample, unchecked; absent for what stands before the first such line. */
  readonly at: string | undefined;
  readonly parts: readonly RawPart[];
  /** What `tail`, `cat` or a shell said about files that they could not read. */
  readonly messages: readonly string[];
}

const ARROW = "==> ";
const END = " <==";
const CARRIAGE_RETURN = 13;
const LONGEST_NAME = 4096;
/** Of one sample; further ones are passed over. */
const MOST_PARTS = 256;
const SAMPLE = /^plumbline sample(?: at=(\S*))?$/;
const ERRORS = "plumbline errors";

const REASON =
  /permission denied|operation not permitted|no such file or directory|no such device|not a directory|input\/output error|operation not supported/i;
/** `tail: cannot open '/proc/x' for reading: Permission denied`, and the likes of busybox, cat and the shells. */
const MESSAGE = /^[\w./+-]{1,64}: \S.*$/;
const LONGEST_MESSAGE = 500;
const MOST_MESSAGES = 200;

/**
 * Takes apart what `tail -n +1 FILE FILE ...` prints: `==> path <==` before each file. A line `==> plumbline sample at=TIME <==`
 * starts a further sample. As `tail` writes it, the line end before a header belongs to the header: a file whose own last line
 * end is missing thus stays recognisable as cut. Messages of the programs that read, which `2>&1` mixes in, are taken out, with an
 * empty line in their place. Total on any text; one pass.
 */
export function splitRawText(text: string): RawSample[] {
  const samples: RawSample[] = [];
  let parts: RawPart[] = [];
  let messages: string[] = [];
  let at: string | undefined;
  let name: string | undefined;

  const endPart = (content: string): void => {
    if (name === undefined || name === ERRORS) {
      for (const line of content.split("\n")) note(messages, line);
    } else if (parts.length < MOST_PARTS) parts.push({ name, text: withoutMessages(content, messages) });
  };
  const endSample = (): void => {
    if (parts.length > 0 || at !== undefined) samples.push({ at, parts, messages });
  };

  let contentStart = 0;
  for (let header = nextHeader(text, 0); header !== undefined; header = nextHeader(text, header.end)) {
    endPart(text.slice(contentStart, Math.max(contentStart, header.start - 1)));
    contentStart = header.end;
    const sample = SAMPLE.exec(header.name);
    if (sample === null) {
      name = header.name;
      continue;
    }
    endSample();
    [parts, messages, at, name] = [[], [], sample[1] ?? "", undefined];
  }
  endPart(text.slice(contentStart));
  endSample();
  return samples;
}

interface Header {
  name: string;
  /** Of the line, and of what follows it. */
  start: number;
  end: number;
}

/** The first header at or after `from`, which is the start of a line. */
function nextHeader(text: string, from: number): Header | undefined {
  for (let start = nextArrow(text, from); start !== -1;) {
    const newline = text.indexOf("\n", start);
    const next = newline === -1 ? text.length : newline + 1;
    const end = newline === -1 ? text.length : newline;
    const lineEnd = text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end;
    if (lineEnd - start <= LONGEST_NAME && text.slice(start, lineEnd).endsWith(END)) {
      return { name: text.slice(start + ARROW.length, lineEnd - END.length), start, end: next };
    }
    start = nextArrow(text, next);
  }
  return undefined;
}

function nextArrow(text: string, lineStart: number): number {
  if (text.startsWith(ARROW, lineStart)) return lineStart;
  const before = text.indexOf(`\n${ARROW}`, lineStart);
  return before === -1 ? -1 : before + 1;
}

function withoutMessages(content: string, messages: string[]): string {
  if (!REASON.test(content)) return content;
  return content
    .split("\n")
    .map((line) => (REASON.test(line) && note(messages, line) ? "" : line))
    .join("\n");
}

/** Keeps a line when it is a message; true when it is one. */
function note(messages: string[], line: string): boolean {
  const trimmed = line.trim().slice(0, LONGEST_MESSAGE);
  if (!MESSAGE.test(trimmed)) return false;
  if (messages.length < MOST_MESSAGES) messages.push(trimmed);
  return true;
}

/** What a message means for the file that it names: not there, not allowed, or there and not readable as it should be. */
export function explainMessage(message: string): "absent" | "denied" | "malformed" {
  if (/permission denied|operation not permitted/i.test(message)) return "denied";
  return /no such file or directory|no such device|not a directory|operation not supported/i.test(message)
    ? "absent"
    : "malformed";
}
