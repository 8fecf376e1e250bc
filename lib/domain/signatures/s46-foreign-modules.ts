import { riseOrLevel } from "./explains.ts";
import { allOf, anyOf, grows, growsOrHolds, hasModule } from "./sign.ts";
import type { Signature } from "./signature.ts";

const FOREIGN = hasModule(/./, "an out-of-tree module");

export const foreignModules: Signature = {
  id: "S46",
  name: "An out-of-tree module leaks",
  kind: "leak",
  suspect: "out-of-tree module",
  what: "Memory that grows in nameless kmalloc caches or in no counter at all, on nodes that load a module from outside of the kernel.",
  bands: ["unacc", "sunrecl", "vmalloc"],
  provenBy: "growth",
  key: allOf(
    FOREIGN,
    anyOf(
      grows("meminfo.SUnreclaim"),
      growsOrHolds("band.unacc", { ofTotal: 0.1, kib: 1024 * 1024 }),
      grows("band.vmalloc"),
    ),
  ),
  supports: [FOREIGN, grows("meminfo.SUnreclaim"), grows("band.unacc")],
  explainsKib: riseOrLevel("total.kernelUnreclaimable"),
  confirm: {
    command: "cat /proc/modules | grep '(.*[OEP]'; cat /proc/sys/kernel/tainted",
    reading:
      "Unload it on one node and look at the slope; over the fleet, the leaking nodes are those with the module.",
  },
  mitigate: "Unload it.",
  fix: "The vendor's.",
  affectedVersions: "Tainted kernels.",
  sources: ["ntop/PF_RING#1003", "luigirizzo/netmap#397", "lkrg-org/lkrg#172"],
};
