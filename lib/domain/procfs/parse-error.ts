import type { Line } from "./scan-lines.ts";

/** One line of kernel text that was not understood. The rest of the file is read all the same. */
export interface ParseError {
  /** The file as the caller named it, by default where the kernel puts it. */
  readonly path: string;
  /** Counted from 1. */
  readonly lineNumber: number;
  /** The line as it stood, cut to 200 characters. */
  readonly line: string;
  /** What a readable line would have held. */
  readonly expected: string;
}

/** What every parser returns: the record, as far as the text gives it, and the lines that gave nothing. */
export interface Parsed<T> {
  readonly value: T;
  /** At most 50; when there were more the last one says so. */
  readonly warnings: readonly ParseError[];
}

/** The warnings of one text while it is read. */
export interface Warnings {
  readonly list: readonly ParseError[];
  add(line: Line, expected: string): void;
}

const LONGEST_LINE = 200;
const MOST_WARNINGS = 50;

/** A megabyte of garbage is one finding, not a hundred thousand: the list is bounded, and so is each line in it. */
export function collectWarnings(path: string): Warnings {
  const list: ParseError[] = [];
  return {
    list,
    add(line, expected) {
      if (list.length >= MOST_WARNINGS) return;
      list.push({
        path,
        lineNumber: line.lineNumber,
        line: line.text.slice(0, LONGEST_LINE),
        expected: list.length === MOST_WARNINGS - 1 ? `${expected} (further lines are not listed)` : expected,
      });
    },
  };
}
