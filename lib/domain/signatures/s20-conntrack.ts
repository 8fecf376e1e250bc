import { firstOf, objectsTimes, riseOrLevel } from "./explains.ts";
import { anyOf, grows, growsOrHolds, holds, reported } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const conntrack: Signature = {
  id: "S20",
  name: "The connection-tracking table fills",
  kind: "limit",
  suspect: "conntrack table full",
  what: "Each connection through the node's firewall is remembered for its timeout. At the limit packets are dropped; before that each costs a quarter of a KiB.",
  bands: ["sunrecl"],
  provenBy: "state",
  key: anyOf(
    holds(
      "more than 80 % of the table is used",
      ["conntrack.count", "conntrack.max"],
      (count = 0, most = 0) => count > 0.8 * most,
    ),
    growsOrHolds("slab.nf_conntrack.bytes", { ofTotal: 0.01, kib: 256 * 1024 }),
    reported("conntrack table full"),
  ),
  stillSo: holds(
    "more than half of the table is in use now",
    ["conntrack.count", "conntrack.max"],
    (count = 0, most = 0) => count > 0.5 * most,
  ),
  supports: [reported("conntrack table full"), grows("conntrack.count"), grows("slab.nf_conntrack.bytes")],
  explainsKib: firstOf(
    riseOrLevel("slab.nf_conntrack.bytes"),
    objectsTimes("conntrack.count", () => 0.25),
  ),
  confirm: {
    command:
      "sysctl net.netfilter.nf_conntrack_count net.netfilter.nf_conntrack_max; grep nf_conntrack /proc/slabinfo",
    reading:
      "Count near the limit is traffic. Objects far above the host's count are other namespaces', or a leak.",
  },
  mitigate: "Raise the limit, shorten the timeouts, or flush with conntrack -F.",
  fix: "Size the limit, shorter timeouts, NOTRACK for what needs none, and the client that leaves flows open.",
  affectedVersions: "Any kernel.",
  sources: [
    "kubernetes/kubernetes#18604",
    "kubernetes/kubernetes#71261",
    "kubernetes/kubernetes#97377",
    "kubernetes/kubernetes#139628",
  ],
};
