import { riseOrLevel } from "./explains.ts";
import { anyOf, grows, holds, kernelBetween, risesInStep } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const bpfMaps: Signature = {
  id: "S27",
  name: "BPF maps of an agent",
  kind: "leak",
  suspect: "BPF maps",
  what: "An agent allocates large maps, or ever more of them. Arrays are vmalloc, per-CPU maps percpu memory, ring buffers unaccounted; since 5.11 they are charged to the agent's cgroup.",
  bands: ["vmalloc", "percpu", "unacc"],
  provenBy: "growth",
  key: anyOf(
    grows("bpf.memlock.kib"),
    holds(
      "maps hold more than 1 GiB and 2 % of memory",
      ["bpf.memlock.kib", "meminfo.MemTotal"],
      (kib = 0, total = 0) => kib > 1024 * 1024 && kib > 0.02 * total,
    ),
  ),
  supports: [
    risesInStep("band.vmalloc", "bpf.memlock.kib", [0.5, 1.5], "vmalloc rises as the maps do"),
    grows("band.vmalloc"),
    grows("band.percpu"),
    kernelBetween("5.11", undefined),
  ],
  explainsKib: riseOrLevel("bpf.memlock.kib"),
  confirm: {
    command: "bpftool map show -j | jq -r '.[] | [.bytes_memlock, .type, .name] | @tsv' | sort -rn | head",
    reading:
      "Few large maps: sizing. A number of maps that rises: the agent leaks them; restarting it gives all back.",
  },
  mitigate: "Restart the agent; lower its map sizes.",
  fix: "Agent upgrade. A memory limit on the agent works only from 5.11 on.",
  affectedVersions: "Any; cilium, profilers and security agents.",
  sources: [
    "cilium/cilium#37935",
    "cilium/cilium#44520",
    "cilium/cilium#18581",
    "open-telemetry/opentelemetry-ebpf-profiler#1891",
  ],
};
