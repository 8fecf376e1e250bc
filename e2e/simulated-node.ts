import { createRng } from "#lib/domain/statistics/rng.ts";
import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";

const GIB = 1024 * 1024;

/** The history of a made-up node. Its name says nothing; its label says that it is simulated. */
export interface SimulatedNode {
  readonly name: string;
  readonly seed: number;
  readonly totalKib: number;
  readonly cpus: number;
  readonly kernelRelease: string;
  readonly versions?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  /** First and last sample, epoch milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly everyMs: number;
  /** Containers started per hour. */
  readonly containersPerHour: number;
  /** KiB that each container leaves behind. */
  readonly kibPerContainer: number;
  /** From here on nothing is started. */
  readonly stopAtMs?: number;
  /** From here on this much of what was left behind is given back. */
  readonly freeAtMs?: number;
  readonly freedShare?: number;
  /** Begins a second boot. */
  readonly rebootAtMs?: number;
  /** Nothing was sent in between. */
  readonly silent?: readonly [number, number];
  readonly blind?: boolean;
}

/** Snapshots of a simulated node, oldest first. The same input gives the same numbers. */
export function simulateNode(node: SimulatedNode): SnapshotInput[] {
  const rng = createRng(node.seed);
  const snapshots: SnapshotInput[] = [];
  let drift = 0;
  let containers = 0;
  let leakedKib = 900_000;
  let bootMs = node.fromMs - 3 * 86_400_000;
  let boot = 1;
  let freed = false;
  for (let atMs = node.fromMs; atMs <= node.toMs; atMs += node.everyMs) {
    if (node.rebootAtMs !== undefined && boot === 1 && atMs >= node.rebootAtMs) {
      boot = 2;
      bootMs = atMs - 30_000;
      containers = 0;
      leakedKib = 900_000;
    }
    const hour = (atMs / 3_600_000) % 24;
    const daily = 1 + 0.04 * Math.sin((hour / 24) * 2 * Math.PI);
    const running = node.stopAtMs === undefined || atMs < node.stopAtMs;
    const started = running
      ? Math.round((node.containersPerHour * daily * node.everyMs) / 3_600_000 + rng.normal() * 0.4)
      : 0;
    containers += Math.max(0, started);
    leakedKib += Math.max(0, started) * node.kibPerContainer;
    if (!freed && node.freeAtMs !== undefined && atMs >= node.freeAtMs) {
      freed = true;
      leakedKib -= (leakedKib - 900_000) * (node.freedShare ?? 0.5);
    }
    drift = 0.8 * drift + rng.normal() * 500;
    const booting = node.rebootAtMs !== undefined && boot === 1 && atMs > node.rebootAtMs - 180_000;
    if (booting) continue;
    if (node.silent && atMs > node.silent[0] && atMs < node.silent[1]) continue;
    snapshots.push(snapshotOf(node, { atMs, bootMs, boot, containers, leakedKib: leakedKib + drift, rng }));
  }
  return snapshots;
}

function snapshotOf(
  node: SimulatedNode,
  state: {
    atMs: number;
    bootMs: number;
    boot: number;
    containers: number;
    leakedKib: number;
    rng: { normal: () => number };
  },
): SnapshotInput {
  const { rng } = state;
  const kib = (value: number, noise = 0) => Math.max(0, Math.round(value + rng.normal() * noise));
  const percpu = kib(state.leakedKib * 0.7);
  const sunreclaim = kib(state.leakedKib * 0.3 + 120_000);
  const sreclaimable = kib(250_000, 900);
  const cached = kib(2.2 * GIB, 9_000);
  const shmem = 20_000;
  const anon = kib(1.6 * GIB, 6_000);
  const [buffers, stacks, tables, vmalloc] = [60_000, 14_000, 21_000, 30_000];
  const unaccounted = 380_000;
  const used =
    percpu + sunreclaim + sreclaimable + cached + buffers + anon + stacks + tables + vmalloc + unaccounted;
  const free = node.totalKib - used - 80_000;
  const dying = Math.round((state.leakedKib - 900_000) / Math.max(1, node.kibPerContainer || 75)) + 40;
  return {
    schemaVersion: 1,
    node: node.name,
    at: state.atMs,
    bootId: `${node.name}-${state.boot}`.slice(0, 64),
    uptimeSeconds: Math.max(1, Math.round((state.atMs - state.bootMs) / 1000)),
    kernelRelease: node.kernelRelease,
    cpus: node.cpus,
    pageSizeBytes: 4096,
    pcpFreePages: 20_000,
    meminfo: {
      MemTotal: node.totalKib,
      MemFree: free,
      MemAvailable: free + cached,
      Buffers: buffers,
      Cached: cached,
      SwapCached: 0,
      "Active(anon)": Math.round(anon * 0.7) + shmem,
      "Inactive(anon)": anon - Math.round(anon * 0.7),
      "Active(file)": Math.round(cached * 0.4),
      "Inactive(file)": Math.round(cached * 0.5),
      Mlocked: 0,
      SwapTotal: 0,
      SwapFree: 0,
      AnonPages: anon,
      Mapped: 300_000,
      Shmem: shmem,
      KReclaimable: sreclaimable,
      Slab: sreclaimable + sunreclaim,
      SReclaimable: sreclaimable,
      SUnreclaim: sunreclaim,
      KernelStack: stacks,
      PageTables: tables,
      Bounce: 0,
      WritebackTmp: 0,
      VmallocTotal: 34_359_738_367,
      VmallocUsed: vmalloc + stacks,
      VmallocChunk: 0,
      Percpu: percpu,
      HugePages_Total: 0,
      HugePages_Free: 0,
      Hugepagesize: 2048,
      Hugetlb: 0,
    },
    cgroups: { mode: "v1", memoryCount: 131 + Math.max(0, dying), live: 131, dying: Math.max(0, dying) },
    containersStarted: state.containers,
    containersLive: 40 + Math.round(3 * rng.normal()),
    creators: creatorsOf(state.containers),
    ...(node.blind
      ? {
          sources: {
            meminfo: { status: "ok" as const },
            slabinfo: { status: "denied" as const, detail: "EACCES" },
          },
        }
      : {
          sources: { meminfo: { status: "ok" as const }, slabinfo: { status: "ok" as const } },
          slab: [
            cache("mem_cgroup_per_node", 512, sunreclaim * 0.34),
            cache("kmalloc-4k", 4096, sunreclaim * 0.27),
            cache("kmalloc-2k", 2048, sunreclaim * 0.18),
            cache("cgroup", 1024, sunreclaim * 0.09),
            cache("dentry", 192, sreclaimable * 0.6),
            cache("inode_cache", 608, sreclaimable * 0.3),
          ],
        }),
    watch: [{ path: "/run/crio/exits", files: Math.max(0, dying) }],
    versions: { ...node.versions },
    labels: { simulated: "true", ...node.labels },
    self: { cpuSeconds: 1, rssKib: 40_000 },
  };
}

/** Four of five are of one job; every tenth comes and goes unseen. */
function creatorsOf(containers: number): SnapshotInput["creators"] {
  const creators = [
    { name: "ci/pull-monitor-*", created: Math.floor(containers * 0.72) },
    { name: "default/web-*", created: Math.floor(containers * 0.15) },
    { name: "system.slice/crio-*.scope", created: Math.floor(containers * 0.03) },
  ];
  return { seen: creators.reduce((sum, { created }) => sum + created, 0), made: containers, creators };
}

function cache(name: string, objSizeBytes: number, sizeKib: number) {
  const numObjs = Math.floor((sizeKib * 1024) / objSizeBytes);
  return { name, objSizeBytes, numObjs, activeObjs: Math.floor(numObjs * 0.9), sizeKib: Math.round(sizeKib) };
}

/** A name that a browser must show and never run. */
export const HOSTILE_NAME = `<img src=x onerror="document.title='run'">`;

const HOUR_MS = 3_600_000;

/** A small fleet with known truth: one leaks, one stopped leaking, one never did, one cannot see everything. */
export function simulatedFleet(nowMs: number): SimulatedNode[] {
  const leaking = {
    totalKib: 188 * GIB,
    cpus: 32,
    kernelRelease: "4.19.0-6-amd64",
    versions: { "cri-o": "1.15.2", runc: "1.0.0-rc9" },
    fromMs: nowMs - 24 * HOUR_MS,
    toMs: nowMs,
    everyMs: 120_000,
    containersPerHour: 4200,
    kibPerContainer: 75,
  };
  return [
    {
      ...leaking,
      name: "magnesia",
      seed: 1,
      stopAtMs: nowMs - 10 * HOUR_MS,
      freeAtMs: nowMs - 4 * HOUR_MS,
      freedShare: 0.6,
    },
    {
      ...leaking,
      name: "zirconia",
      seed: 2,
      // Longer than the window of 24 h, which would otherwise cover less of it the longer the stories take.
      fromMs: nowMs - 27 * HOUR_MS,
      rebootAtMs: nowMs - 15 * HOUR_MS,
      silent: [nowMs - 9 * HOUR_MS, nowMs - 7 * HOUR_MS],
    },
    {
      ...leaking,
      name: "ceria",
      seed: 3,
      kibPerContainer: 0,
      versions: { "cri-o": "1.16.7", runc: "1.0.0-rc9" },
    },
    {
      ...leaking,
      name: "periclase",
      seed: 4,
      fromMs: nowMs - 3 * HOUR_MS,
      toMs: nowMs - HOUR_MS,
      containersPerHour: 40,
      blind: true,
    },
  ];
}

/** A leak that stops six hours before `nowMs`, on a node of the story's own. */
export function leakThatStops(name: string, seed: number, nowMs = Math.floor(Date.now() / 60_000) * 60_000) {
  const stopAtMs = nowMs - 6 * 3_600_000;
  const clock = new Date(stopAtMs).toISOString().slice(11, 16);
  return {
    clock,
    stopAtMs,
    node: {
      name,
      seed,
      totalKib: 64 * 1024 * 1024,
      cpus: 16,
      kernelRelease: "4.19.0-6-amd64",
      fromMs: nowMs - 13 * 3_600_000,
      toMs: nowMs,
      everyMs: 60_000,
      containersPerHour: 4200,
      kibPerContainer: 75,
      stopAtMs,
    },
  };
}
