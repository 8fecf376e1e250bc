import { riseOrLevel } from "./explains.ts";
import { tmpfsIsFull } from "./full-tmpfs.ts";
import { anyOf, grows, growsOrHolds, holds, risesInStep } from "./sign.ts";
import type { Signature } from "./signature.ts";

const SHMEM = "band.shmem";

export const tmpfsFiles: Signature = {
  id: "S33",
  name: "Files on tmpfs, emptyDir in memory",
  kind: "leak",
  suspect: "tmpfs/shmem",
  what: "Files on tmpfs are memory that nothing can drop without swap. They are charged to whoever wrote them and outlive the container.",
  bands: ["shmem"],
  provenBy: "growth",
  key: anyOf(
    tmpfsIsFull,
    grows("tmpfs.used.kib"),
    holds(
      "files on tmpfs hold most of a large Shmem",
      ["tmpfs.used.kib", SHMEM, "meminfo.MemTotal"],
      (used = 0, shmem = 0, total = 0) => shmem > 0.1 * total && used > 0.5 * shmem,
    ),
  ),
  // Full is full, however small beside the machine.
  requires: [anyOf(tmpfsIsFull, growsOrHolds(SHMEM, { ofTotal: 0.1, kib: 512 * 1024 }))],
  supports: [
    grows(SHMEM),
    risesInStep("tmpfs.used.kib", SHMEM, [0.5, 1.5], "files on tmpfs rise as Shmem does"),
  ],
  explainsKib: riseOrLevel("tmpfs.used.kib"),
  confirm: {
    command: "df -k -t tmpfs --output=used,target | sort -rn | head",
    reading:
      "One mount with the growth names the pod or service. Mounts that add up to far less than Shmem: S34 or S35.",
  },
  mitigate: "Delete the files, or the pod.",
  fix: "sizeLimit of the emptyDir.",
  affectedVersions: "Any kernel.",
  sources: ["kubernetes/kubernetes#72759", "kubernetes/website#36453"],
};
