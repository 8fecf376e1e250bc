import { riseOrLevel } from "./explains.ts";
import { anyOf, grows, holds, reported, risesInStep } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const tcpBuffers: Signature = {
  id: "S22",
  name: "TCP buffers of peers that do not read",
  kind: "leak",
  suspect: "TCP socket memory",
  what: "Received data of connections that nobody reads stay in pages that no counter of /proc/meminfo holds; sockstat counts them over all namespaces.",
  bands: ["unacc"],
  provenBy: "growth",
  key: anyOf(
    grows("sockstat.tcp.kib"),
    holds(
      "TCP holds more than its pressure limit",
      ["sockstat.tcp.kib", "sockstat.tcp.limit.kib"],
      (kib = 0, limit = 0) => kib > limit,
    ),
    holds(
      "TCP holds more than 5 % of memory",
      ["sockstat.tcp.kib", "meminfo.MemTotal"],
      (kib = 0, total = 0) => kib > 0.05 * total,
    ),
    reported("TCP out of memory"),
  ),
  stillSo: holds(
    "TCP holds more than half of its pressure limit now",
    ["sockstat.tcp.kib", "sockstat.tcp.limit.kib"],
    (kib = 0, limit = 0) => kib > 0.5 * limit,
  ),
  requires: [
    grows("band.unacc"),
    risesInStep(
      "band.unacc",
      "sockstat.tcp.kib",
      [0.7, 3],
      "unaccounted rises by at least as much as TCP's buffers",
    ),
  ],
  supports: [
    risesInStep("band.unacc", "sockstat.tcp.kib", [0.7, 1.4], "unaccounted rises as TCP's buffers do"),
    reported("TCP out of memory"),
  ],
  explainsKib: riseOrLevel("sockstat.tcp.kib"),
  confirm: {
    command: "cat /proc/1/net/sockstat; ss -tmH | awk '{print $2, $3, $5}' | sort -rn | head",
    reading:
      "Large receive or send queues name the connections. mem of sockstat times the page size equal to the rise of unaccounted: this. Unaccounted flat: a false counter (S22b).",
  },
  mitigate: "Restart the peer that does not read; lower the third value of tcp_rmem and tcp_wmem.",
  fix: "The application; a cap through tcp_mem.",
  affectedVersions: "Any kernel.",
  sources: ["kubernetes/kubernetes#62334", "2i2c-org/infrastructure#3299"],
};
