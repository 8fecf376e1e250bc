import type { Artefact, Recogniser } from "./artefact.ts";
import { rowOf } from "./dump-line.ts";

const FILES: Readonly<Record<string, readonly string[]>> = {
  "dentry-state": ["dentries_total_count", "dentries_unused_count", "", "", "dentries_negative_count", ""],
  "file-nr": ["files_allocated_count", "", "files_max_count"],
  "inode-nr": ["inodes_total_count", "inodes_unused_count"],
  "inode-state": ["inodes_total_count", "inodes_unused_count", "", "", "", "", ""],
};
const NAMED = /(?:fs[./])?(dentry-state|file-nr|inode-nr|inode-state)\b/;
const NUMBERS = /^\s*(?:fs\.[a-z-]{6,14}\s*=\s*)?(\d{1,15}(?:\s+\d{1,20})+)\s*$/;
const SINGLE = /^\s*(?:(?:kernel|net|vm|fs)\.[\w.]{3,60}\s*=\s*)?(\d{1,15})\s*$/;
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
    return lines.flatMap((line): readonly Artefact[] => {
      const text = rowOf(line);
      const single = SINGLE.exec(text)?.[1];
      if (single !== undefined) {
        const name = SINGLES.find(([pattern]) => pattern.test(`${line.context} ${text}`))?.[1];
        if (name === undefined || /wc -l/.test(line.context)) return [];
        const value = name.endsWith("_count") ? Number(single) : Number(single) / 1024;
        return [
          { kind: name.replace(/_count$/, ""), lines: [line], facts: new Map([[name, value]]), warnings: [] },
        ];
      }
      const numbers = NUMBERS.exec(text)?.[1]?.split(/\s+/);
      if (numbers === undefined) return [];
      const named = [...matchNames(text), ...matchNames(line.context)];
      // Several files after one command are told apart by how many numbers they have.
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

function matchNames(text: string): readonly string[] {
  return [...text.matchAll(new RegExp(NAMED, "g"))].map(([, name = ""]) => name);
}
