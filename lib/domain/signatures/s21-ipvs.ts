import { riseOrLevel } from "./explains.ts";
import { above, anyOf, grows, growsOrHolds, reported, runs } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const ipvs: Signature = {
  id: "S21",
  name: "IPVS keeps connections and destinations",
  kind: "leak",
  suspect: "IPVS connections",
  what: "Destinations with weight 0 never drain, and a cached route can hold a device that is being removed.",
  bands: ["sunrecl"],
  provenBy: "growth",
  key: anyOf(
    above("slab.ip_vs_conn.objects", 1_000_000),
    growsOrHolds("slab.ip_vs_conn.bytes", { ofTotal: 0.01, kib: 256 * 1024 }),
  ),
  supports: [
    runs("kube-proxy-mode", (mode) => mode === "ipvs", "mode"),
    grows("slab.ip_vs_conn.bytes"),
    reported("network device not released"),
    grows("slab.ip_dst_cache.bytes"),
  ],
  explainsKib: riseOrLevel("slab.ip_vs_conn.bytes"),
  confirm: {
    command: "ipvsadm -Lnc | wc -l; ipvsadm -Ln | awk '$4 == 0'; dmesg | grep unregister_netdevice",
    reading:
      "Connections to destinations of weight 0 that stay mean this; unregister_netdevice messages mean a held device.",
  },
  mitigate: "ipvsadm -C, only on a drained node.",
  fix: "kube-proxy in nftables mode; a kernel with the fixes.",
  affectedVersions: "kube-proxy in IPVS mode.",
  sources: ["kubernetes/kubernetes#81775", "CVE-2026-45917"],
};
