import { riseOrLevel } from "./explains.ts";
import { grows, growsOrHolds, kernelBetween, movesWith } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const selinuxEbitmaps: Signature = {
  id: "S45",
  name: "SELinux keeps the labels of containers",
  kind: "leak",
  suspect: "slab-unreclaimable:ebitmap_node",
  what: "Each container has its own pair of MCS categories; some kernels kept the bit sets of every label that was ever used.",
  bands: ["sunrecl"],
  provenBy: "growth",
  key: growsOrHolds("slab.ebitmap_node.bytes", { ofTotal: 0, kib: 100 * 1024 }),
  supports: [
    grows("slab.ebitmap_node.bytes"),
    movesWith("slab.ebitmap_node.bytes", "containers.started", 0.7),
  ],
  affects: kernelBetween("4.18", "5.0"),
  explainsKib: riseOrLevel("slab.ebitmap_node.bytes"),
  confirm: {
    command: "grep ebitmap_node /proc/slabinfo; getenforce; sleep 3600; grep ebitmap_node /proc/slabinfo",
    reading: "Objects that rise with each container and never fall mean this.",
  },
  mitigate: "Reboot.",
  fix: "A newer kernel; the cause is not named.",
  affectedVersions: "Seen on 4.19.86: 45.9 GB.",
  sources: ["SELinuxProject/selinux#220", "coreos/bugs#2637"],
};
