import { parseNumberLine } from "./number-line.ts";
import type { Parsed } from "./parse-error.ts";

export interface MmStat {
  /** What was written to the device. */
  readonly origDataBytes: number;
  readonly comprDataBytes: number;
  /** What it costs, with what the allocator wastes. */
  readonly memUsedBytes: number;
}

/** /sys/block/zramN/mm_stat. Kernel document: Documentation/admin-guide/blockdev/zram.rst; since 4.1. World-readable. */
export function parseMmStat(text: string, path = "/sys/block/zram/mm_stat"): Parsed<MmStat | undefined> {
  const { value, warnings } = parseNumberLine(text, {
    path,
    least: 3,
    expected: "orig_data_size, compr_data_size, mem_used_total and more",
  });
  const [origDataBytes, comprDataBytes, memUsedBytes] = value;
  return {
    value:
      origDataBytes === undefined || comprDataBytes === undefined || memUsedBytes === undefined
        ? undefined
        : { origDataBytes, comprDataBytes, memUsedBytes },
    warnings,
  };
}
