/** Memory-cgroup ids of one kernel: 16 bits, id 0 unused, in every kernel so far. */
export const MEMCG_ID_LIMIT = 65_535;

/** What a node tells of its memory cgroups; missing where its kernel or collector does not. */
export interface MemcgCounts {
  /** Of the memory row of /proc/cgroups: live and dying. */
  readonly count?: number | null | undefined;
  readonly live?: number | null | undefined;
  readonly dying?: number | null | undefined;
}

/**
 * Ids that are in use: from kernel 4.8 a cgroup gives its id back when it is removed, so only live ones hold one; before,
 * dying ones too (commit 73f576c04b94). `undefined` when what is needed is not known.
 */
export function memcgIdsHeld(kernelRelease: string, counts: MemcgCounts): number | undefined {
  const count = counts.count ?? undefined;
  const live = counts.live ?? undefined;
  const dying = counts.dying ?? undefined;
  const both = count ?? (live !== undefined && dying !== undefined ? live + dying : undefined);
  if (!givesIdsBack(kernelRelease)) return both;
  return live ?? (count !== undefined && dying !== undefined ? Math.max(0, count - dying) : undefined);
}

/**
 * Whether a count of memory cgroups is the one whose growth uses up ids: live ones from kernel 4.8 on, live and dying ones
 * together before.
 */
export function countsMemcgIds(kernelRelease: string, counter: keyof MemcgCounts): boolean {
  return counter === (givesIdsBack(kernelRelease) ? "live" : "count");
}

function givesIdsBack(kernelRelease: string): boolean {
  const match = /^(\d{1,3})\.(\d{1,3})/.exec(kernelRelease);
  if (match === null) return true;
  const major = Number(match[1]);
  return major > 4 || (major === 4 && Number(match[2]) >= 8);
}
