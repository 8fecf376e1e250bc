import type { Artefact, Recogniser } from "./artefact.ts";
import { rowOf } from "./dump-line.ts";
import { runsOf } from "./samples.ts";

/** The name of a merged cache itself: flags, then the size of its objects. */
const TARGET = ":[A-Za-z-]{0,12}\\d{7}";
/** `slabinfo -a`: the cache, then the names that lead to it. */
const LEFT = new RegExp(`^\\s{0,8}(${TARGET})\\s{1,40}<-((?:\\s{1,4}[\\w.:()-]{1,100}){1,100})\\s*$`);
/** `slabinfo -i`, `ls -l`, `find -printf '%f -> %l\\n'` and what a collector prints: a name and where it leads. */
const RIGHT = new RegExp(
  `^\\s{0,8}(?:l[rwx-]{9}[.+@]?\\s{1,100}.{0,120}?\\s)?(?:/sys/kernel/slab/)?([\\w.()-]{1,100})\\s{1,40}->\\s{1,40}(?:[\\w./]{0,60}/)?(${TARGET})\\s*$`,
);
/** Caches that were not merged stand in the same listing. */
const LISTED = /^(?:total \d{1,9}|[dl][rwx-]{9}[.+@]?\s{1,10}\d{1,6}\s.{1,300})$/;

/** The names that SLUB merged into one cache, by the symbolic links of /sys/kernel/slab: no amounts, but whose line of slabinfo counts whom. */
export const slabNamesDump: Recogniser = {
  kind: "names of slab caches",
  recognise: (lines) =>
    runsOf(lines, (line) => {
      const text = rowOf(line);
      return LEFT.test(text) || RIGHT.test(text) || LISTED.test(text);
    }).flatMap((run): readonly Artefact[] => {
      const groups = new Map<string, string[]>();
      const add = (target: string, names: readonly string[]) => {
        const group = groups.get(target);
        if (group) group.push(...names);
        else groups.set(target, [target, ...names]);
      };
      for (const line of run) {
        const text = rowOf(line);
        const [, target, names] = LEFT.exec(text) ?? [];
        if (target !== undefined) add(target, (names ?? "").trim().split(/\s+/));
        const [, name, to] = RIGHT.exec(text) ?? [];
        // A clone of a cache for one memory cgroup is no name of its own.
        if (name !== undefined && to !== undefined && !/\(\d/.test(name)) add(to, [name]);
      }
      if (groups.size === 0) return [];
      return [
        {
          kind: "names of slab caches",
          lines: run,
          facts: new Map([["merged_slab_caches_count", groups.size]]),
          mergedCaches: [...groups.values()],
          warnings: [],
        },
      ];
    }),
};
