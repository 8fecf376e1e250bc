import type { Deed, LeftBehind, Machine } from "./machine.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const GIB = 1024 * 1024;

const MEM_TOTAL_KIB = 196_688_344;
/** What a dead memory cgroup of a node with 32 CPUs holds. */
const LEFT: LeftBehind = { slabKib: 30.5, percpuKib: 44.4, exitFile: true };
/** With its exit file, which is a page of a tmpfs. */
const KIB_PER_CONTAINER = LEFT.slabKib + LEFT.percpuKib + 4;
const JOB_PER_HOUR = 4260;
/** What runs beside the job. */
const OTHER_PER_HOUR = 12;
/** Kernel, caches and what stays free when everything else is gone. */
const NOT_FOR_PROGRAMS_KIB = 5.3 * GIB;

const UPGRADE = { "cri-o": "1.16.6" } as const;

/** Moments of the first history, epoch milliseconds. */
export interface ExitFileMoments {
  /** 04:15 GMT, 12 to 36 hours before the anchor. */
  readonly stoppedMs: number;
  readonly restartedMs: number;
  readonly removedMs: number;
  /** When `smem -w` was run on the node. */
  readonly smemMs: number;
  readonly bootedMs: number;
  readonly upgradedMs: Readonly<Record<"w04" | "w05" | "w06", number>>;
}

/** When what happened in the first history. */
export function exitFileMoments(anchorMs: number): ExitFileMoments {
  const day = Math.floor((anchorMs - 12 * HOUR_MS - 4.25 * HOUR_MS) / DAY_MS) * DAY_MS;
  const stoppedMs = day + 4.25 * HOUR_MS;
  const smemMs = stoppedMs - HOUR_MS / 4;
  return {
    stoppedMs,
    restartedMs: stoppedMs - 5.25 * HOUR_MS,
    removedMs: stoppedMs + 6.5 * HOUR_MS,
    smemMs,
    // 263,900 containers at the pace of the job.
    bootedMs: smemMs - Math.round((263_900 / JOB_PER_HOUR) * 60) * 60_000,
    upgradedMs: {
      w04: wholeHour(anchorMs - 4.2 * DAY_MS),
      w05: wholeHour(anchorMs - 3.4 * DAY_MS),
      w06: wholeHour(anchorMs - 2.3 * DAY_MS),
    },
  };
}

function wholeHour(ms: number): number {
  return Math.floor(ms / HOUR_MS) * HOUR_MS;
}

/** What programs may hold so that the node is full after so many hours of the job. */
function anonOfFull(perHour: number, hours: number): number {
  return Math.round(MEM_TOTAL_KIB - NOT_FOR_PROGRAMS_KIB - perHour * hours * KIB_PER_CONTAINER);
}

interface Leaking {
  readonly name: string;
  readonly seed: number;
  readonly perHour: number;
  /** From boot to out of memory. */
  readonly lastsDays: number;
  /** The next time that memory is out, if nothing is done. */
  readonly endsMs: number;
  readonly anchorMs: number;
  /** What is done; crashes after the first of them do not come. */
  readonly deeds?: readonly Deed[];
}

/** A node of the cluster that runs the job and crashes about once a week. */
function leaking({ name, seed, perHour, lastsDays, endsMs, anchorMs, deeds = [] }: Leaking): Machine {
  const lastsMs = lastsDays * DAY_MS;
  const before = Math.ceil((endsMs - (anchorMs - 16 * DAY_MS)) / lastsMs);
  const untilMs = deeds[0]?.atMs ?? anchorMs + 8 * DAY_MS;
  const crashes = Array.from({ length: before + 2 }, (_, index) => endsMs - (before - 1 - index) * lastsMs)
    .filter((atMs) => atMs < untilMs)
    .map((atMs): Deed => ({ atMs: Math.round(atMs), change: { kind: "reboot", outOfMemory: true } }));
  return {
    ...COMMON,
    name,
    seed,
    anonKib: anonOfFull(perHour, lastsMs / HOUR_MS),
    containersPerHour: perHour,
    bootedAtMs: Math.round(endsMs - before * lastsMs),
    deeds: [...crashes, ...deeds].sort((a, b) => a.atMs - b.atMs),
  };
}

const COMMON = {
  memTotalKib: MEM_TOTAL_KIB,
  cpus: 32,
  kernelRelease: "4.19.0-6-amd64",
  versions: { "cri-o": "1.15.2", runc: "1.0.0-rc9", kubelet: "v1.15.5" },
  labels: { role: "worker", job: "pull-monitor" },
  cgroupMode: "v1",
  fileKib: 24 * GIB,
  reclaimableKib: 700 * 1024,
  dailyShare: 0,
  noiseMib: 20,
  containersLive: 38,
  leftBehind: LEFT,
  leakingShare: 1,
} as const;

/** The node that was looked into: drained after its last crash, so that only the kernel holds memory. */
function investigated(anchorMs: number): Machine {
  const { stoppedMs, removedMs, bootedMs, smemMs } = exitFileMoments(anchorMs);
  const machine = leaking({
    name: "w01",
    seed: 101,
    perHour: JOB_PER_HOUR,
    lastsDays: 6.7,
    endsMs: bootedMs,
    anchorMs,
    deeds: [
      { atMs: bootedMs, change: { kind: "reboot", outOfMemory: true } },
      { atMs: bootedMs, change: { kind: "workload", anonKib: 699_404 } },
      { atMs: stoppedMs, change: { kind: "job", containersPerHour: OTHER_PER_HOUR } },
      { atMs: stoppedMs, change: { kind: "leaves", share: 0 } },
      { atMs: removedMs, change: { kind: "exit-files-removed" } },
    ],
  });
  return {
    ...machine,
    fileKib: 449_776,
    reclaimableKib: 200_000,
    mappedShare: 0.708,
    known: {
      atMs: smemMs,
      kernelImageKib: 12_629,
      meminfo: {
        MemFree: 171_566_560,
        AnonPages: 699_404,
        Mapped: 318_360,
        Buffers: 40_960,
        Cached: 1_812_576,
        SReclaimable: 200_000,
        KReclaimable: 200_000,
      },
    },
  };
}

/**
 * Containers that leave something behind: a job that starts containers without end fills each node of a cluster of 188 GiB
 * nodes in a week. Restarting the runtime changes nothing; stopping the job stops the growth and gives nothing back;
 * removing the exit files gives a part back; a newer runtime leaves nothing.
 */
export function exitFileCluster(anchorMs: number): SimulatedCluster {
  const { stoppedMs, restartedMs, removedMs, upgradedMs } = exitFileMoments(anchorMs);
  const upgrade = (atMs: number): Deed[] => [
    { atMs, change: { kind: "versions", versions: UPGRADE } },
    { atMs, change: { kind: "leaves", share: 0 } },
  ];
  const earlierRestartMs = wholeHour(anchorMs - 2.8 * DAY_MS);
  const quiet = (name: string, seed: number): Machine => ({
    ...COMMON,
    name,
    seed,
    labels: { role: "infra" },
    anonKib: 22 * GIB,
    containersPerHour: OTHER_PER_HOUR,
    leakingShare: 0,
    dailyShare: 0.05,
    bootedAtMs: anchorMs - 40 * DAY_MS,
    deeds: [],
  });
  const worker = (index: number, perHour: number, lastsDays: number, endsInDays: number) =>
    leaking({
      name: `w${String(index).padStart(2, "0")}`,
      seed: 100 + index,
      perHour,
      lastsDays,
      endsMs: Math.round(anchorMs + endsInDays * DAY_MS),
      anchorMs,
    });
  return {
    name: "athena",
    machines: [
      investigated(anchorMs),
      worker(2, 4260, 7, 0.4),
      worker(3, 3900, 7.2, 1.5),
      leaking({
        name: "w04",
        seed: 104,
        perHour: 4100,
        lastsDays: 6.8,
        endsMs: upgradedMs.w04 + 1.7 * DAY_MS,
        anchorMs,
        deeds: upgrade(upgradedMs.w04),
      }),
      leaking({
        name: "w05",
        seed: 105,
        perHour: 4260,
        lastsDays: 7.1,
        endsMs: upgradedMs.w05 + 2.4 * DAY_MS,
        anchorMs,
        deeds: [...upgrade(upgradedMs.w05), { atMs: upgradedMs.w05, change: { kind: "reboot" } }],
      }),
      leaking({
        name: "w06",
        seed: 106,
        perHour: 4000,
        lastsDays: 6.9,
        endsMs: upgradedMs.w06 + 2 * DAY_MS,
        anchorMs,
        deeds: [
          ...upgrade(upgradedMs.w06),
          { atMs: upgradedMs.w06 + 24 * HOUR_MS, change: { kind: "exit-files-removed" } },
        ],
      }),
      worker(7, 4260, 6.9, 2.3),
      worker(8, 4180, 7.3, 3.4),
      worker(9, 4050, 7, 4.6),
      worker(10, 4260, 6.8, 5.8),
      quiet("w11", 111),
      quiet("w12", 112),
    ],
    marks: [
      {
        atMs: earlierRestartMs,
        kind: "intervention",
        title: "CRI-O restarted",
        text: "systemctl restart crio, to see whether it lets go of memory.",
        nodes: ["w03"],
      },
      {
        atMs: upgradedMs.w04,
        kind: "deploy",
        title: "CRI-O upgraded to 1.16.6",
        text: "It removes the exit files of pods that are gone. Not rebooted.",
        nodes: ["w04"],
      },
      {
        atMs: upgradedMs.w05,
        kind: "deploy",
        title: "CRI-O upgraded to 1.16.6, with a reboot",
        nodes: ["w05"],
      },
      { atMs: upgradedMs.w06, kind: "deploy", title: "CRI-O upgraded to 1.16.6", nodes: ["w06"] },
      {
        atMs: upgradedMs.w06 + 24 * HOUR_MS,
        kind: "intervention",
        title: "Exit files removed",
        text: "find /run/crio/exits -type f -mmin +60 -delete",
        nodes: ["w06"],
      },
      {
        atMs: restartedMs,
        kind: "intervention",
        title: "CRI-O restarted",
        text: "systemctl restart crio on the drained node, while pull-monitor goes on.",
        nodes: ["w01"],
      },
      {
        atMs: stoppedMs,
        kind: "intervention",
        title: "pull-monitor stopped at 04:15 GMT",
        text: "The job that constantly starts containers, on this node alone: the others go on and are the comparison.",
        nodes: ["w01"],
      },
      {
        atMs: removedMs,
        kind: "intervention",
        title: "Exit files removed",
        text: "find /run/crio/exits -type f -mmin +60 -delete",
        nodes: ["w01"],
      },
    ],
  };
}
