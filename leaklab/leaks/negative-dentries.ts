import { mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { removeDirectory, type Leak, type LeakPlace } from "../leak.ts";

async function clean({ disk }: LeakPlace): Promise<string> {
  // The kernel drops what it remembers below a directory together with it.
  return removeDirectory(disk, "a directory that was looked for names");
}

/** Names that were looked for and are not there: the kernel remembers each of them. */
export const negativeDentries: Leak = {
  name: "negative-dentries",
  summary: "lookups of names that do not exist, which the kernel remembers",
  unit: "names",
  count: 200_000,
  most: 1_000_000,
  stays: true,
  missing: () => undefined,
  predict: (count) => ({ srecl: Math.round(count * 0.19) }),
  async start(place, count) {
    mkdirSync(place.disk);
    for (let index = 0; index < count; index += 1) {
      statSync(path.join(place.disk, `none-${index}`), { throwIfNoEntry: false });
    }
    return { made: count, release: async () => void (await clean(place)) };
  },
  clean,
};
