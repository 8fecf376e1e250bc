/**
 * Undoes what carried the text, before it is cut into lines: byte order mark, terminal colours, carriage returns,
 * quoted-printable, HTML, JSON strings, special blanks. Line numbers stay those of the paste: `joined` counts, for each
 * line that is left, how many lines of the paste it was made of.
 */
export function decodeTransport(text: string): {
  readonly lines: readonly string[];
  readonly joined: readonly number[];
} {
  const plain = text
    .replace(/^\uFEFF/, "")
    .replace(/\u001B(?:\[[0-9;?]{0,20}[A-Za-z]|\][^\u0007\n]{0,200}\u0007|[()][A-Z0-9])/g, "")
    .replace(/\r\n?/g, "\n");
  const source = plain.split("\n");
  const { lines, joined } = isQuotedPrintable(plain)
    ? joinSoftBreaks(source)
    : { lines: source, joined: source.map(() => 1) };
  return { lines: lines.map(plainBlanks), joined };
}

/** In quoted-printable every `=` is followed by two hex digits or a line end; `=3D` or `=C2=A0` prove that it is. */
function isQuotedPrintable(text: string): boolean {
  if (!/=3D|=C2=A0|=20\n|=E2=80/.test(text)) return false;
  let encoded = 0;
  let bare = 0;
  for (const match of text.matchAll(/=([0-9A-F]{2}|[ \t]{0,20}\n|$)?/g)) {
    if (match[1] === undefined) bare += 1;
    else encoded += 1;
  }
  return bare * 20 <= encoded;
}

function joinSoftBreaks(source: readonly string[]): { lines: string[]; joined: number[] } {
  const lines: string[] = [];
  const joined: number[] = [];
  let parts: string[] = [];
  source.forEach((line, index) => {
    const soft = /=[ \t]{0,20}$/.test(line) && index < source.length - 1;
    parts.push(soft ? line.replace(/=[ \t]{0,20}$/, "") : line);
    if (soft) return;
    lines.push(parts.join("").replace(/(?:=[0-9A-F]{2})+/g, decodeRun));
    joined.push(parts.length);
    parts = [];
  });
  return { lines, joined };
}

function decodeRun(run: string): string {
  try {
    return decodeURIComponent(run.replaceAll("=", "%"));
  } catch {
    return run;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  nbsp: " ",
  "#39": "'",
};

function plainBlanks(line: string): string {
  return (
    line
      // Narrow no-break spaces group digits in some locales; all other special blanks stand between columns.
      .replace(/(\d)[\u202F\u2009](?=\d{3}(?!\d))/g, "$1")
      .replace(/[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/g, " ")
      .replace(/[\u200B-\u200F\u2060\uFEFF\u0000]/g, "")
      .replace(/&(lt|gt|amp|quot|nbsp|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole)
      .replace(/<\/?(?:pre|code|tt|b|strong|i|em|br|p|span)(?: [^<>]{0,200})?\/?>/gi, "")
  );
}
