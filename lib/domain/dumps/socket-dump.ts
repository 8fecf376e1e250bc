import { pagesToKib } from "../memory/kib.ts";
import { pageSizeWarnings, type Recogniser } from "./artefact.ts";
import { rowOf } from "./dump-line.ts";
import { splitSamples, type Entry } from "./samples.ts";

const ROW = /^\s*(sockets|TCP6?|UDP6?|UDPLITE6?|RAW6?|FRAG6?): ((?:[a-z]{2,8} \d{1,15}\s*)+)$/;

/** /proc/net/sockstat: `mem` of TCP and UDP in pages, of FRAG (`memory`) in bytes; the rest counts sockets. */
export const sockstatDump: Recogniser = {
  kind: "/proc/net/sockstat",
  recognise(lines, context) {
    const entries = lines.flatMap((line): readonly Entry[] => {
      const match = ROW.exec(rowOf(line));
      if (!match) return [];
      const [, protocol = "", rest = ""] = match;
      return [...rest.matchAll(/([a-z]{2,8}) (\d{1,15})/g)].map(([, field = "", value = ""]): Entry => {
        const count = Number(value);
        if (field === "mem")
          return { key: `sockstat_${protocol}_mem`, value: pagesToKib(count, context.pageSizeBytes), line };
        if (field === "memory") return { key: `sockstat_${protocol}_memory`, value: count / 1024, line };
        return { key: `sockstat_${protocol}_${field}_count`, value: count, line };
      });
    });
    return splitSamples(entries).map((sample) => ({
      kind: "/proc/net/sockstat",
      lines: sample.lines,
      facts: sample.values,
      warnings: pageSizeWarnings(context),
    }));
  },
};
