import type { Artefact, Recogniser } from "./artefact.ts";
import { rowOf, type DumpLine } from "./dump-line.ts";

const FILES: Readonly<Record<string, readonly string[]>> = {
  "dentry-state": ["dentries_total_count", "dentries_unused_count", "", "", "dentries_negative_count", ""],
  "file-nr": ["files_allocated_count", "", "files_max_count"],
  "inode-nr": ["inodes_total_count", "inodes_unused_count"],
  "inode-state": ["inodes_total_count", "inodes_unused_count", "", "", "", "", ""],
};
const NAMED = /(?:fs[./])?(dentry-state|file-nr|inode-nr|inode-state)\b/;
const NUMBERS = /^\s*(?:fs\.[a-z-]{6,14}\s*=\s*)?(\d{1,15}(?:\s+\d{1,20})+)\s*$/;
const SINGLE =
  /^\s*(?:(?:kernel|net|vm|fs)\.[\w.]{3,60}\s*=\s*|\/(?:proc\/)?sys\/[\w./-]{3,200}:\s*)?(\d{1,15})\s*$/;
/** A list of many commands says nothing about one line. */
const LONGEST_COMMAND = 2000;
const SINGLES: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/nf_conntrack_count/, "nf_conntrack_count"],
  [/nf_conntrack_max/, "nf_conntrack_max_count"],
  [/memory\.kmem\.usage_in_bytes/, "memory.kmem.usage"],
  [/memory\.usage_in_bytes/, "memory.usage"],
  [/memory\.current/, "memory.current"],
  [/cgroup\.max\.descendants/, "cgroup.max.descendants_count"],
];

/**
 * Files that are bare numbers: fs/dentry-state, file-nr, inode-nr, and single values. They are known only by the command
 * or path above them (or `sysctl` names). The fifth number of dentry-state counts negative dentries from 5.1 on and is a
 * constant 0 before, so a 0 there is left out.
 */
export const fsCountersDump: Recogniser = {
  kind: "kernel counters",
  recognise(lines) {
    const singles = singlesOf(lines);
    return lines.flatMap((line): readonly Artefact[] => {
      const text = rowOf(line);
      const single = SINGLE.exec(text)?.[1];
      if (single !== undefined) {
        const name = singles.get(line);
        if (name === undefined || /wc -l/.test(line.context)) return [];
        const value = name.endsWith("_count") ? Number(single) : Number(single) / 1024;
        return [
          { kind: name.replace(/_count$/, ""), lines: [line], facts: new Map([[name, value]]), warnings: [] },
        ];
      }
      const numbers = NUMBERS.exec(text)?.[1]?.split(/\s+/);
      if (numbers === undefined) return [];
      const ownNames = matchNames(text);
      const named = ownNames.length > 0 ? ownNames : matchNames(line.context);
      // Several files after one command are told apart by how many numbers they have, unless the line names its own.
      const file = named.find((name) => FILES[name]?.length === numbers.length);
      const columns = file === undefined ? undefined : FILES[file];
      if (file === undefined || columns === undefined) return [];
      const facts = new Map<string, number>();
      columns.forEach((name, column) => {
        const value = Number(numbers[column]);
        if (name !== "" && !(name === "dentries_negative_count" && value === 0)) facts.set(name, value);
      });
      return [{ kind: file, lines: [line], facts, warnings: [] }];
    });
  },
};

/**
 * What each bare number is: what its line names, else what the command above names. A command with several files is
 * answered in its order, a line for each; where lines are too few or too many nobody can tell which is which.
 */
function singlesOf(lines: readonly DumpLine[]): ReadonlyMap<DumpLine, string> {
  const names = new Map<DumpLine, string>();
  const unnamed = new Map<string, DumpLine[]>();
  for (const line of lines) {
    const text = rowOf(line);
    if (!SINGLE.test(text)) continue;
    const own = singleNameOf(text);
    if (own !== undefined) names.set(line, own);
    else if (!/[=:]/.test(text)) {
      const answers = unnamed.get(line.context);
      if (answers) answers.push(line);
      else unnamed.set(line.context, [line]);
    }
  }
  for (const [context, answers] of unnamed) {
    if (singleNameOf(context) === undefined || context.length > LONGEST_COMMAND) continue;
    const asked = context
      .split(/[\s;&|'"]+/)
      .filter((word) => /[/.]/.test(word) && !/^-|^\d?>|^\/dev\//.test(word));
    if (asked.length > 1 && (answers.length % asked.length !== 0 || asked.some((word) => /[*?{]/.test(word))))
      continue;
    answers.forEach((line, place) => {
      const name = singleNameOf(asked.length > 1 ? (asked[place % asked.length] ?? "") : context);
      if (name !== undefined) names.set(line, name);
    });
  }
  return names;
}

function singleNameOf(text: string): string | undefined {
  return SINGLES.find(([pattern]) => pattern.test(text))?.[1];
}

function matchNames(text: string): readonly string[] {
  return [...text.matchAll(new RegExp(NAMED, "g"))].map(([, name = ""]) => name);
}
