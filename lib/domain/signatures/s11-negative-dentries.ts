import { objectsTimes } from "./explains.ts";
import { above, gaveBack, grows, growsOrHolds, holds } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const negativeDentries: Signature = {
  id: "S11",
  name: "Negative dentries: lookups of names that do not exist",
  kind: "not-a-leak",
  suspect: "slab-reclaimable:dentry",
  what: "The kernel remembers that a name does not exist. Programs that look up ever new names (temporary names, library paths, certificate stores) fill the cache without a bound; it goes under pressure.",
  bands: ["srecl"],
  provenBy: "state",
  key: holds(
    "more than half of the dentries are negative",
    ["fs.dentryState.nr_negative", "fs.dentryState.nr_dentry"],
    (negative = 0, all = 0) => all > 200_000 && negative > 0.5 * all,
  ),
  supports: [
    above("fs.dentryState.nr_negative", 1_000_000),
    grows("fs.dentryState.nr_negative"),
    growsOrHolds("slab.dentry.bytes", { ofTotal: 0.01, kib: 256 * 1024 }),
    gaveBack(["drop-caches-2", "drop-caches-3"], "slab.dentry.bytes", { least: 0.7 }),
  ],
  explainsKib: objectsTimes("fs.dentryState.nr_negative", () => 0.19),
  confirm: {
    command:
      "cat /proc/sys/fs/dentry-state; echo 2 > /proc/sys/vm/drop_caches; cat /proc/sys/fs/dentry-state",
    reading:
      "The fifth number falls to nearly nothing: it was cache. It stays: something holds the dentries, see S12.",
  },
  mitigate:
    "drop_caches=2 off-peak; with a hundred million entries it can stall the node for minutes. memory.high on the cgroup that makes them.",
  fix: "The program that looks up the names. vm.vfs_cache_pressure above 200 helps only under pressure.",
  affectedVersions: "Any kernel: there is no limit on negative dentries up to 7.3.",
  sources: ["apache/druid#7508", "lxc/lxc#3143", "fluent/fluent-bit#11958", "google/cadvisor#3081"],
};
