import type { Parsed } from "#lib/domain/procfs/parse-error.ts";
import type { SourceStatus } from "./schema.ts";

/** How reading one source went, as it is sent. */
export interface SourceReport {
  status: SourceStatus;
  readMs?: number;
  detail?: string;
}

/** One file. `text` is there when the status is `ok` or `truncated`. */
export interface SourceText extends SourceReport {
  text?: string;
}

/** How each source went, by the name it has in the snapshot. Parsers add to it. */
export type Sources = Record<string, SourceReport>;

/**
 * Parses one text and notes how it went: `malformed` when nothing useful came out of it, with the first line that was
 * not understood in either case.
 */
export function takeSource<T, U>(
  sources: Sources,
  name: string,
  source: SourceText,
  parse: (text: string) => Parsed<T>,
  pick: (value: T) => U | undefined,
): U | undefined {
  const entry = reportOf(source);
  sources[name] = entry;
  if (source.status !== "ok" || source.text === undefined) return undefined;
  const { value, warnings } = parse(source.text);
  const picked = pick(value);
  const [first] = warnings;
  if (first !== undefined) {
    entry.detail = `${first.path} line ${first.lineNumber}: expected ${first.expected}`.slice(0, 300);
  }
  if (picked === undefined) {
    entry.status = "malformed";
    entry.detail ??= "holds nothing that can be used, or ends too early";
  }
  return picked;
}

/** What is sent about a file: all but its text. */
export function reportOf({ status, readMs, detail }: SourceText): SourceReport {
  const entry: SourceReport = { status };
  if (readMs !== undefined) entry.readMs = readMs;
  if (detail !== undefined) entry.detail = detail;
  return entry;
}
