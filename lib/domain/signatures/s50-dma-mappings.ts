import { riseOrLevel } from "./explains.ts";
import { anyOf, grows, holds, movesWith } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const dmaMappings: Signature = {
  id: "S50",
  name: "A driver maps buffers for DMA and never unmaps",
  kind: "leak",
  suspect: "DMA mappings of a driver",
  what: "With an IOMMU its tables and address ranges grow; without one the fixed pool of bounce buffers fills and the driver stops.",
  bands: ["ptables", "sunrecl", "unacc"],
  provenBy: "growth",
  key: anyOf(
    grows("slab.iommu_iova.bytes"),
    holds(
      "bounce buffers are more than 80 % used",
      ["swiotlb.used", "swiotlb.total"],
      (used = 0, total = 0) => total > 0 && used > 0.8 * total,
    ),
  ),
  supports: [
    grows("meminfo.SecPageTables"),
    movesWith("slab.iommu_iova.bytes", "net.rx.bytes", 0.8),
    grows("band.unacc"),
  ],
  explainsKib: riseOrLevel("slab.iommu_iova.bytes", "meminfo.SecPageTables"),
  confirm: {
    command:
      "grep iommu_iova /proc/slabinfo; cat /sys/kernel/debug/swiotlb/io_tlb_used /sys/kernel/debug/swiotlb/io_tlb_nslabs",
    reading:
      "Growth with traffic, on nodes of one device only, names the driver. Growth in unaccounted alone: S25.",
  },
  mitigate: "Reload the module.",
  fix: "Driver update.",
  affectedVersions: "Single drivers.",
  sources: ["lwfinger/rtl8192ee#9"],
};
