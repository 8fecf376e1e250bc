import { objectsTimes } from "./explains.ts";
import { above, anyOf, grows, growsOrHolds } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const threadLeak: Signature = {
  id: "S36",
  name: "A process makes ever more threads",
  kind: "leak",
  suspect: "kernel stacks",
  what: "Each thread has a kernel stack of 16 KiB and 7 KiB of slab. A pool that never shrinks shows as kernel memory.",
  bands: ["kstack", "sunrecl"],
  provenBy: "growth",
  key: growsOrHolds("band.kstack", { ofTotal: 0.02, kib: 512 * 1024 }),
  supports: [
    grows("tasks.threads"),
    above("process.threads.topShare", 0.5),
    anyOf(grows("slab.task_struct.bytes"), grows("slab.task_struct.objects")),
  ],
  explainsKib: (evidence) => {
    const stacks = objectsTimes("band.kstack", () => 1)(evidence);
    return stacks === undefined ? undefined : stacks * (1 + 6.8 / 16);
  },
  confirm: {
    command: "grep -H ^Threads /proc/[0-9]*/status | sort -k2 -rn | head",
    reading:
      "One process with most threads: its pool. Stacks far above threads: tasks that ended and are still held in the kernel.",
  },
  mitigate: "Restart it.",
  fix: "The thread pool; pids.max.",
  affectedVersions: "Any kernel.",
  sources: ["measured on 6.18: 4,000 threads are 64,016 KiB of stacks and 27,188 KiB of slab"],
};
