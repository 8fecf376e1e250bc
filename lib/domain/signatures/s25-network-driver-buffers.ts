import { riseOrLevel } from "./explains.ts";
import { anyOf, grows, growsOrHolds, holds, movesWith } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const networkDriverBuffers: Signature = {
  id: "S25",
  name: "A network driver loses packet buffers or pages",
  kind: "leak",
  suspect: "network driver buffers",
  what: "Packets that are never freed leave heads in skbuff caches and data in kmalloc caches; a driver that loses pages grows unaccounted with every byte received.",
  bands: ["sunrecl", "unacc"],
  provenBy: "growth",
  key: anyOf(
    movesWith("band.unacc", "net.rx.bytes", 0.8),
    movesWith("meminfo.SUnreclaim", "net.rx.bytes", 0.8),
    growsOrHolds("slab.skbuff_head_cache.bytes", { ofTotal: 0.02, kib: 256 * 1024 }),
    growsOrHolds("slab.skbuff_small_head.bytes", { ofTotal: 0.02, kib: 256 * 1024 }),
  ),
  supports: [
    holds(
      "there are far more packet buffers than sockets",
      ["slab.skbuff_head_cache.objects", "sockets.count"],
      (packets = 0, sockets = 0) => packets > 100 * Math.max(1, sockets),
    ),
    grows("slab.skbuff_head_cache.bytes"),
    grows("kmalloc.2048.bytes"),
    grows("kmalloc.1024.bytes"),
    grows("kmalloc.512.bytes"),
    grows("band.unacc"),
  ],
  explainsKib: riseOrLevel(
    "slab.skbuff_head_cache.bytes",
    "slab.skbuff_small_head.bytes",
    "kmalloc.2048.bytes",
  ),
  confirm: {
    command:
      "grep -E '^(skbuff|kmalloc-(512|1k|2k)) ' /proc/slabinfo; cat /proc/net/dev; lsmod | head; ethtool -i eth0",
    reading:
      "Growth that stops when traffic stops, on nodes of one driver or firmware only, means the driver.",
  },
  mitigate: "Reload the module on a drained node; less traffic.",
  fix: "Driver or firmware update.",
  affectedVersions: "Single drivers.",
  sources: [
    "xmm7360/xmm7360-pci#131",
    "ntop/PF_RING#516",
    "acooks/tn40xx-driver#75",
    "acooks/tn40xx-driver#35",
  ],
};
