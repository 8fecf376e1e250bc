import { riseOrLevel } from "./explains.ts";
import { above, grows, growsOrHolds } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const shmemWithoutFiles: Signature = {
  id: "S34",
  name: "Shared memory without a file: unlinked, memfd, shared anonymous",
  kind: "leak",
  suspect: "tmpfs/shmem (outside the mounted tmpfs)",
  what: "Deleted files that are still open, memfd, shared anonymous maps and GPU buffers are Shmem that no df shows.",
  bands: ["shmem"],
  provenBy: "growth",
  key: above("shmem.outside.kib", 64 * 1024),
  requires: [growsOrHolds("shmem.outside.kib", { ofTotal: 0.05, kib: 512 * 1024 })],
  supports: [grows("shmem.outside.kib"), grows("band.shmem")],
  explainsKib: riseOrLevel("shmem.outside.kib"),
  confirm: {
    command:
      "ls -l /proc/*/fd 2>/dev/null | grep -E 'memfd:|\\(deleted\\)' | awk '{print $NF, $(NF-1)}' | sort | uniq -c | sort -rn | head; ipcs -m",
    reading: "Descriptors of one process: it holds them. Segments in ipcs -m without a process: S35.",
  },
  mitigate: "Restart the holder.",
  fix: "The application.",
  affectedVersions: "Any kernel.",
  sources: ["raspberrypi/bookworm-feedback#275", "rfjakob/earlyoom#208"],
};
