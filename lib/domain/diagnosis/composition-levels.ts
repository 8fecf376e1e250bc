import { reportedBands, type Composition } from "../memory/composition.ts";

/** The quantities that a composition holds, KiB; what the kernel does not report is left out. */
export function compositionLevels(composition: Composition): Record<string, number> {
  const { other, kernelUnreclaimableKib, kernelNoncacheKib } = composition;
  return {
    ...Object.fromEntries(reportedBands(composition).map(({ key, kib }) => [`band.${key}`, kib])),
    "total.kernelUnreclaimable": kernelUnreclaimableKib,
    ...(kernelNoncacheKib !== undefined && { "total.kernelNoncache": kernelNoncacheKib }),
    ...(other.zcomp !== undefined && { "zpool.kib": other.zcomp }),
  };
}
