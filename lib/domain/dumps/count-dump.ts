import type { Artefact, Recogniser } from "./artefact.ts";
import { contextNames, rowOf, type DumpLine } from "./dump-line.ts";
import { runsOf } from "./samples.ts";

const NUMBER = /^\s*(\d{1,12})\s*$/;
/** A list of many commands says nothing about one line. */
const LONGEST_COMMAND = 2000;
/** What prints one number. */
const COUNTS = /\|\s*wc -l\b|\bgrep -[a-zA-Z]*c/;

/**
 * Numbers that commands counted, in the order of the commands: files and directories (`find ... -type d | wc -l`,
 * `ls | wc -l`), threads (`ps -eL | wc -l`), zombies (`ps -eo stat | grep -c ^Z`, `ps -eo stat | sort | uniq -c`). Other counts are known as such and
 * give no fact.
 */
export const countDump: Recogniser = {
  kind: "file count",
  recognise(lines) {
    const balloons = lines.flatMap(balloonOf);
    let waiting: string[] = [];
    const states = runsOf(lines, (line) => STATE.test(rowOf(line)) && isListOfStates(line)).map(zombiesOf);
    const counted = lines.flatMap((line): readonly Artefact[] => {
      if (line.isCommand) waiting = countersIn(line.context);
      const value = NUMBER.exec(rowOf(line))?.[1];
      const counter = value === undefined ? undefined : waiting.shift();
      return counter === undefined ? [] : [artefactOf(counter, Number(value), line)];
    });
    return [...states, ...balloons, ...counted];
  },
};

/** `31234 Z`, `12 S<l+`: how many processes are in a state. */
const STATE = /^\s*(\d{1,9})\s+([RSDTtZXIWKP])[<NLsl+]{0,5}\s*$/;

function isListOfStates({ context }: DumpLine): boolean {
  return context.length <= LONGEST_COMMAND && /\bps\b.*\|\s*uniq -c/.test(context);
}

/** A list that is cut by head may leave zombies out, so that none is not shown by it. */
function zombiesOf(run: readonly DumpLine[]): Artefact {
  let zombies: number | undefined = run.some(({ context }) => /\bhead\b|\btail\b|grep/.test(context))
    ? undefined
    : 0;
  for (const line of run) {
    const [, count, state] = STATE.exec(rowOf(line)) ?? [];
    if (state === "Z") zombies = (zombies ?? 0) + Number(count);
  }
  return {
    kind: "zombie count",
    lines: run,
    facts: new Map(zombies === undefined ? [] : [["zombies_count", zombies]]),
    warnings: [],
  };
}

/** `vmware-toolbox-cmd stat balloon` prints MB of 1,048,576 bytes. */
function balloonOf(line: DumpLine): readonly Artefact[] {
  const mib = /^\s*(\d{1,9}) MB\s*$/.exec(rowOf(line))?.[1];
  if (mib === undefined || !contextNames(line, /vmware-toolbox-cmd stat balloon/)) return [];
  return [
    { kind: "balloon", lines: [line], facts: new Map([["balloon", Number(mib) * 1024]]), warnings: [] },
  ];
}

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
