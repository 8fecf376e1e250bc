import type { Artefact, Recogniser } from "./artefact.ts";
import { rowOf, type DumpLine } from "./dump-line.ts";

const HEADER = /^\s*#?subsys_name\s+hierarchy\s+num_cgroups\s+enabled\s*$/;
const ROW = /^\s*([a-z_]{2,30})\s+(\d{1,9})\s+(\d{1,9})(?:\s+[01]\s*$|\s+$)/;
const CONTROLLERS =
  /^(?:cpuset|cpu|cpuacct|blkio|io|memory|devices|freezer|net_cls|perf_event|net_prio|hugetlb|pids|rdma|misc|debug|dmem|ns)$/;

/**
 * /proc/cgroups, whole or single rows. `cgroups_NAME_count` is num_cgroups, dying groups included. A table without a row
 * for memory says that the controller has no v1 code or is on v2; it does not say zero.
 */
export const procCgroupsDump: Recogniser = {
  kind: "/proc/cgroups",
  recognise(lines) {
    const artefacts: Artefact[] = [];
    let own: DumpLine[] = [];
    let facts = new Map<string, number>();
    let hasHeader = false;
    let unified = 0;
    const finish = () => {
      if (facts.size > 0) {
        const rows = facts.size;
        if (hasHeader) facts.set("cgroups_rows_count", rows);
        const warnings: string[] = [];
        if (hasHeader && rows > 1 && !facts.has("cgroups_memory_count")) {
          warnings.push("There is no row for memory: this kernel counts memory cgroups in cgroup.stat only.");
        }
        if (rows > 1 && unified === rows) {
          warnings.push(
            "All controllers are on the unified hierarchy: each row counts all cgroups of the machine.",
          );
        }
        artefacts.push({ kind: "/proc/cgroups", lines: own, facts, warnings });
      }
      own = [];
      facts = new Map();
      hasHeader = false;
      unified = 0;
    };
    for (const line of lines) {
      const text = rowOf(line);
      const row = ROW.exec(text);
      const [, name = "", hierarchy, count] = row ?? [];
      if (HEADER.test(text)) {
        finish();
        hasHeader = true;
        own.push(line);
      } else if (row && (hasHeader || CONTROLLERS.test(name))) {
        if (facts.has(`cgroups_${name}_count`)) finish();
        facts.set(`cgroups_${name}_count`, Number(count));
        if (hierarchy === "0") unified += 1;
        own.push(line);
      }
    }
    finish();
    return artefacts;
  },
};
