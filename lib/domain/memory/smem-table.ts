/** One row of `smem -w`, KiB. Cells that cannot be known are absent; smem prints 0 there. */
export interface SmemRow {
  readonly key: "firmware" | "kernelImage" | "kernelDynamic" | "userspace" | "free";
  /** The word that smem prints. */
  readonly label: string;
  readonly usedKib: number | undefined;
  readonly cacheKib: number | undefined;
  readonly noncacheKib: number | undefined;
}

export const SMEM_MEMINFO_KEYS = [
  "MemTotal",
  "MemFree",
  "Buffers",
  "Cached",
  "AnonPages",
  "Mapped",
  "SReclaimable",
] as const;

export type SmemMeminfoKey = (typeof SMEM_MEMINFO_KEYS)[number];

export interface SmemOptions {
  /** Text, data and bss of the kernel image: `smem -K vmlinux`. */
  readonly kernelImageKib?: number | undefined;
  /** Memory that is physically there: `smem -R 192G`. */
  readonly physicalKib?: number | undefined;
}

/**
 * The five rows of `smem -w`, to the kB: smem(8) 1.5, `showsystem()`.
 *
 * The kernel image is not inside MemTotal and is listed all the same, so Used sums to more than MemTotal with it.
 * Firmware needs `physicalKib`, the image `kernelImageKib`. `Cached - Mapped` may be negative and is not clamped, as
 * in smem. Returns `undefined` when one of the seven counters is missing, where smem stops with an error.
 */
export function smemTable(
  meminfo: (key: SmemMeminfoKey) => number | null | undefined,
  { kernelImageKib, physicalKib }: SmemOptions = {},
): readonly SmemRow[] | undefined {
  const read = (key: SmemMeminfoKey) => meminfo(key) ?? undefined;
  const total = read("MemTotal");
  const free = read("MemFree");
  const buffers = read("Buffers");
  const cached = read("Cached");
  const anon = read("AnonPages");
  const mapped = read("Mapped");
  const srecl = read("SReclaimable");
  if (total === undefined || free === undefined || buffers === undefined || cached === undefined)
    return undefined;
  if (anon === undefined || mapped === undefined || srecl === undefined) return undefined;

  const firmware =
    physicalKib === undefined ? undefined : Math.max(physicalKib - total - (kernelImageKib ?? 0), 0);
  const userspace = anon + mapped;
  return [
    row("firmware", "firmware/hardware", firmware, 0),
    row("kernelImage", "kernel image", kernelImageKib, 0),
    row(
      "kernelDynamic",
      "kernel dynamic memory",
      total - free - userspace,
      buffers + srecl + (cached - mapped),
    ),
    row("userspace", "userspace memory", userspace, mapped),
    row("free", "free memory", free, free),
  ];
}

function row(key: SmemRow["key"], label: string, usedKib: number | undefined, cacheKib: number): SmemRow {
  if (usedKib === undefined) {
    return { key, label, usedKib: undefined, cacheKib: undefined, noncacheKib: undefined };
  }
  return { key, label, usedKib, cacheKib, noncacheKib: usedKib - cacheKib };
}
