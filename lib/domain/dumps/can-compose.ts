/** The least that a composition needs to be worth showing: less leaves the remainder meaningless. */
const COMPOSED_KEYS = ["MemTotal", "MemFree", "Buffers", "Cached", "AnonPages", "PageTables"];

/** Whether a sample of /proc/meminfo reaches far enough to be composed. */
export function canCompose(meminfo: (key: string) => number | undefined): boolean {
  return COMPOSED_KEYS.every((key) => meminfo(key) !== undefined);
}
