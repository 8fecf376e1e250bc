import { objectsTimes } from "./explains.ts";
import { grows, holds } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const loopDevices: Signature = {
  id: "S49",
  name: "Loop devices are detached and not removed",
  kind: "leak",
  suspect: "loop devices",
  what: "losetup -d only detaches. The device, its queue and its sysfs nodes stay: 24 KiB of slab and 37 KiB of reclaimable slab each.",
  bands: ["sunrecl", "srecl"],
  provenBy: "growth",
  key: holds(
    "there are more loop devices than volumes and snaps explain",
    ["loop.devices", "loop.expected"],
    (devices = 0, expected = 0) => devices > expected + 8,
  ),
  requires: [grows("loop.devices")],
  supports: [grows("loop.devices"), grows("slab.kernfs_node_cache.bytes")],
  explainsKib: objectsTimes("loop.devices", () => 61),
  confirm: {
    command: "ls -d /sys/block/loop* | wc -l; losetup -l | awk '$6 == \"\" || /deleted/'",
    reading: "Devices without a backing file, or with a deleted one, are left over.",
  },
  mitigate: "losetup -D, then remove them (losetup -R of a new util-linux, or LOOP_CTL_REMOVE).",
  fix: "CSI or kubelet fix.",
  affectedVersions: "Any kernel; util-linux before the remove option.",
  sources: ["util-linux/util-linux#2473", "kubernetes/kubernetes#109132", "concourse/concourse#3091"],
};
