import { riseOrLevel } from "./explains.ts";
import { anyOf, grows, growsOrHolds, holds, reported } from "./sign.ts";
import type { Signature } from "./signature.ts";

const LARGE = { ofTotal: 0.01, kib: 256 * 1024 };

export const neighbourTable: Signature = {
  id: "S19",
  name: "Neighbour and route caches fill",
  kind: "limit",
  suspect: "neighbour table overflow",
  what: "One table of neighbours serves all network namespaces. It fails at its limit of 1,024 long before it costs memory; route entries can leak with it.",
  bands: ["sunrecl"],
  provenBy: "state",
  key: anyOf(
    reported("neighbour table overflow"),
    holds(
      "more than 80 % of the neighbour table is used",
      ["neighbours.count", "neighbours.max"],
      (count = 0, most = 0) => count > 0.8 * most,
    ),
    growsOrHolds("slab.ip_dst_cache.bytes", LARGE),
    growsOrHolds("slab.ip6_dst_cache.bytes", LARGE),
  ),
  supports: [
    reported("neighbour table overflow"),
    grows("slab.neighbour.bytes"),
    grows("slab.ip_dst_cache.bytes"),
    grows("slab.ip6_dst_cache.bytes"),
  ],
  explainsKib: riseOrLevel("slab.ip_dst_cache.bytes", "slab.ip6_dst_cache.bytes", "slab.neighbour.bytes"),
  confirm: {
    command: "cat /proc/net/stat/arp_cache | head -3; sysctl net.ipv4.neigh.default.gc_thresh3",
    reading:
      "Entries near gc_thresh3, or table_fulls that rises, is the limit. Route entries far above connections are a leak of references.",
  },
  mitigate: "Raise net.ipv4.neigh.default.gc_thresh1, 2 and 3 on the node (the pods' namespaces cannot).",
  fix: "Set them in the node image; remove stale interfaces.",
  affectedVersions: "Any kernel, with the default thresholds 128, 512 and 1,024.",
  sources: ["kubernetes/kops#4533", "testground/infra#14", "e2b-dev/infra#3508"],
};
