import { firstOf, objectsTimes } from "./explains.ts";
import { above, anyOf, grows, holds, movesWith, reported } from "./sign.ts";
import type { Signature } from "./signature.ts";

const KIB_EACH = 185;

export const networkNamespaces: Signature = {
  id: "S18",
  name: "Network namespaces are left behind",
  kind: "leak",
  suspect: "network namespaces",
  what: "A network plug-in or runtime leaves namespaces, or the kernel loses a reference to one. An empty one costs 170 to 200 KiB of slab and 3 KiB of percpu memory for each CPU.",
  bands: ["sunrecl", "percpu", "srecl"],
  provenBy: "growth",
  key: anyOf(
    holds(
      "there are over 50 network namespaces more than pods",
      ["slab.net_namespace.objects", "sandboxes.count"],
      (spaces = 0, pods = 0) => spaces - pods > 50,
    ),
    grows("slab.net_namespace.objects"),
    above("slab.net_namespace.objects", 1000),
  ),
  supports: [
    grows("slab.net_namespace.objects"),
    reported("network device not released"),
    grows("meminfo.SUnreclaim"),
    grows("band.percpu"),
    movesWith("slab.net_namespace.objects", "containers.started", 0.7),
  ],
  explainsKib: firstOf(
    objectsTimes("slab.net_namespace.objects", ({ levels }) => KIB_EACH + 3.2 * (levels.cpus ?? 2)),
  ),
  confirm: {
    command:
      "grep net_namespace /proc/slabinfo; grep -c nsfs /proc/1/mountinfo; ls /run/netns /var/run/docker/netns; readlink /proc/*/ns/net | sort -u | wc -l",
    reading:
      "Mounted names without a pod: the plug-in forgot them. Objects without a name and without a process: the kernel lost a reference (unregister_netdevice in the log).",
  },
  mitigate: "Unmount and remove stale names under /run/netns. Lost references need a reboot.",
  fix: "Upgrade of the network plug-in, the runtime or the kernel.",
  affectedVersions: "Bugs of single plug-ins and runtimes; in the Docker years also of the kernel.",
  sources: ["cri-o/cri-o#273", "containers/podman#858", "kubernetes/kubernetes#110938", "moby/moby#35545"],
};
