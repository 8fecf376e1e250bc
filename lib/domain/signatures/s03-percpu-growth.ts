import { riseOrLevel } from "./explains.ts";
import { above, allOf, anyOf, grows, growsOrHolds, holds, kernelBetween, risesInStep } from "./sign.ts";
import type { Signature } from "./signature.ts";

const GIB = 1024 * 1024;

export const percpuGrowth: Signature = {
  id: "S03",
  name: "The percpu allocator grows, or stays large after a burst",
  kind: "leak",
  suspect: "percpu",
  what: "Each memory cgroup, namespace, mount, device and BPF per-CPU map takes a slice for every possible CPU. A chunk is given back only when it is empty; before 5.14 nearly nothing came back after a burst.",
  bands: ["percpu"],
  provenBy: "growth",
  key: anyOf(
    growsOrHolds("band.percpu", { ofTotal: 0.05, kib: GIB }),
    growsOrHolds("vmallocinfo.percpu.kib", { ofTotal: 0, kib: 256 * 1024 }),
    // A few hundred MiB for a hundred cgroups is what the kernel itself has.
    allOf(
      above("percpu.perCgroup.kib", 30),
      holds(
        "percpu holds more than a kernel needs for itself",
        ["band.percpu", "meminfo.MemTotal"],
        (kib = 0, total = 0) => kib >= GIB / 2 && kib >= 0.01 * total,
      ),
    ),
  ),
  supports: [
    risesInStep("band.percpu", "cgroup.memory.count", [0.5, 500], "percpu rises with the memory cgroups"),
    grows("cgroup.memory.dying"),
    above("cgroup.memory.dying", 1000),
    holds(
      "two KiB for each CPU and cgroup explain it",
      ["band.percpu", "cgroup.memory.count", "cpus"],
      (kib = 0, count = 0, cpus = 1) => kib < 4 * count * cpus,
    ),
  ],
  affects: kernelBetween(undefined, "5.14"),
  explainsKib: riseOrLevel("band.percpu"),
  confirm: {
    command:
      "grep -c pcpu_get_vm_areas /proc/vmallocinfo; cat /sys/fs/cgroup/cgroup.stat; grep memory /proc/cgroups",
    reading:
      "Many chunks with many live or dying cgroups: the cgroups hold it, go on with S01 and S02. Many chunks and few of anything, flat since a past burst: fragmentation, harmless until it grows again.",
  },
  mitigate:
    "Remove what takes the slices (cgroups, namespaces, maps). Against fragmentation only a reboot helps.",
  fix: "A kernel from 5.14 on gives back partly used chunks; the source is fixed under S01, S02 or S27.",
  affectedVersions: "Any; fragmentation before 5.14. On 6.18 a burst fell from 23.3 to 8.1 MB within 8 s.",
  sources: ["linux-mm msg252276", "linux-mm msg174254", "coreos/bugs#2516"],
};
