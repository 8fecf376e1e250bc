import type { Evidence } from "./evidence.ts";
import type { Outcome, Sign } from "./sign.ts";
import { formatMemory, formatNumber } from "../memory/quantity.ts";

/** A tmpfs that takes no more: of memory, KiB, or of inodes. */
interface FullTmpfs {
  readonly mount: string;
  readonly of: "memory" | "inodes";
  readonly used: number;
  readonly limit: number;
}

/** From this part of its limit a mount counts as full: df rounds. */
const FULL = 0.99;

/** The mounts of tmpfs that are full. */
export function fullTmpfs({ levels }: Pick<Evidence, "levels">): readonly FullTmpfs[] {
  return Object.entries(levels).flatMap(([name, limit]): FullTmpfs[] => {
    const [, mount, measure] = /^tmpfs\.(.+)\.(sizeKib|inodesMax)$/.exec(name) ?? [];
    if (mount === undefined || !(limit > 0)) return [];
    const of = measure === "sizeKib" ? "memory" : "inodes";
    const used = levels[`tmpfs.${mount}.${of === "memory" ? "usedKib" : "inodes"}`];
    return used !== undefined && used >= FULL * limit ? [{ mount, of, used, limit }] : [];
  });
}

/** What it holds of what it may, as words. */
export function fullTmpfsText({ of, used, limit }: FullTmpfs): string {
  return of === "memory"
    ? `${formatMemory(used)} of the ${formatMemory(limit)} that it may hold`
    : `${formatNumber(used, 0)} of the ${formatNumber(limit, 0)} inodes that it may hold`;
}

/** A tmpfs met its limit. That none did is known only of those whose limits are. */
export const tmpfsIsFull: Sign = (evidence): Outcome => {
  const full = fullTmpfs(evidence);
  if (full.length === 0)
    return {
      answer: "unknown",
      text: "whether a tmpfs is full",
      values: [],
      missing: ["the limits of the tmpfs mounts (df, df -i)"],
      basis: "level",
    };
  return {
    answer: "yes",
    text: full.map((each) => `${each.mount} is full: ${fullTmpfsText(each)}`).join("; "),
    values: full.map(({ mount, of, used }) => ({
      name: `tmpfs.${mount}.${of === "memory" ? "usedKib" : "inodes"}`,
      value: used,
      unit: of === "memory" ? "KiB" : "count",
    })),
    missing: [],
    basis: "level",
  };
};
