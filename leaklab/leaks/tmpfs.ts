import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import path from "node:path";
import { isDirectory } from "../lab.ts";
import { removeDirectory, type Leak, type LeakPlace } from "../leak.ts";

const CHUNK = Buffer.alloc(1024 * 1024, 1);

async function clean({ shm }: LeakPlace): Promise<string> {
  return removeDirectory(shm, "files in memory");
}

/** A file in /dev/shm: no process holds it, and no memory cgroup can give it back. */
export const tmpfs: Leak = {
  name: "tmpfs",
  summary: "files on a tmpfs, which stay without any process",
  unit: "MiB",
  count: 64,
  most: 256,
  stays: true,
  missing: () => (isDirectory("/dev/shm") ? undefined : "needs a tmpfs at /dev/shm, which is not there"),
  predict: (mib) => ({ shmem: mib * 1024 }),
  async start(place, count) {
    mkdirSync(place.shm);
    const file = openSync(path.join(place.shm, "held"), "w");
    for (let written = 0; written < count; written += 1) writeSync(file, CHUNK);
    closeSync(file);
    return { made: count, release: async () => void (await clean(place)) };
  },
  clean,
};
