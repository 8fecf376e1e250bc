import type { Artefact, Recogniser } from "./artefact.ts";
import { rowOf, type DumpLine } from "./dump-line.ts";

const NUMBER = /^\s*(\d{1,12})\s*$/;
/** A list of many commands says nothing about one line. */
const LONGEST_COMMAND = 2000;
/** What prints one number. */
const COUNTS = /\|\s*wc -l\b|\bgrep -[a-zA-Z]*c/;

/**
 * Numbers that commands counted, in the order of the commands: files and directories (`find ... -type d | wc -l`,
 * `ls | wc -l`), threads (`ps -eL | wc -l`), zombies (`ps -eo stat | grep -c ^Z`). Other counts are known as such and
 * give no fact.
 */
export const countDump: Recogniser = {
  kind: "file count",
  recognise(lines) {
    let waiting: string[] = [];
    return lines.flatMap((line): readonly Artefact[] => {
      if (line.isCommand) waiting = countersIn(line.context);
      const value = NUMBER.exec(rowOf(line))?.[1];
      const counter = value === undefined ? undefined : waiting.shift();
      return counter === undefined ? [] : [artefactOf(counter, Number(value), line)];
    });
  },
};

function countersIn(context: string): string[] {
  if (context.length > LONGEST_COMMAND) return [];
  return context.split(/;|&&|\n/).filter((part) => COUNTS.test(part));
}

function artefactOf(counter: string, value: number, line: DumpLine): Artefact {
  const count = (kind: string, name?: string, shown = value, label?: string): Artefact => ({
    kind,
    lines: [line],
    facts: new Map(name === undefined ? [] : [[name, shown]]),
    label,
    warnings: [],
  });
  if (/\bps\b/.test(counter)) {
    if (/\bdefunct\b|\^?Z\b/.test(counter)) return count("zombie count", "zombies_count");
    const isOfThreads = /\bps\s+(?:-[a-zA-Z]*[eA][a-zA-Z]*L|-[a-zA-Z]*L[a-zA-Z]*[eA]|a?xH|axmH)/.test(
      counter,
    );
    if (!isOfThreads || /grep|awk|head|uniq/.test(counter)) return count("other count");
    const heading = /--no-headers?\b|-o\s+\w+=/.test(counter) ? 0 : 1;
    return count("thread count", "threads_count", value - heading);
  }
  if (!/\b(?:find|ls)\b/.test(counter) || !/\|\s*wc -l/.test(counter)) return count("other count");
  const name = /-type d\b/.test(counter) ? "directories_count" : "files_count";
  return count("file count", name, value, /\s(\/[\w./*-]{1,200})/.exec(counter)?.[1]);
}
