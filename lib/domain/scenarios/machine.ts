import type { Snapshot } from "#lib/domain/snapshot/schema.ts";
import { SNAPSHOT_SCHEMA_VERSION } from "#lib/domain/snapshot/schema.ts";
import { createLogReader } from "#lib/domain/kernel-log/log-reader.ts";
import { MEMCG_ID_LIMIT } from "#lib/domain/memory/memcg-ids.ts";
import type { Rng } from "#lib/domain/statistics/rng.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { workingDay } from "./leaky-fleet.ts";
import { noiseSource } from "./noise.ts";
import { PCP_FREE_PAGES, randomBootId, simulatedMeminfo } from "./simulated-meminfo.ts";

const HOUR_MS = 3_600_000;
const MIB = 1024;
const GIB = 1024 * 1024;

/** What a container leaves behind when it is gone, KiB of each. */
export interface LeftBehind {
  readonly slabKib: number;
  readonly percpuKib: number;
  /** Whether it also leaves a file in /run/crio/exits, which is what holds it. */
  readonly exitFile: boolean;
}

/** Something that changes what a machine does from a moment on. */
export type Change =
  /** The job that starts containers without end: how many an hour from now on. */
  | { readonly kind: "job"; readonly containersPerHour: number }
  /** Which part of the containers leaves something behind from now on, 0 to 1. */
  | { readonly kind: "leaves"; readonly share: number }
  /** The exit files go, and with them the slab of the cgroups that they held. */
  | { readonly kind: "exit-files-removed" }
  | { readonly kind: "workload"; readonly anonKib: number }
  | { readonly kind: "versions"; readonly versions: Readonly<Record<string, string>> }
  /** Without samples for a few minutes; all that was left behind is gone. */
  | { readonly kind: "reboot"; readonly outOfMemory?: boolean };

/** A change, and when. */
export interface Deed {
  readonly atMs: number;
  readonly change: Change;
}

/** A made-up machine, whole: the same one gives the same history, byte for byte. */
export interface Machine {
  readonly name: string;
  readonly seed: number;
  readonly memTotalKib: number;
  readonly cpus: number;
  readonly kernelRelease: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly cgroupMode: "v1" | "v2";
  /** What its programs hold; a working day adds up to `dailyShare` of it. */
  readonly anonKib: number;
  readonly fileKib: number;
  readonly reclaimableKib: number;
  readonly mappedShare?: number;
  readonly dailyShare: number;
  /** How much its unreclaimable slab goes up and down by itself, MiB (sd). */
  readonly noiseMib: number;
  readonly containersPerHour: number;
  readonly containersLive: number;
  readonly leftBehind: LeftBehind;
  /** Which part of the containers leaves something behind at first, 0 to 1. */
  readonly leakingShare: number;
  /** Start of the boot that runs when the history begins. */
  readonly bootedAtMs: number;
  /** In order of time. Those before the history begins have taken effect by then. */
  readonly deeds: readonly Deed[];
  /** One moment at which some counters are known to the kB; it must lie on the grid of the samples. */
  readonly known?: {
    readonly atMs: number;
    readonly meminfo: Readonly<Record<string, number>>;
    readonly kernelImageKib: number;
  };
}

/** A reboot leaves no samples for so long. */
const REBOOT_MS = 6 * 60_000;
/** Caches of a fresh boot fill within a few of these. */
const WARM_UP_MS = 0.4 * HOUR_MS;
/** How often a node that is out of memory-cgroup ids says so. */
const REFUSAL_MS = 6 * HOUR_MS;
/** Page cache gives way before memory is out: shared memory, stacks, vmalloc, and 600 MiB that stay free. */
const KEPT_KIB = 1.25 * GIB;
const LEAST_FILE_KIB = 200 * MIB;

/**
 * The snapshots of a machine at the given moments, in the wire format: counters that add up to MemTotal with 1.1 GiB
 * unaccounted. Made lazily, and without end where the moments have none. On kernel 3.10 a dead memory cgroup keeps its id;
 * at 65,535 of them no container starts any more, the node reports memory pressure and its pods are evicted.
 */
export function* machineHistory(
  machine: Machine,
  momentsMs: Iterable<number>,
): Generator<Snapshot, void, undefined> {
  const running = new RunningMachine(machine);
  for (const atMs of momentsMs) {
    const snapshot = running.advanceTo(atMs);
    if (snapshot !== undefined) yield snapshot;
  }
}

type Noise = Readonly<
  Record<"slab" | "percpu" | "anon" | "file" | "reclaimable" | "live" | "unaccounted", () => number>
>;

function noiseOf(rng: Rng, { fileKib, noiseMib }: Machine, stepMs: number): Noise {
  return {
    slab: noiseSource(rng, noiseMib * MIB, 0.8, stepMs),
    percpu: noiseSource(rng, 4 * MIB, 0.8, stepMs),
    anon: noiseSource(rng, 0.003, 0.95, stepMs),
    file: noiseSource(rng, 0.02 * fileKib, 0.98, stepMs),
    reclaimable: noiseSource(rng, 8 * MIB, 0.95, stepMs),
    live: noiseSource(rng, 1.5, 0.9, stepMs),
    unaccounted: noiseSource(rng, 4 * MIB, 0.3, stepMs),
  };
}

class RunningMachine {
  readonly #machine: Machine;
  readonly #rng: Rng;
  readonly #deeds: Deed[];
  readonly #keepsIds: boolean;
  #noise: Noise | undefined;
  #stepMs = 0;
  #atMs: number;
  #bootId: string;
  #bootedAtMs: number;
  #rebootMs = -Infinity;
  #jobPerHour: number;
  #leakingShare: number;
  #anonKib: number;
  #versions: Readonly<Record<string, string>>;
  #started = 0;
  /** Dead cgroups that are still there, and all whose per-CPU part is. */
  #dead = 0;
  #percpuHeld = 0;
  #refusedAtMs = -Infinity;
  /** Not told yet. */
  #events: CollectorEvent[] = [];

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#rng = createRng(machine.seed);
    this.#deeds = [...machine.deeds];
    this.#keepsIds = machine.kernelRelease.startsWith("3.");
    this.#atMs = machine.bootedAtMs;
    this.#bootId = randomBootId(this.#rng);
    this.#bootedAtMs = machine.bootedAtMs;
    this.#jobPerHour = machine.containersPerHour;
    this.#leakingShare = machine.leakingShare;
    this.#anonKib = machine.anonKib;
    this.#versions = machine.versions;
  }

  /** The snapshot at a moment after the one before; undefined while the machine starts. */
  advanceTo(atMs: number): Snapshot | undefined {
    const stepMs = this.#noise === undefined ? 300_000 : atMs - this.#atMs;
    if (this.#noise === undefined || stepMs !== this.#stepMs) {
      this.#stepMs = stepMs;
      this.#noise = noiseOf(this.#rng, this.#machine, stepMs);
    }
    const noise = this.#noise;
    for (;;) {
      const [deed] = this.#deeds;
      if (deed === undefined || deed.atMs > atMs) break;
      this.#deeds.shift();
      this.#run(deed.atMs);
      this.#apply(deed);
    }
    this.#run(atMs);
    if (atMs < this.#rebootMs + REBOOT_MS) return undefined;
    const snapshot = this.#snapshot(atMs, noise);
    this.#events = [];
    return snapshot;
  }

  #isOutOfIds(): boolean {
    return this.#keepsIds && this.#dead + 2 * this.#machine.containersLive + 60 >= MEMCG_ID_LIMIT;
  }

  #run(untilMs: number): void {
    const hours = (untilMs - this.#atMs) / HOUR_MS;
    this.#atMs = untilMs;
    if (hours <= 0 || this.#isOutOfIds()) return;
    const created = this.#rng.poisson(this.#jobPerHour * hours);
    this.#started += created;
    const left = Math.round(created * this.#leakingShare);
    this.#dead += left;
    this.#percpuHeld += left;
  }

  #apply({ atMs, change }: Deed): void {
    switch (change.kind) {
      case "job":
        this.#jobPerHour = change.containersPerHour;
        return;
      case "leaves":
        this.#leakingShare = change.share;
        return;
      case "exit-files-removed":
        // The per-CPU chunks have holes then, and stay.
        this.#dead = 0;
        return;
      case "workload":
        this.#anonKib = change.anonKib;
        return;
      case "versions":
        this.#versions = { ...this.#versions, ...change.versions };
        return;
      case "reboot":
        if (change.outOfMemory === true) {
          const heldKib = 900 * MIB + this.#machine.leftBehind.slabKib * this.#dead;
          this.#events.push(...outOfMemory(this.#machine.name, atMs, heldKib));
        }
        this.#refusedAtMs = -Infinity;
        this.#bootId = randomBootId(this.#rng);
        this.#bootedAtMs = atMs;
        this.#rebootMs = atMs;
        this.#started = 0;
        this.#dead = 0;
        this.#percpuHeld = 0;
    }
  }

  #snapshot(atMs: number, noise: Noise): Snapshot {
    const { leftBehind, containersLive, dailyShare, memTotalKib, ...machine } = this.#machine;
    const day = dailyShare * workingDay((atMs % (24 * HOUR_MS)) / HOUR_MS);
    const outOfIds = this.#isOutOfIds();
    if (outOfIds && atMs - this.#refusedAtMs >= REFUSAL_MS) {
      const isFirst = this.#refusedAtMs === -Infinity;
      this.#refusedAtMs = atMs;
      this.#events.push(...refusals(machine.name, atMs, randomBootId(this.#rng), isFirst));
    }
    const live = Math.max(3, Math.round(containersLive * (outOfIds ? 0.3 : 1 + 0.5 * day) + noise.live()));
    const cgroupsLive = 2 * live + 60;
    const most = this.#keepsIds ? MEMCG_ID_LIMIT - cgroupsLive : Infinity;
    const dead = outOfIds ? most : Math.min(this.#dead, most);
    const warm = 1 - 0.6 * Math.exp(-(atMs - this.#bootedAtMs) / WARM_UP_MS);
    const files = leftBehind.exitFile ? this.#dead : 0;
    const unreclaimable = 900 * MIB * warm + leftBehind.slabKib * this.#dead + noise.slab();
    const percpu = 240 * MIB + leftBehind.percpuKib * this.#percpuHeld + noise.percpu();
    const anon = this.#anonKib * (0.4 + 0.6 * warm) * (1 + day + noise.anon());
    const reclaimable = machine.reclaimableKib * warm + noise.reclaimable();
    const unaccounted = 1.1 * GIB + noise.unaccounted();
    const fixed = unreclaimable + percpu + 1.01 * anon + reclaimable + unaccounted + 4 * files;
    const room = memTotalKib - fixed - KEPT_KIB;
    const meminfo = simulatedMeminfo({
      memTotalKib,
      unreclaimable,
      percpu,
      anon,
      file: Math.max(LEAST_FILE_KIB, Math.min(machine.fileKib * warm + noise.file(), room)),
      reclaimable,
      exitFilesKib: 4 * files,
      live,
      unaccounted,
      mappedShare: machine.mappedShare,
    });
    const { SUnreclaim = 0, SReclaimable = 0 } = meminfo;
    const { known } = machine;
    const isKnown = known?.atMs === atMs;
    return {
      schemaVersion: SNAPSHOT_SCHEMA_VERSION,
      node: machine.name,
      at: atMs,
      bootId: this.#bootId,
      uptimeSeconds: (atMs - this.#bootedAtMs) / 1000,
      kernelRelease: machine.kernelRelease,
      cpus: machine.cpus,
      pageSizeBytes: 4096,
      vmapStack: true,
      meminfo: this.#keepsIds ? asKernel310(meminfo) : isKnown ? { ...meminfo, ...known?.meminfo } : meminfo,
      pcpFreePages: PCP_FREE_PAGES,
      cgroups: { mode: machine.cgroupMode, live: cgroupsLive, dying: dead, memoryCount: cgroupsLive + dead },
      containersStarted: this.#started,
      containersLive: live,
      ...(isKnown && { kernelImageKib: known.kernelImageKib }),
      ...(leftBehind.exitFile && {
        watch: [{ path: "/run/crio/exits", files }],
        tmpfs: [
          {
            mount: "/run",
            sizeKib: Math.round(memTotalKib / 2),
            usedKib: 12_000 + 4 * files,
            inodes: Math.round(memTotalKib / 8),
            inodesUsed: 900 + files,
          },
        ],
      }),
      ...(atMs % 600_000 === 0 && this.#keepsIds && { kmemAccounting: this.#kmemAccounting(live) }),
      ...(atMs % 600_000 === 0 && { slab: slabCaches(SUnreclaim, SReclaimable, this.#dead) }),
      sources: SOURCES,
      versions: this.#versions,
      labels: machine.labels,
      ...(this.#events.length > 0 && { events: this.#events }),
    };
  }

  /** Containers of a runc that sets a limit on kernel memory, and what is charged to them. */
  #kmemAccounting(live: number): NonNullable<Snapshot["kmemAccounting"]> {
    const accounted = Math.round(live * this.#leakingShare);
    return { containers: live, accounted, usageKib: 1600 * accounted };
  }
}

type CollectorEvent = NonNullable<Snapshot["events"]>[number];

const SOURCES: NonNullable<Snapshot["sources"]> = Object.fromEntries(
  ["meminfo", "zoneinfo", "slabinfo", "cgroups", "cgroup-walk", "cgroups-created", "vmallocinfo"].map(
    (name) => [name, { status: "ok" as const }],
  ),
);

/** What /proc/meminfo of EL7's kernel lacks; vmalloc is virtual there, which no amount stands for. */
function asKernel310(meminfo: Readonly<Record<string, number>>): Record<string, number> {
  const { KReclaimable: _k, Percpu: _p, Hugetlb: _h, VmallocUsed: _v, VmallocChunk: _c, ...known } = meminfo;
  return known;
}

/** Events as the collector of the node would have read them from the log's own lines. */
function logged(name: string, atMs: number, lines: readonly string[]): CollectorEvent[] {
  const reader = createLogReader();
  return lines.flatMap((text, line) => {
    const event = reader.read({ text, atMs, id: `log:${name}:${atMs}:${line}` });
    if (event === undefined) return [];
    return [{ at: atMs, kind: event.kind, title: event.title, text: event.text, key: event.id }];
  });
}

/** The report of a 4.19 kernel, some seconds before the machine is reset. */
function outOfMemory(name: string, atMs: number, unreclaimableKib: number): CollectorEvent[] {
  return logged(name, atMs - 60_000, [
    "calico-node invoked oom-killer: gfp_mask=0x6200ca(GFP_HIGHUSER_MOVABLE), nodemask=(null), order=0, oom_score_adj=-997",
    ` slab_reclaimable:175000 slab_unreclaimable:${Math.round(unreclaimableKib / 4)}`,
    "Out of memory: Kill process 21877 (calico-node) score 2 or sacrifice child",
    "Killed process 21877 (calico-node) total-vm:1894120kB, anon-rss:61044kB, file-rss:0kB, shmem-rss:0kB",
  ]);
}

/** What kubelet says when no memory cgroup can be made any more, and at first what comes of it. */
function refusals(name: string, atMs: number, pod: string, isFirst: boolean): CollectorEvent[] {
  const refused = `mkdir /sys/fs/cgroup/memory/kubepods/burstable/pod${pod}: cannot allocate memory`;
  if (!isFirst) return logged(name, atMs, [refused]);
  const pressure: CollectorEvent = {
    at: atMs,
    kind: "memory-pressure",
    title: "The node is under MemoryPressure",
    text: "Taint node.kubernetes.io/memory-pressure:NoSchedule; little of the memory is used.",
    key: `memory-pressure:${name}:${atMs}`,
  };
  return [...logged(name, atMs, [refused, "eviction manager: attempting to reclaim memory"]), pressure];
}

/** The largest caches: those of a memory cgroup hold what the dead ones left. */
function slabCaches(
  unreclaimableKib: number,
  reclaimableKib: number,
  dead: number,
): NonNullable<Snapshot["slab"]> {
  const left = Math.max(0, unreclaimableKib - 700 * MIB);
  const cache = (name: string, objSizeBytes: number, sizeKib: number) => {
    const numObjs = Math.floor((sizeKib * 1024) / objSizeBytes);
    return {
      name,
      objSizeBytes,
      numObjs,
      activeObjs: Math.floor(0.93 * numObjs),
      sizeKib: Math.round(sizeKib),
    };
  };
  return [
    cache("kmalloc-4k", 4096, 90 * MIB + 0.3 * left),
    cache("mem_cgroup", 4096, 2 * MIB + 0.27 * left),
    cache("kmalloc-2k", 2048, 60 * MIB + 0.16 * left),
    cache("kmalloc-1k", 1024, 50 * MIB + 0.14 * left),
    cache("mem_cgroup_per_node", 512, MIB + 0.06 * left),
    cache("shmem_inode_cache", 720, 8 * MIB + 0.79 * dead),
    cache("dentry", 192, 0.6 * reclaimableKib),
    cache("inode_cache", 608, 0.3 * reclaimableKib),
  ];
}
