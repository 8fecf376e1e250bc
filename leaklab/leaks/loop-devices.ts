import { readdirSync } from "node:fs";
import { runPython } from "../holder.ts";
import { lacks, needsProgram, needsRoot, type Leak } from "../leak.ts";

/** Numbers from here on are the lab's; the machine's own begin at 0. */
const FIRST = 7000;

const CONTROL = `
import fcntl
request, numbers = int(sys.argv[1]), [int(each) for each in sys.argv[2].split(",")]
with open("/dev/loop-control", "r+b", buffering=0) as control:
    for number in numbers: fcntl.ioctl(control, request, number)
`;
const ADD = 0x4c80;
const REMOVE = 0x4c81;

/** Numbers of the lab's devices among the names in /sys/block. */
export function ownDevices(names: readonly string[], most: number): number[] {
  return names.flatMap((name) => {
    const number = Number(/^loop(\d+)$/.exec(name)?.[1] ?? Number.NaN);
    return number >= FIRST && number < FIRST + most ? [number] : [];
  });
}

async function clean(): Promise<string> {
  const numbers = ownDevices(readdirSync("/sys/block"), loopDevices.most);
  if (numbers.length === 0) return "";
  runPython(CONTROL, REMOVE, numbers.join(","));
  return `${numbers.length} loop devices`;
}

/**
 * Loop devices with nothing attached: a directory tree in sysfs and debugfs each, and the requests of its queue, which the block
 * layer takes as pages that no counter of meminfo knows.
 */
export const loopDevices: Leak = {
  name: "loop-devices",
  summary: "loop devices that nothing is attached to",
  unit: "devices",
  count: 200,
  most: 500,
  stays: true,
  missing: () =>
    lacks(needsRoot("adding devices"), needsProgram("python3", "the ioctl that adds a loop device")),
  predict: (count, cpus) => ({
    unacc: count * 68,
    srecl: count * 37,
    sunrecl: count * 24,
    percpu: Math.round(count * 0.5 * cpus),
  }),
  async start(_place, count) {
    const numbers = Array.from({ length: count }, (_, index) => FIRST + index);
    runPython(CONTROL, ADD, numbers.join(","));
    return { made: count, release: async () => void (await clean()) };
  },
  clean,
};
