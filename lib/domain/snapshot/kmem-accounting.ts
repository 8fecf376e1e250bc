import { parseSingleNumber } from "#lib/domain/procfs/number-line.ts";
import { parseSlabinfo } from "#lib/domain/procfs/slabinfo.ts";
import type { SourceText } from "./take-source.ts";

/**
 * Whether kernel memory is accounted to one memory cgroup of v1, from its memory.kmem.usage_in_bytes and, where that is 0, its
 * memory.kmem.slabinfo.
 *
 * Memory that was counted, or a slab cache of its own, proves accounting. That memory.kmem.slabinfo exists proves nothing:
 * kernels from about 5.9 on have it everywhere and it is always empty, and 3.10 has it and fails with EIO where accounting is
 * off. Undefined when the counter is not there or may not be read.
 */
export function isKmemAccounted(usage: SourceText, slabinfo: SourceText | undefined): boolean | undefined {
  if (usage.text === undefined) return undefined;
  const bytes = parseSingleNumber(usage.text, "memory.kmem.usage_in_bytes").value;
  if (bytes === undefined) return undefined;
  if (bytes > 0) return true;
  return slabinfo?.text !== undefined && parseSlabinfo(slabinfo.text).value.caches.length > 0;
}
