import { endHolder, startPythonHolder } from "../holder.ts";
import { lacks, needsProgram, nothingStays, type Leak } from "../leak.ts";

const FORK = `
for index in range(int(sys.argv[1])):
    if os.fork() == 0: os._exit(0)
`;

/** Processes that have ended and that nobody asks for their end: a task and its slabs each, without a stack. */
export const zombies: Leak = {
  name: "zombies",
  summary: "ended processes whose parent never asks for them",
  unit: "processes",
  count: 2000,
  most: 10_000,
  stays: false,
  missing: () => lacks(needsProgram("python3", "forking without reaping (Node.js and a shell reap)")),
  predict: (count) => ({ sunrecl: Math.round(count * 10.5) }),
  async start(_place, count) {
    const child = await startPythonHolder(FORK, count);
    return { made: count, release: () => endHolder(child) };
  },
  clean: nothingStays,
};
