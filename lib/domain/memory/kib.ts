/**
 * Memory is KiB inside Plumbline, which is what the kernel means by kB. Pages become KiB only with the page size of
 * the machine they were counted on: 4096 bytes on x86, 65536 on ppc64 and some arm64. Nothing here assumes one.
 */

/** Bytes in KiB, not rounded. */
export function bytesToKib(bytes: number): number {
  return bytes / 1024;
}

/** KiB in bytes. */
export function kibToBytes(kib: number): number {
  return kib * 1024;
}

/** Pages of `pageSizeBytes` in KiB. */
export function pagesToKib(pages: number, pageSizeBytes: number): number {
  return (pages * pageSizeBytes) / 1024;
}

/** KiB in pages of `pageSizeBytes`, not rounded. */
export function kibToPages(kib: number, pageSizeBytes: number): number {
  return (kib * 1024) / pageSizeBytes;
}

/** Huge pages in KiB; `hugepagesizeKib` is the `Hugepagesize` line of the same meminfo. */
export function hugePagesToKib(pages: number, hugepagesizeKib: number): number {
  return pages * hugepagesizeKib;
}

/** Whether a number can be a page size: a power of two from 4 KiB to 256 KiB, the range Linux was ever built for. */
export function isPageSizeBytes(bytes: number): boolean {
  return Number.isInteger(bytes) && bytes >= 4096 && bytes <= 262_144 && (bytes & (bytes - 1)) === 0;
}
