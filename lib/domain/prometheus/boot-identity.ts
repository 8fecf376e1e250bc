/**
 * Prometheus knows no boot id, only when a machine booted. The kernel computes that from its clock, so it moves by a
 * second or two while the clock is disciplined.
 */
const SAME_BOOT_MS = 60_000;

const PREFIX = "btime-";

/** A boot id made of the time of the boot; the same for the same reading, whoever imports it. */
export function bootIdOfTime(bootTimeSeconds: number): string {
  return `${PREFIX}${Math.round(bootTimeSeconds)}`;
}

/** Whether a boot id was made by `bootIdOfTime`, not by the kernel. */
export function isDerivedBootId(bootId: string): boolean {
  return bootId.startsWith(PREFIX);
}

/** Whether two times of boot, epoch milliseconds, are of one boot. */
export function isSameBootTime(aMs: number, bMs: number): boolean {
  return Math.abs(aMs - bMs) <= SAME_BOOT_MS;
}
