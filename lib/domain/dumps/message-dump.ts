import type { Artefact, Recogniser } from "./artefact.ts";
import { LIMIT_PATTERNS } from "../kernel-log/patterns.ts";
import { lineAfter, rowOf, type DumpLine } from "./dump-line.ts";

/** The details that follow `SLUB: Unable to allocate memory`. */
const SLUB_DETAIL = /^\s*(?:cache: \S|node \d+: slabs: \d)/;
/** Events of Kubernetes and repeated lines of syslog say how often. */
const REPEATED = /\(x(\d{1,9}) over [\dhms]{1,20}\)|message repeated (\d{1,9}) times/;

/**
 * Single lines that name what ran out. A fact `messages:KIND_count` is how often the text says it happened. They prove a
 * limit, not an amount: *cannot allocate memory* from mkdir is about memory cgroups, RAM may be plentiful.
 */
export const messageDump: Recogniser = {
  kind: "message",
  recognise(lines) {
    const byKind = new Map<string, { lines: DumpLine[]; count: number }>();
    for (const line of lines) {
      if (line.text.length < 12 || line.text.length > 4000 || line.isCommand) continue;
      const kind = LIMIT_PATTERNS.find(({ pattern }) => pattern.test(line.text))?.name;
      if (kind === undefined) continue;
      const found = byKind.get(kind) ?? { lines: [], count: 0 };
      byKind.set(kind, found);
      found.lines.push(line);
      const repeated = REPEATED.exec(line.text);
      found.count += Number(repeated?.[1] ?? repeated?.[2] ?? 1);
      for (
        let next = lineAfter(line, lines);
        next && SLUB_DETAIL.test(rowOf(next));
        next = lineAfter(next, lines)
      ) {
        found.lines.push(next);
      }
    }
    return [...byKind].map(([kind, found]): Artefact => ({
      kind,
      lines: found.lines,
      facts: new Map([[`messages:${kind}_count`, found.count]]),
      warnings: [],
    }));
  },
};
