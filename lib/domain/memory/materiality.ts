const MIB_IN_KIB = 1024;

/**
 * The slowest growth worth calling a leak: max(16 MiB, 0.01 % of MemTotal) a day, as KiB per hour. A node with 188 GiB
 * would take 25 years to fill at it; below it a slope is real at most as arithmetic.
 *
 * @example materialSlopeKibPerHour(1_000_000) // 682.67: 16 MiB a day
 */
export function materialSlopeKibPerHour(memTotalKib: number): number {
  return Math.max(16 * MIB_IN_KIB, memTotalKib / 10_000) / 24;
}
