import { riseOrLevel } from "./explains.ts";
import { above, grows, movesWith } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const orphanSegments: Signature = {
  id: "S35",
  name: "Shared-memory segments without a process",
  kind: "leak",
  suspect: "tmpfs/shmem (orphan segments)",
  what: "SysV segments and files in /dev/shm outlive the process. They belong to the pod's IPC namespace, which the pause container holds, so each restart of the container adds one.",
  bands: ["shmem"],
  provenBy: "growth",
  key: above("sysvshm.orphan.kib", 64 * 1024),
  supports: [
    grows("sysvshm.orphan.kib"),
    grows("band.shmem"),
    movesWith("band.shmem", "containers.started", 0.7),
  ],
  explainsKib: riseOrLevel("sysvshm.orphan.kib"),
  confirm: {
    command: "nsenter -t PAUSE_PID -i ipcs -m   # in each pod's own IPC namespace",
    reading: "Segments with nattch 0: orphans. The node's own ipcs sees only its own namespace.",
  },
  mitigate: "Delete the pod, not only its container; or ipcrm inside the namespace.",
  fix: "Clean-up at the start of the application.",
  affectedVersions: "Any kernel.",
  sources: [
    "cagriekin/charts#234",
    "Project-OSRM/osrm-backend#7312",
    "containers/podman#24192",
    "kubernetes/kubernetes#81001",
  ],
};
