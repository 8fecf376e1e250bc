import { riseOrLevel } from "./explains.ts";
import { anyOf, grows, holds, kernelBetween, movesWith, reported } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const bpfJit: Signature = {
  id: "S26",
  name: "Seccomp filters leak compiled BPF programs",
  kind: "leak",
  suspect: "bpf-jit memory exhausted",
  what: "A fork that fails or races lost the reference to its seccomp filter. The compiled filters fill the limit of BPF memory; then containers and exec probes fail with errno 524.",
  bands: ["vmalloc"],
  provenBy: "growth",
  key: anyOf(
    reported("seccomp filter not loaded: errno 524"),
    holds(
      "compiled programs fill most of their limit",
      ["bpf.jit.kib", "bpf.jit.limit.kib"],
      (kib = 0, limit = 0) => kib > 0.8 * limit,
    ),
    grows("vmalloc.bpf_jit_alloc_exec.usedKib"),
    grows("vmalloc.bpf_prog_pack_alloc.usedKib"),
  ),
  supports: [
    reported("seccomp filter not loaded: errno 524"),
    grows("vmalloc.bpf_jit_alloc_exec.usedKib"),
    grows("vmalloc.bpf_prog_pack_alloc.usedKib"),
    grows("vmalloc.module_alloc.usedKib"),
    movesWith("vmalloc.bpf_jit_alloc_exec.usedKib", "containers.started", 0.7),
  ],
  affects: kernelBetween("5.9", "6.2"),
  explainsKib: riseOrLevel("vmalloc.bpf_jit_alloc_exec.usedKib", "vmalloc.bpf_prog_pack_alloc.usedKib"),
  confirm: {
    command:
      "awk '/bpf_jit_alloc_exec|bpf_prog_pack_alloc/ {n += $2} END {print n}' /proc/vmallocinfo; sysctl net.core.bpf_jit_limit; uname -r",
    reading:
      "Bytes near the limit and rising with exec probes mean this leak. Far below the limit: a filter that the kernel refuses for another reason.",
  },
  mitigate: "Raise net.core.bpf_jit_limit; restart the runtime, or reboot.",
  fix: "Kernel 6.2, 6.1.2, 6.0.16, 5.15.86 or newer; Amazon Linux 2 5.10 with the back-port.",
  affectedVersions: "Upstream 5.9 to 6.1.1.",
  sources: [
    "moby/moby#45498",
    "awslabs/amazon-eks-ami#1219",
    "awslabs/amazon-eks-ami#1179",
    "commit a1140cb215fa",
  ],
};
