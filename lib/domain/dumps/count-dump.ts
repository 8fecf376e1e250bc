import type { Artefact, Recogniser } from "./artefact.ts";
import { rowOf } from "./dump-line.ts";

const NUMBER = /^\s*(\d{1,12})\s*$/;

/** A number of files or directories that a command counted (`find ... -type d | wc -l`, `ls | wc -l`). */
export const countDump: Recogniser = {
  kind: "file count",
  recognise(lines) {
    let counted = "";
    return lines.flatMap((line): readonly Artefact[] => {
      if (line.isCommand)
        counted = /\|\s*wc -l/.test(line.context) && /\b(?:find|ls)\b/.test(line.context) ? line.context : "";
      const value = NUMBER.exec(rowOf(line))?.[1];
      if (value === undefined || counted === "") return [];
      const name = /-type d\b/.test(counted) ? "directories_count" : "files_count";
      const path = /\s(\/[\w./*-]{1,200})/.exec(counted)?.[1];
      counted = "";
      return [
        {
          kind: "file count",
          lines: [line],
          facts: new Map([[name, Number(value)]]),
          label: path,
          warnings: [],
        },
      ];
    });
  },
};
