/** One line without its line end. */
export interface Line {
  readonly text: string;
  /** Counted from 1. */
  readonly lineNumber: number;
  /**
   * Whether a line end followed. The kernel ends every line; a last line without one may have been cut, so a number
   * that stands at its very end is not trusted: `12` may have been `1288`. Whoever knows that the text is whole but
   * lost its final line end (a trimmed paste) adds one before parsing.
   */
  readonly terminated: boolean;
}

/** The lines of a text in one pass, LF or CRLF. An empty rest after the final line end is no line. */
export function* scanLines(text: string): Generator<Line, void, undefined> {
  let start = 0;
  let lineNumber = 0;
  while (start < text.length) {
    const newline = text.indexOf("\n", start);
    const terminated = newline !== -1;
    const end = terminated ? newline : text.length;
    const contentEnd = end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
    lineNumber += 1;
    yield { text: text.slice(start, contentEnd), lineNumber, terminated };
    start = end + 1;
  }
}

/** The parts of a line between runs of white space; none for a blank line. */
export function splitFields(text: string): string[] {
  const trimmed = text.trim();
  return trimmed === "" ? [] : trimmed.split(/\s+/);
}
