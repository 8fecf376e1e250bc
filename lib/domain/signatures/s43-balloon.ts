import { riseOrLevel } from "./explains.ts";
import { anyOf, holds, known, unknown, type Outcome, type Sign, valueOf } from "./sign.ts";
import type { Signature } from "./signature.ts";

/** MemTotal of one boot is constant but for balloons and memory hot-plug. */
const totalFell: Sign = ({ changes }): Outcome => {
  const change = changes["meminfo.MemTotal"];
  if (change === undefined) return unknown("whether MemTotal changed", "meminfo.MemTotal");
  const fell = change.last < 0.99 * change.first;
  return known(fell, fell ? "MemTotal fell without a reboot" : "MemTotal did not fall", "samples", [
    valueOf("meminfo.MemTotal", change.first),
    valueOf("meminfo.MemTotal", change.last),
  ]);
};

export const balloon: Signature = {
  id: "S43",
  name: "A balloon takes memory for the hypervisor",
  kind: "not-a-leak",
  suspect: "balloon",
  what: "virtio lowers MemTotal, or with deflate-on-oom leaves it and holds the pages; VMware's driver is invisible in /proc/meminfo of older kernels.",
  bands: ["unacc", "other"],
  provenBy: "state",
  key: anyOf(
    totalFell,
    holds(
      "the balloon holds more than 3 % of memory",
      ["balloon.kib", "meminfo.MemTotal"],
      (kib = 0, total = 0) => kib > 0.03 * total,
    ),
  ),
  supports: [
    holds(
      "the balloon equals what is unaccounted",
      ["balloon.kib", "band.unacc"],
      (kib = 0, unacc = 0) => Math.abs(kib - unacc) < 0.05 * kib,
    ),
    totalFell,
  ],
  explainsKib: riseOrLevel("balloon.kib"),
  confirm: {
    command:
      "cat /sys/kernel/debug/vmmemctl; vmware-toolbox-cmd stat balloon; grep -i balloon /proc/meminfo /proc/vmstat",
    reading: "A balloon of the size of what is missing: the hypervisor has it.",
  },
  mitigate: "None on the node; ask for the memory at the hypervisor.",
  fix: "Reserve memory for nodes.",
  affectedVersions: "Virtual machines.",
  sources: ["openSUSE/supportutils#71", "ryran/xsos#286"],
};
