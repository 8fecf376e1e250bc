import { firstOf, objectsTimes } from "./explains.ts";
import { above, anyOf, grows, growsOrHolds, holds } from "./sign.ts";
import type { Signature } from "./signature.ts";

/** So many tasks no machine needs: a large one runs some ten thousand threads. */
const MANY_TASKS = 200_000;

export const threadLeak: Signature = {
  id: "S36",
  name: "A process makes ever more threads",
  kind: "leak",
  suspect: "kernel stacks",
  what: "Each thread has a kernel stack of 16 KiB and 7 KiB of slab. A pool that never shrinks shows as kernel memory.",
  bands: ["kstack", "sunrecl"],
  provenBy: "growth",
  key: anyOf(
    growsOrHolds("band.kstack", { ofTotal: 0.02, kib: 512 * 1024 }),
    above("slab.task_struct.objects", MANY_TASKS),
  ),
  // Zombies have no stack (S07).
  excludes: [
    holds(
      "there are far fewer stacks than tasks",
      ["band.kstack", "slab.task_struct.objects"],
      (stacks = 0, tasks = 0) => stacks < 2 * tasks,
    ),
    holds(
      "most tasks are zombies",
      ["tasks.zombies", "slab.task_struct.objects"],
      (zombies = 0, tasks = 0) => zombies > 0.5 * tasks,
    ),
  ],
  supports: [
    grows("tasks.threads"),
    above("process.threads.topShare", 0.5),
    anyOf(grows("slab.task_struct.bytes"), grows("slab.task_struct.objects")),
  ],
  explainsKib: firstOf(
    objectsTimes("band.kstack", () => 1 + 6.8 / 16),
    objectsTimes("slab.task_struct.objects", () => 16 + 6.8),
  ),
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
