import { objectsTimes } from "./explains.ts";
import { above, grows, holds } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const mountLeak: Signature = {
  id: "S16",
  name: "Mounts of pods that are gone",
  kind: "leak",
  suspect: "mount leak",
  what: "A runtime, CSI driver or kubelet leaves mounts behind. Each holds a mount structure, a superblock and, up to 5.17, lists for every memory cgroup.",
  bands: ["sunrecl"],
  provenBy: "growth",
  key: grows("mounts.total"),
  requires: [
    holds(
      "there are over 200 mounts more than the pods explain",
      ["mounts.total", "mounts.expected"],
      (count = 0, expected = 0) => count - expected > 200,
    ),
  ],
  supports: [grows("slab.mnt_cache.objects"), grows("slab.mnt_cache.bytes"), above("mounts.total", 2000)],
  explainsKib: objectsTimes("mounts.total", () => 2),
  confirm: {
    command:
      "awk '{print $5}' /proc/1/mountinfo | sort | uniq -c | sort -rn | head; grep -c /var/lib/kubelet/pods /proc/1/mountinfo",
    reading:
      "The same mount point many times, or pod uids that the API does not know, name the mounts that are left over.",
  },
  mitigate: "Unmount the stale ones after checking that the pod's uid is gone.",
  fix: "Runtime or CSI upgrade.",
  affectedVersions: "Depends on runc, kubelet and CSI.",
  sources: ["opencontainers/runc#2404"],
};
