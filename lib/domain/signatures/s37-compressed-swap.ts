import { riseOrLevel } from "./explains.ts";
import { anyOf, grows, holds, runs } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const compressedSwap: Signature = {
  id: "S37",
  name: "Compressed memory: zram or zswap",
  kind: "not-a-leak",
  suspect: "compressed swap (zram, zswap)",
  what: "Pages that were swapped out into RAM, compressed. Without the counter of the pool they look unaccounted.",
  bands: ["other", "unacc"],
  provenBy: "state",
  key: anyOf(
    holds(
      "the pool holds more than 3 % of memory",
      ["zpool.kib", "meminfo.MemTotal"],
      (kib = 0, total = 0) => kib > 0.03 * total,
    ),
    grows("zpool.kib"),
  ),
  supports: [holds("there is swap", ["meminfo.SwapTotal"], (swap = 0) => swap > 0), runs("zram")],
  explainsKib: riseOrLevel("zpool.kib"),
  confirm: {
    command: "grep nr_zspages /proc/vmstat; cat /sys/block/zram*/mm_stat; grep -i zswap /proc/meminfo",
    reading: "Pages times the page size equal to what is unaccounted: it is this.",
  },
  mitigate: "None is needed.",
  fix: "None.",
  affectedVersions: "Nodes with zram or zswap.",
  sources: ["kernel Documentation, admin-guide/mm/zswap"],
};
