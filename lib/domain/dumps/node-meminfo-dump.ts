import type { Recogniser } from "./artefact.ts";
import { rowOf } from "./dump-line.ts";
import { splitSamples, type Entry } from "./samples.ts";

const ROW = /^\s*Node (\d{1,4}) ([A-Z]\w{2,30}(?:\((?:anon|file)\))?):\s+(\d{1,15})(?: kB)?\s*$/;

/** /sys/devices/system/node/nodeN/meminfo: one NUMA node, not the machine. Facts as `nodeN:Key`. */
export const nodeMeminfoDump: Recogniser = {
  kind: "node meminfo",
  recognise(lines) {
    const entries = lines.flatMap((line): Entry[] => {
      const match = ROW.exec(rowOf(line));
      if (!match) return [];
      const [, node = "", key = "", value = ""] = match;
      const suffix = key.startsWith("HugePages_") ? "_count" : "";
      return [{ key: `node${node}:${key}${suffix}`, value: Number(value), line }];
    });
    return splitSamples(entries).map((sample) => ({
      kind: "node meminfo",
      lines: sample.lines,
      facts: sample.values,
      warnings: ["These counters are of single NUMA nodes."],
    }));
  },
};
