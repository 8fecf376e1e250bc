import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { isDirectory, isMounted } from "../lab.ts";
import { lacks, needsProgram, needsRoot, type Leak, type LeakPlace } from "../leak.ts";

const directoryOf = ({ state }: LeakPlace) => path.join(state, "netns");

async function clean(place: LeakPlace): Promise<string> {
  const directory = directoryOf(place);
  if (!isDirectory(directory)) return "";
  const names = readdirSync(directory);
  for (const name of names) {
    const file = path.join(directory, name);
    if (isMounted(file)) execFileSync("umount", [file], { stdio: ["ignore", "ignore", "pipe"] });
  }
  rmSync(directory, { recursive: true });
  return `${names.length} network namespaces`;
}

/** Network namespaces that a mount keeps, as a runtime that forgets to take down the network leaves them. */
export const netns: Leak = {
  name: "netns",
  summary: "network namespaces that a mount keeps without any process",
  unit: "namespaces",
  count: 100,
  most: 500,
  stays: true,
  missing: () => lacks(needsRoot("making namespaces"), needsProgram("unshare", "making namespaces")),
  predict: (count, cpus) => ({
    sunrecl: count * 180,
    srecl: count * 12,
    percpu: Math.round(count * 3.2 * cpus),
  }),
  async start(place, count) {
    const directory = directoryOf(place);
    mkdirSync(directory);
    for (let index = 0; index < count; index += 1) {
      const file = path.join(directory, `ns-${index}`);
      closeSync(openSync(file, "w"));
      execFileSync("unshare", [`--net=${file}`, "true"], { stdio: ["ignore", "ignore", "pipe"] });
    }
    return { made: count, release: async () => void (await clean(place)) };
  },
  clean,
};
