import type { DumpLine } from "./dump-line.ts";

/** A number that a line gives under a name. */
export interface Entry {
  readonly key: string;
  readonly value: number;
  readonly line: DumpLine;
}

/** Entries that were taken together. */
export interface Sample {
  readonly values: Map<string, number>;
  readonly lines: DumpLine[];
}

/**
 * Splits a sequence into samples: kernel files print each key once, so a key that comes again starts the next sample of
 * its machine. Lines of several machines may alternate.
 */
export function splitSamples(entries: Iterable<Entry>): readonly Sample[] {
  const samples: Sample[] = [];
  const ofHost = new Map<string | undefined, Sample>();
  for (const { key, value, line } of entries) {
    let current = ofHost.get(line.host);
    if (current === undefined || current.values.has(key)) {
      current = { values: new Map(), lines: [] };
      ofHost.set(line.host, current);
      samples.push(current);
    }
    current.values.set(key, value);
    if (current.lines.at(-1) !== line) current.lines.push(line);
  }
  return samples;
}

/** Consecutive lines that fit; blank lines between them do not end a run, anything else does. */
export function runsOf(
  lines: readonly DumpLine[],
  fits: (line: DumpLine) => boolean,
): readonly (readonly DumpLine[])[] {
  const runs: DumpLine[][] = [];
  let current: DumpLine[] | undefined;
  let next = -1;
  for (const line of lines) {
    if (fits(line)) {
      if (current === undefined || line.index !== next) runs.push((current = []));
      current.push(line);
      next = line.index + 1;
    } else if (line.text.trim() === "" && line.index === next) next += 1;
    else current = undefined;
  }
  return runs;
}
