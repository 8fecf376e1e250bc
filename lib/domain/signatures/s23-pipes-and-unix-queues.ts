import { riseOrLevel } from "./explains.ts";
import { anyOf, grows, holds, holdsStill, risesInStep } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const pipesAndUnixQueues: Signature = {
  id: "S23",
  name: "Full pipes and Unix sockets of a reader that is stuck",
  kind: "leak",
  suspect: "pipes and Unix sockets",
  what: "What waits in pipes and Unix sockets is in pages that /proc/meminfo counts nowhere; only the cgroup's kernel memory sees them. Log pipes to a dead daemon are the usual case.",
  bands: ["unacc"],
  provenBy: "growth",
  key: anyOf(
    grows("cgroup.kernel.residual.kib"),
    holds(
      "one cgroup's kernel memory is in none of its classes",
      ["cgroup.kernel.residual.kib", "band.unacc"],
      (residual = 0, unacc = 0) => residual > 256 * 1024 && residual > 0.3 * unacc,
    ),
  ),
  requires: [grows("band.unacc"), holdsStill("sockstat.tcp.kib")],
  supports: [
    risesInStep(
      "cgroup.kernel.residual.kib",
      "band.unacc",
      [0.5, 1.5],
      "the cgroup's kernel memory rises as unaccounted does",
    ),
    holdsStill("sockstat.tcp.kib"),
    grows("sockets.count"),
  ],
  explainsKib: riseOrLevel("cgroup.kernel.residual.kib"),
  confirm: {
    command: "ss -xmH | sort -k3 -rn | head; ls -l /proc/*/fd 2>/dev/null | grep -c 'pipe:'",
    reading:
      "Unix sockets with full queues, or a process of that cgroup with very many pipes, is the stuck reader.",
  },
  mitigate: "Restart the reader, or the process that holds the pipes.",
  fix: "The reader; fs.pipe-user-pages-soft bounds it.",
  affectedVersions: "Any kernel.",
  sources: ["measured on 6.18: 200 full pipes of 1 MiB are 205,268 KiB of unaccounted"],
};
