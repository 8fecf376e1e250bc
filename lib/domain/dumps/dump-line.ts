/** One line of a paste without what people, mailers and loggers put around it. */
export interface DumpLine {
  /** Place in the list of all lines, from 0. Neighbours in the paste are neighbours here. */
  readonly index: number;
  /** What the tool or the kernel printed: no quote marks, log prefixes, mark-up; leading blanks are kept. */
  readonly text: string;
  /** Line of the paste, counted from 1; the first one where a mailer had wrapped the line. */
  readonly fromLine: number;
  readonly toLine: number;
  /** Time in the prefix as it was printed, in whatever zone that was; `N s after boot` for kernel time stamps. */
  readonly at: string | undefined;
  /** A prompt with a command, a path between arrows or a heading with a path: it says what follows, it is no data. */
  readonly isCommand: boolean;
  /** The nearest such line at or above this one; empty when there is none. */
  readonly context: string;
  /** The machine it is of, where a prompt or a heading above, or a name before the line, says so. */
  readonly host: string | undefined;
  /** True for the last line of a text that does not end with a line end: what stands at its end may be cut. */
  readonly mayBeCut: boolean;
}

/** No row of a table is longer; a text without line ends must not meet expressions made for rows. */
const LONGEST_ROW = 2000;

/** The text of a line as a row of a table; empty for commands and for what is too long to be one. */
export function rowOf(line: DumpLine): string {
  return line.text.length > LONGEST_ROW ? "" : dataOf(line);
}

/**
 * The text of a line as data; empty for commands. A number at the very end of a longer text that has no final line end
 * may have lost digits (`12` of `1288`), so it is left out.
 */
export function dataOf(line: DumpLine): string {
  if (line.isCommand) return "";
  return endsInCutNumber(line) ? line.text.replace(/[\d.,]{1,40}$/, "") : line.text;
}

/** Whether the line's last number cannot be trusted. A paste of one line is taken at its word. */
export function endsInCutNumber(line: DumpLine): boolean {
  return line.mayBeCut && line.index > 0 && /\d$/.test(line.text);
}

/** No command is longer that a person reads. */
const LONGEST_CONTEXT = 300;

/** Whether the command or path above a line is what a pattern looks for. */
export function contextNames({ context }: DumpLine, pattern: RegExp): boolean {
  return context !== "" && context.length <= LONGEST_CONTEXT && pattern.test(context.trim());
}

/** Where the line with this index is, or would be, in a list from which lines were taken. They keep their order. */
export function placeOf(index: number, lines: readonly DumpLine[]): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.index ?? Infinity) < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The line right below another one, unless it was taken. */
export function lineAfter(line: DumpLine, lines: readonly DumpLine[]): DumpLine | undefined {
  const next = lines[placeOf(line.index + 1, lines)];
  return next?.index === line.index + 1 ? next : undefined;
}
