import { closeSync, mkdirSync, openSync } from "node:fs";
import path from "node:path";
import { endHolder, startHolder } from "../holder.ts";
import { removeDirectory, type Leak, type LeakPlace } from "../leak.ts";

async function clean({ disk }: LeakPlace): Promise<string> {
  return removeDirectory(disk, "files that were watched");
}

/** Watches on files: each pins the inode, which the kernel could otherwise give back. */
export const inotify: Leak = {
  name: "inotify",
  summary: "inotify watches, each of which pins the inode of its file",
  unit: "watches",
  count: 10_000,
  most: 50_000,
  stays: false,
  missing: () => undefined,
  predict: (count) => ({ srecl: Math.round(count * 1.3), sunrecl: Math.round(count * 0.12) }),
  async start(place, count) {
    mkdirSync(place.disk);
    for (let index = 0; index < count; index += 1) {
      closeSync(openSync(path.join(place.disk, `file-${index}`), "w"));
    }
    const program = `
      const { watch } = require("node:fs");
      const held = [];
      for (let index = 0; index < ${count}; index += 1) held.push(watch(${JSON.stringify(place.disk)} + "/file-" + index));
      globalThis.held = held;
      process.stdout.write(".");`;
    const child = await startHolder(program, {}, 256);
    return {
      made: count,
      release: async () => {
        await endHolder(child);
        await clean(place);
      },
    };
  },
  clean,
};
