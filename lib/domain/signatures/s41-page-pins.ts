import { firstOf, riseOrLevel } from "./explains.ts";
import { above, anyOf, grows, holds, kernelBetween, movesWith } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const pagePins: Signature = {
  id: "S41",
  name: "Pinned pages are never released",
  kind: "leak",
  suspect: "pinned pages (unaccounted)",
  what: "RDMA, VFIO and GPU drivers pin user pages. Pins that outlive the process leave pages that belong to no class, or stay on the anonymous lists without a mapping.",
  bands: ["unacc"],
  provenBy: "growth",
  key: anyOf(
    grows("pins.pages"),
    grows("lru.orphan.kib"),
    above("lru.orphan.kib", 1024 * 1024),
    holds(
      "what is pinned is about what no class holds",
      ["pins.kib", "band.unacc"],
      (pinned = 0, unaccounted = 0) =>
        pinned > 1024 * 1024 && pinned > 0.7 * unaccounted && pinned < 1.4 * unaccounted,
    ),
  ),
  supports: [
    grows("pins.pages"),
    grows("band.unacc"),
    movesWith("band.unacc", "pins.pages", 0.7),
    grows("lru.orphan.kib"),
  ],
  affects: kernelBetween(undefined, "6.12.1"),
  explainsKib: firstOf(
    (evidence) => riseOrLevel("lru.orphan.kib")(evidence) || undefined,
    riseOrLevel("band.unacc"),
  ),
  confirm: {
    command:
      "grep nr_foll_pin /proc/vmstat; grep -E 'anon|AnonPages|Shmem' /proc/meminfo; page-types -b anon,thp=anon,thp",
    reading:
      "acquired minus released that grows after each job and never falls: pins. Anonymous lists far above AnonPages plus Shmem: pages without a process.",
  },
  mitigate: "Reboot.",
  fix: "Kernel or driver update.",
  affectedVersions: "Before 6.12.1 for the cited case; RDMA and VFIO in general.",
  sources: ["ggml-org/llama.cpp#9988"],
};
