import { riseOrLevel } from "./explains.ts";
import { allOf, anyOf, grows, growsOrHolds, hasModule } from "./sign.ts";
import type { Signature } from "./signature.ts";

const GPU_MODULE = /^(?:amdgpu|amdkfd|nvidia|nouveau|i915|xe|vendor.reset)/;

export const gpu: Signature = {
  id: "S42",
  name: "A GPU driver keeps pages",
  kind: "leak",
  suspect: "GPU driver",
  what: "Buffers of GPU jobs that are not given back: GPUActive where the kernel has it, unaccounted and slab where not.",
  bands: ["other", "unacc", "sunrecl"],
  provenBy: "growth",
  key: anyOf(
    growsOrHolds("meminfo.GPUActive", { ofTotal: 0.1, kib: 1024 * 1024 }),
    allOf(
      hasModule(GPU_MODULE, "a GPU driver"),
      growsOrHolds("band.unacc", { ofTotal: 0.1, kib: 1024 * 1024 }),
    ),
    allOf(hasModule(GPU_MODULE, "a GPU driver"), grows("meminfo.SUnreclaim")),
  ),
  supports: [grows("meminfo.GPUActive"), grows("band.unacc"), hasModule(GPU_MODULE, "a GPU driver")],
  explainsKib: riseOrLevel("meminfo.GPUActive"),
  confirm: {
    command:
      "grep GPU /proc/meminfo; grep -h drm-memory /proc/*/fdinfo/* 2>/dev/null | sort | uniq -c | sort -rn | head",
    reading: "More than the processes' drm-memory adds up to, in steps at the end of jobs: the driver.",
  },
  mitigate: "Reload the driver on a drained node.",
  fix: "Driver update.",
  affectedVersions: "amdgpu and nvidia versions of the sources.",
  sources: [
    "zen-kernel/zen-kernel#423",
    "ROCm/legacy-rocm-build#176",
    "NVIDIA/open-gpu-kernel-modules#613",
    "gnif/vendor-reset#28",
  ],
};
