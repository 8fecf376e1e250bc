import { parseCount } from "./parse-count.ts";
import { collectWarnings, type Parsed } from "./parse-error.ts";
import { scanLines, splitFields } from "./scan-lines.ts";

export interface BuddyZone {
  readonly node: number;
  readonly zone: string;
  /** Free blocks of 2^order pages, by order from 0. */
  readonly freeBlocks: readonly number[];
}

const MOST_ORDERS = 32;

/** /proc/buddyinfo. Kernel document: Documentation/filesystems/proc.rst; since 2.5. World-readable; takes the lock of each zone. */
export function parseBuddyinfo(text: string, path = "/proc/buddyinfo"): Parsed<readonly BuddyZone[]> {
  const warnings = collectWarnings(path);
  const zones: BuddyZone[] = [];
  for (const line of scanLines(text)) {
    if (line.text.trim() === "") continue;
    const match = /^Node +(\d{1,6}), zone +([\w-]{1,32}) (.*)$/.exec(line.text);
    const counts = splitFields(match?.[3] ?? "").map(parseCount);
    const freeBlocks = counts.filter((each) => each !== undefined);
    const isSound =
      match !== null &&
      line.terminated &&
      counts.length > 0 &&
      counts.length <= MOST_ORDERS &&
      freeBlocks.length === counts.length;
    if (isSound) zones.push({ node: Number(match[1]), zone: match[2] ?? "", freeBlocks });
    else warnings.add(line, "`Node N, zone NAME` and the number of free blocks of each order");
  }
  return { value: zones, warnings: warnings.list };
}
