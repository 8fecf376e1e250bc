import { MEMCG_ID_LIMIT } from "../memory/memcg-ids.ts";
import { formatDuration, formatMemory, formatNumber } from "../memory/quantity.ts";
import { compareVersions, MOMENT_HOURS, type Change, type Evidence } from "../signatures/evidence.ts";
import { fullTmpfs, fullTmpfsText } from "../signatures/full-tmpfs.ts";
import { mergedCachesOf, mergedText } from "../signatures/merged-caches.ts";
import { isPopulationCache, isReclaimableCache, isZfsCache } from "./slab-caches.ts";

/** Who may hold the memory, or what ran out. */
export interface Suspect {
  /** `slab-unreclaimable:task_struct`, `hugetlb reservation`, `user-anon`. */
  readonly name: string;
  /** What it holds, or by how much it grew; `undefined` where there is no amount. */
  readonly kib: number | undefined;
  readonly reason: string;
  /** `proof`: the text alone shows a leak; `doubt`: it may be one; `benign`: it is none. */
  readonly weight: "proof" | "doubt" | "benign";
}

/** Later stands behind earlier; within a tier the larger comes first. */
const TIERS = ["limit", "growth", "state", "kernel", "held", "unseen", "usual"] as const;
type Tier = (typeof TIERS)[number];

interface Ranked extends Suspect {
  readonly tier: Tier;
}

const GIB = 1024 * 1024;
const MIB = 1024;

/** Parts of MemTotal from which a class is more than usual on its own. */
const LARGE = {
  sunrecl: 0.1,
  unacc: 0.1,
  percpu: 0.05,
  vmalloc: 0.1,
  kstack: 0.03,
  ptables: 0.08,
  srecl: 0.2,
  shmem: 0.2,
  hugetlb: 0.05,
  noncache: 0.08,
  anon: 0.5,
  file: 0.5,
} as const;
/** So much of all memory in slab that nothing can reclaim, or in percpu memory, practically only a leak makes. */
const ONLY_A_LEAK = { sunrecl: 0.5, percpu: 0.2, orphans: 0.1 } as const;
const POPULATION_KIB = GIB;
/** No node has so many pods, nor a tenth of it. */
const MANY_NAMESPACES = 10_000;
/** Of one cache whose objects may be anything, where the size of the machine is not known. */
const LONE_CACHE_KIB = 8 * GIB;

/**
 * Who holds the memory of a machine, most suspected first: what ran out, what grows, what is in a state that only a leak
 * makes, what is larger than usual, and last what is large and usual. Works on whatever is known.
 */
export function nameSuspects(evidence: Evidence): readonly Suspect[] {
  const found = [
    ...limits(evidence),
    ...growth(evidence),
    ...cgroupCounts(evidence),
    ...slab(evidence),
    ...kernelBands(evidence),
    ...unexplained(evidence),
    ...reservationsAndShmem(evidence),
    ...group(evidence),
    ...usual(evidence),
  ];
  const best = new Map<string, Ranked>();
  for (const each of found) {
    const known = best.get(each.name);
    if (known === undefined || TIERS.indexOf(each.tier) < TIERS.indexOf(known.tier))
      best.set(each.name, each);
  }
  return [...best.values()]
    .map((each, place) => ({ each, place }))
    .sort(
      (a, b) =>
        TIERS.indexOf(a.each.tier) - TIERS.indexOf(b.each.tier) ||
        (b.each.kib ?? 0) - (a.each.kib ?? 0) ||
        a.place - b.place,
    )
    .map(({ each: { name, kib, reason, weight } }) => ({ name, kib, reason, weight }));
}

function suspect(
  tier: Tier,
  name: string,
  kib: number | undefined,
  reason: string,
  weight: Suspect["weight"] = "doubt",
): Ranked {
  return { tier, name, kib, reason, weight };
}

const MESSAGE_SUSPECTS: Readonly<Record<string, readonly string[]>> = {
  "memory cgroup not made: ENOSPC": ["cgroup ids exhausted", "dying-memcgs"],
  "memory cgroup not made: EBUSY": ["cgroup ids exhausted", "dying-memcgs"],
  "memory cgroup not made: ENOMEM": ["cgroup ids exhausted", "dying-memcgs"],
  "memory cgroup not made: EAGAIN": ["limit of cgroups below a cgroup (cgroup.max.descendants)"],
  "seccomp filter not loaded: errno 524": ["bpf-jit memory exhausted"],
  "session key not made: quota": ["keyrings (quota of keys exhausted)"],
  "inotify watches exhausted": ["inotify watches exhausted"],
  "inotify instances exhausted": ["inotify instances exhausted"],
  "slab allocation failed": ["slab-unreclaimable"],
  "vmalloc failed": ["vmalloc"],
  "percpu allocation failed": ["percpu"],
  "conntrack table full": ["conntrack table full"],
  "TCP out of memory": ["TCP socket memory"],
  "neighbour table overflow": ["neighbour table overflow"],
  "file-max reached": ["open files exhausted"],
  "audit backlog": ["audit backlog"],
  "fork rejected by pids controller": ["pids limit of a cgroup"],
  "network device not released": ["network namespaces (a device is still referenced)"],
};

function limits(evidence: Evidence): readonly Ranked[] {
  const { messages = {}, kernelRelease, levels } = evidence;
  const found: Ranked[] = [];
  const is310 = kernelRelease?.startsWith("3.10.") === true;
  const refused = messages["memory cgroup not made: ENOMEM"] ?? 0;
  // On this kernel ENOMEM means that the cgroup itself could not be made; at the limit of ids it says ENOSPC.
  if (is310 && (refused > 0 || (messages["slab allocation failed"] ?? 0) > 0))
    found.push(
      suspect(
        "limit",
        "kernel-memory accounting of memory cgroups (3.10 el7 kernel)",
        undefined,
        `kernel ${kernelRelease} refuses memory cgroups`,
      ),
    );
  for (const kind of Object.keys(messages)) {
    for (const name of MESSAGE_SUSPECTS[kind] ?? [])
      found.push(suspect("limit", name, undefined, `logged: ${kind}`));
  }
  if (is310 && (messages["memory cgroup not made: ENOSPC"] ?? 0) > 0)
    found.push(
      suspect(
        "limit",
        "kernel-memory accounting of memory cgroups (3.10 el7 kernel)",
        undefined,
        "this kernel loses ids with accounting on",
      ),
    );
  for (const full of fullTmpfs(evidence)) {
    const [name, kib] =
      full.of === "memory"
        ? (["tmpfs full", full.used] as const)
        : (["tmpfs inodes exhausted", undefined] as const);
    found.push(suspect("limit", `${name}: ${full.mount}`, kib, fullTmpfsText(full)));
  }
  const total = levels["meminfo.MemTotal"];
  if (total !== undefined) {
    for (const key of ["Inactive(file)", "Active(file)", "Inactive(anon)", "Active(anon)", "MemAvailable"]) {
      const value = levels[`meminfo.${key}`];
      if (value === undefined || value <= 1.02 * total) continue;
      const cause = key === "MemAvailable" ? "MemAvailable" : key;
      found.push(
        suspect(
          "limit",
          `counter bug (${cause} larger than RAM)`,
          undefined,
          `${key} is ${formatMemory(value)} of ${formatMemory(total)}`,
        ),
      );
      break;
    }
  }
  return found;
}

/** Unreclaimable classes whose growth in a paste is growth of the kernel's memory. */
const GROWN: readonly (readonly [quantity: string, name: string])[] = [
  ["meminfo.SUnreclaim", "slab-unreclaimable"],
  ["meminfo.Percpu", "percpu"],
  ["band.vmalloc", "vmalloc"],
  ["band.unacc", "unaccounted"],
  ["total.kernelNoncache", "kernel-dynamic noncache (not broken down)"],
  ["sockstat.tcp.kib", "TCP socket memory"],
  ["lru.orphan.kib", "orphaned anonymous pages (on the anon LRU, mapped by no process)"],
];

/** Samples of minutes or days alike: it must rise by 64 MiB, 0.5 % of memory and 30 % of where it began, and end at its top. */
function isPlainGrowth(change: Change, totalKib: number | undefined, scale = 1): boolean {
  const rise = (change.last - change.first) * scale;
  return (
    rise >= Math.max(64 * MIB, 0.005 * (totalKib ?? 0)) &&
    rise >= 0.3 * Math.max(0, change.first * scale) &&
    change.last >= 0.98 * change.max
  );
}

/** A rise within minutes may be work that begins: it is suspected, and only lasting proves it. */
function weightOf({ hours }: Change): Suspect["weight"] {
  return hours !== undefined && hours < MOMENT_HOURS ? "doubt" : "proof";
}

function growth(evidence: Evidence): readonly Ranked[] {
  const total = evidence.levels["meminfo.MemTotal"];
  const found: Ranked[] = [];
  for (const [quantity, name] of GROWN) {
    const change = evidence.changes[quantity];
    if (change === undefined || !isPlainGrowth(change, total)) continue;
    if (quantity === "total.kernelNoncache" && evidence.changes["meminfo.SUnreclaim"] !== undefined) continue;
    const cache = name === "slab-unreclaimable" ? grownCache(evidence) : undefined;
    const reason = spanOf(change);
    found.push(
      cache === undefined
        ? suspect("growth", name, change.last - change.first, reason, weightOf(change))
        : suspect(
            "growth",
            `${name}:${cache.name}`,
            cache.kib,
            `unreclaimable slab ${reason}, ${formatMemory(cache.kib)} of it in this cache`,
            weightOf(change),
          ),
    );
  }
  for (const [name, change] of Object.entries(evidence.changes)) {
    const cache = /^slab\.(.+)\.bytes$/.exec(name)?.[1];
    if (cache === undefined || isZfsCache(cache) || isReclaimableCache(cache)) continue;
    if (isPlainGrowth(change, total, 1 / 1024))
      found.push(
        suspect(
          "growth",
          `slab-unreclaimable:${cache}`,
          (change.last - change.first) / 1024,
          spanOf(change, 1 / 1024),
          weightOf(change),
        ),
      );
  }
  return [...found, ...grownUse(evidence)];
}

/** What a summary alone calls used holds the kernel's memory as well as that of processes: its rise has no owner. */
function grownUse({ levels, changes }: Evidence): readonly Ranked[] {
  const used = changes["free.used.kib"];
  if (used === undefined || changes["meminfo.AnonPages"] !== undefined) return [];
  if (!isPlainGrowth(used, levels["meminfo.MemTotal"])) return [];
  const cache = changes["free.cache.kib"];
  const stays =
    cache !== undefined && Math.abs(cache.last - cache.first) < 0.1 * (used.last - used.first)
      ? " while cache stayed the same"
      : "";
  return [
    suspect(
      "growth",
      "used memory (of processes or of the kernel)",
      used.last - used.first,
      `${spanOf(used)}${stays}`,
    ),
  ];
}

function spanOf({ first, last, hours, samples }: Change, scale = 1): string {
  const over = hours === undefined ? `over ${samples} samples` : `in ${formatDuration(hours * 3_600_000)}`;
  return `rose from ${formatMemory(first * scale)} to ${formatMemory(last * scale)} ${over}`;
}

/** The unreclaimable cache that rose most, and by how much. */
function grownCache({ changes }: Evidence): Cache | undefined {
  const [top] = Object.entries(changes)
    .flatMap(([name, { first, last }]) => {
      const cache = /^slab\.(.+)\.bytes$/.exec(name)?.[1];
      return cache === undefined || isReclaimableCache(cache)
        ? []
        : [{ name: cache, kib: (last - first) / 1024 }];
    })
    .sort((a, b) => b.kib - a.kib);
  return top !== undefined && top.kib > 0 ? top : undefined;
}

const MANY_CGROUPS = 50_000;
const SOME_CGROUPS = 5000;
/** A rise of so many is one, of however many; else it must be a twentieth: some come and go with pods. */
const MANY_MORE_CGROUPS = 500;

function cgroupCounts({ levels, changes }: Evidence): readonly Ranked[] {
  const count = levels["cgroup.memory.count"];
  const live = levels["cgroup.memory.live"];
  const dying = levels["cgroup.memory.dying"];
  const change = changes["cgroup.memory.count"];
  const ownWork =
    (levels["cgroup.memory.selfMade"] ?? 0) > 0 || (change !== undefined && change.last < change.first);
  const weight = ownWork ? "doubt" : "proof";
  const found: Ranked[] = [];
  if (count !== undefined && count > SOME_CGROUPS) {
    const reason = `${formatNumber(count, 0)} memory cgroups`;
    if (live !== undefined && live > 0.8 * count)
      found.push(
        suspect(
          "limit",
          "memory cgroups never removed (live directories)",
          undefined,
          `${reason}, ${formatNumber(live, 0)} with a directory`,
          count > MANY_CGROUPS ? weight : "doubt",
        ),
      );
    // More of them than there are ids: the dying ones hold none.
    if (count > MANY_CGROUPS && (count <= MEMCG_ID_LIMIT || (live ?? 0) > MANY_CGROUPS))
      found.push(suspect("limit", "cgroup ids nearly exhausted", undefined, reason, weight));
    if (live === undefined || live < 0.5 * count)
      found.push(
        suspect("state", "dying-memcgs", undefined, reason, count > MANY_CGROUPS ? weight : "doubt"),
      );
    if (ownWork)
      found.push(
        suspect(
          "state",
          "live memory cgroups made by the script itself",
          undefined,
          "the text makes cgroups in a loop",
        ),
      );
  }
  if (dying !== undefined && dying > 1000)
    found.push(
      suspect(
        "state",
        "dying-memcgs",
        undefined,
        `${formatNumber(dying, 0)} dying memory cgroups`,
        dying > 20_000 ? weight : "doubt",
      ),
    );
  for (const name of ["cgroup.memory.dying", "cgroup.memory.count"]) {
    const rise = changes[name];
    if (rise === undefined || ownWork) continue;
    if (rise.last - rise.first < Math.min(MANY_MORE_CGROUPS, Math.max(2, 0.05 * rise.first))) continue;
    found.push(
      suspect(
        "growth",
        "dying-memcgs",
        undefined,
        `${name === "cgroup.memory.dying" ? "dying memory cgroups" : "memory cgroups"} rose from ${formatNumber(rise.first, 0)} to ${formatNumber(rise.last, 0)}`,
        rise.last - rise.first > 20_000 ? "proof" : "doubt",
      ),
    );
  }
  return found;
}

interface Cache {
  readonly name: string;
  readonly kib: number;
}

function cachesOf({ levels }: Evidence): readonly Cache[] {
  return Object.entries(levels)
    .flatMap(([name, value]) => {
      const cache = /^slab\.(.+)\.bytes$/.exec(name)?.[1];
      return cache === undefined ? [] : [{ name: cache, kib: value / 1024 }];
    })
    .sort((a, b) => b.kib - a.kib);
}

function slab(evidence: Evidence): readonly Ranked[] {
  const { levels } = evidence;
  const total = levels["meminfo.MemTotal"];
  const caches = cachesOf(evidence);
  const sunrecl = levels["meminfo.SUnreclaim"];
  const srecl = levels["meminfo.SReclaimable"];
  const whole =
    sunrecl === undefined ? (levels["slab.total.kib"] ?? levels["slab.visible.kib"]) : sunrecl + (srecl ?? 0);
  const zfsKib = (levels["zfs.slab.kib"] ?? 0) + (levels["zfs.spl.kib"] ?? 0);
  const usesZfs = zfsKib > 0.2 * Math.max(whole ?? 0, 1) || (levels["zfs.arc.kib"] ?? 0) > 2 * GIB;
  const found: Ranked[] = [];
  if (usesZfs) {
    const kib = Math.max(zfsKib, levels["zfs.arc.kib"] ?? 0);
    const isSmallPart = levels["zfs.arc.kib"] !== undefined && (levels["band.unacc"] ?? 0) > 2 * kib;
    found.push(
      suspect(
        isSmallPart ? "unseen" : "state",
        "zfs-arc/spl",
        kib,
        `caches of ZFS hold ${formatMemory(kib)}; they shrink with the ARC`,
        isArcAll(evidence) ? "benign" : "doubt",
      ),
    );
  }
  const unreclaimable = caches.find(({ name }) => !isReclaimableCache(name) && !isZfsCache(name));
  const reclaimable = caches.find(({ name }) => isReclaimableCache(name));
  const share = total === undefined ? undefined : (sunrecl ?? 0) / total;
  const named =
    unreclaimable !== undefined && unreclaimable.kib > 0.3 * (sunrecl ?? whole ?? 0)
      ? unreclaimable
      : undefined;
  const name = named === undefined ? "slab-unreclaimable" : `slab-unreclaimable:${named.name}`;
  const sharers = named === undefined ? undefined : countedWith(evidence, named.name);
  const shared = sharers === undefined ? "" : `; ${sharers}`;

  const spaces = levels["slab.net_namespace.objects"];
  if (spaces !== undefined && spaces > MANY_NAMESPACES)
    found.push(
      suspect(
        "state",
        "network namespaces",
        undefined,
        `${formatNumber(spaces, 0)} of them; a node has one for each pod`,
        "proof",
      ),
    );
  if (named !== undefined && isPopulationCache(named.name) && named.kib > POPULATION_KIB) {
    found.push(
      suspect(
        "state",
        name,
        named.kib,
        `${formatMemory(named.kib)} of objects of which a machine has thousands, not millions${shared}`,
        // What shares the line with others may be theirs.
        sharers === undefined ? "proof" : "doubt",
      ),
    );
  } else if (sunrecl !== undefined && (share === undefined ? sunrecl > GIB : share > LARGE.sunrecl)) {
    const ofTotal = share === undefined ? "" : `, ${formatNumber(100 * share, 0)} % of memory`;
    // vmalloc beside it is how ZFS and its like look.
    const alone = (levels["band.vmalloc"] ?? 0) < LARGE.vmalloc * (total ?? 1) && !usesZfs;
    const proof = share !== undefined && share > ONLY_A_LEAK.sunrecl && alone;
    found.push(
      suspect(
        proof ? "state" : "kernel",
        name,
        named?.kib ?? sunrecl,
        named === undefined
          ? `${formatMemory(sunrecl)} that nothing can reclaim${ofTotal}`
          : `${formatMemory(named.kib)}; all slab that nothing can reclaim is ${formatMemory(sunrecl)}${ofTotal}${shared}`,
        proof ? "proof" : "doubt",
      ),
    );
    if (!alone && !usesZfs)
      found.push(
        suspect("kernel", "zfs-arc/spl", undefined, "vmalloc and slab are large together, as with ZFS"),
      );
  } else if (sunrecl === undefined && unreclaimable !== undefined && !usesZfs) {
    found.push(...loneCaches(evidence, unreclaimable, caches));
  }
  if (caches.length === 0 && sunrecl === undefined && (levels["slab.total.kib"] ?? 0) > GIB)
    found.push(
      suspect(
        "kernel",
        "slab (cache not shown)",
        levels["slab.total.kib"],
        `${formatMemory(levels["slab.total.kib"] ?? 0)} of slab without the rows that name it`,
      ),
    );
  const reclaimableKib = srecl ?? reclaimable?.kib ?? 0;
  const isLarge =
    total === undefined
      ? reclaimable !== undefined && reclaimable.kib > 0.4 * (whole ?? Infinity)
      : reclaimableKib > LARGE.srecl * total;
  if (isLarge)
    found.push(
      suspect(
        usesZfs ? "kernel" : "held",
        reclaimable === undefined ? "slab-reclaimable" : `slab-reclaimable:${reclaimable.name}`,
        reclaimableKib,
        `${formatMemory(reclaimableKib)} in caches that have a shrinker`,
        "benign",
      ),
    );
  const unused = levels["slab.unused.kib"];
  if (unused !== undefined && whole !== undefined && unused > 0.5 * whole && whole > 0.02 * (total ?? 0))
    found.push(
      suspect(
        "held",
        "half-empty slabs (SLUB partial lists)",
        unused,
        `${formatMemory(unused)} of objects that are not in use`,
      ),
    );
  return found;
}

/** From this version on kmalloc caches are never merged with others. */
const KMALLOC_ALONE_FROM = "4.16";

/** Which other caches SLUB counts in the line of one: those that links name, or that this kernel may have put there. */
function countedWith(evidence: Evidence, cache: string): string | undefined {
  const known = mergedText(cache, mergedCachesOf(evidence));
  if (known !== undefined || (evidence.mergedCaches ?? []).length > 0) return known;
  const { kernelRelease } = evidence;
  const size = /^kmalloc-(\d+)$/.exec(cache)?.[1];
  const mayShare =
    size !== undefined &&
    kernelRelease !== undefined &&
    (compareVersions(kernelRelease, KMALLOC_ALONE_FROM) ?? 0) < 0;
  return mayShare
    ? `before ${KMALLOC_ALONE_FROM} SLUB may count other caches of ${size} bytes under this name (ls -l /sys/kernel/slab)`
    : undefined;
}

/** The ARC is within its limit, and what it leaves of slab and of what is in no class is no more than usual. */
function isArcAll({ levels }: Evidence): boolean {
  const total = levels["meminfo.MemTotal"];
  const arc = levels["zfs.arc.kib"];
  const most = levels["zfs.arc.max.kib"];
  const unaccounted = levels["band.unacc"];
  const sunrecl = levels["meminfo.SUnreclaim"];
  if ([total, arc, most, unaccounted, sunrecl].some((each) => each === undefined)) return false;
  return (
    (arc ?? 0) <= 1.05 * (most ?? 0) &&
    (unaccounted ?? 0) - (arc ?? 0) < LARGE.unacc * (total ?? 0) &&
    (sunrecl ?? 0) < Math.max(LARGE.sunrecl * (total ?? 0), 0.25 * (arc ?? 0))
  );
}

/** Tables of slab without MemTotal: what holds most of what is shown is named; only its size can make it a proof. */
function loneCaches({ levels }: Evidence, top: Cache, caches: readonly Cache[]): readonly Ranked[] {
  const shown = levels["slab.total.kib"] ?? levels["slab.visible.kib"] ?? top.kib;
  const total = levels["meminfo.MemTotal"];
  const share = total === undefined ? undefined : top.kib / total;
  // An out-of-memory report prints its table of slab because slab was large.
  const suspected = levels["oom.reported"] === 1 || levels["oom.killed.kib"] !== undefined;
  if (share !== undefined && share < 0.02) return [];
  if (caches[0]?.name !== top.name && !suspected && top.kib < 0.3 * shown) return [];
  if (top.kib < 0.2 * shown) return [];
  const proof =
    share === undefined ? top.kib > LONE_CACHE_KIB && top.kib > 0.5 * shown : share > ONLY_A_LEAK.sunrecl;
  return [
    suspect(
      proof ? "state" : "kernel",
      `slab-unreclaimable:${top.name}`,
      top.kib,
      `${formatMemory(top.kib)}, the largest cache shown`,
      proof ? "proof" : "doubt",
    ),
  ];
}

function kernelBands({ levels, changes }: Evidence): readonly Ranked[] {
  const total = levels["meminfo.MemTotal"];
  const found: Ranked[] = [];
  const bands = [
    ["percpu", "percpu", levels["meminfo.Percpu"] ?? levels["band.percpu"]],
    ["vmalloc", "vmalloc", levels["band.vmalloc"]],
    ["kstack", "kernel stacks (threads)", levels["band.kstack"] ?? levels["meminfo.KernelStack"]],
    ["ptables", "page tables", levels["band.ptables"] ?? levels["meminfo.PageTables"]],
  ] as const;
  for (const [key, name, kib] of bands) {
    if (kib === undefined || total === undefined || kib < LARGE[key] * total) continue;
    const proof = key === "percpu" && kib > ONLY_A_LEAK.percpu * total;
    found.push(
      suspect(
        proof ? "state" : "kernel",
        name,
        kib,
        `${formatMemory(kib)}, ${formatNumber((100 * kib) / total, 0)} % of memory`,
        proof ? "proof" : "doubt",
      ),
    );
    if (key === "percpu")
      found.push(
        suspect("unseen", "dying-memcgs", undefined, "memory cgroups are what usually holds percpu memory"),
      );
  }
  const percpuRise = changes["meminfo.Percpu"];
  const areas = levels["vmallocinfo.percpu.kib"] ?? 0;
  if (areas > 256 * MIB) {
    found.push(
      suspect("kernel", "percpu", areas, `${formatMemory(areas)} of address space of the percpu allocator`),
    );
    found.push(
      suspect("unseen", "dying-memcgs", undefined, "memory cgroups are what usually holds percpu memory"),
    );
  } else if (
    total === undefined &&
    (levels["cgroup.memory.dying"] ?? 0) > 500 &&
    (percpuRise !== undefined || levels["meminfo.Percpu"] !== undefined)
  )
    found.push(
      suspect("kernel", "percpu", levels["meminfo.Percpu"], "percpu memory beside dying memory cgroups"),
    );
  const noncache = levels["total.kernelNoncache"];
  const percent = levels["smem.kernelNoncache.percent"];
  const share = noncache === undefined || total === undefined ? (percent ?? 0) / 100 : noncache / total;
  if (levels["band.unacc"] === undefined && levels["rest.kib"] === undefined && share > LARGE.noncache) {
    found.push(
      suspect(
        "kernel",
        "kernel-dynamic noncache (not broken down)",
        noncache,
        noncache === undefined
          ? `${formatNumber(share * 100, 0)} % of memory is kernel memory that is no cache`
          : `${formatMemory(noncache)} of kernel memory that is no cache`,
      ),
    );
    found.push(
      suspect("unseen", "dying-memcgs", undefined, "a usual cause of kernel memory that is no cache"),
    );
    found.push(
      suspect("unseen", "hugetlb reservation", undefined, "smem counts huge pages as kernel memory"),
    );
  }
  const tcp = levels["sockstat.tcp.kib"];
  if (tcp !== undefined && tcp > Math.max(512 * MIB, 0.05 * (total ?? 0)))
    found.push(suspect("kernel", "TCP socket memory", tcp, `${formatMemory(tcp)} in TCP buffers`));
  return found;
}

function unexplained(evidence: Evidence): readonly Ranked[] {
  const { levels } = evidence;
  const total = levels["meminfo.MemTotal"];
  const found: Ranked[] = [];
  const orphans = levels["lru.orphan.kib"];
  if (
    total !== undefined &&
    orphans !== undefined &&
    orphans > GIB &&
    orphans > ONLY_A_LEAK.orphans * total
  ) {
    const huge = (levels["pages.thp.unmapped.kib"] ?? 0) > 0.5 * orphans ? " THP" : "";
    found.push(
      suspect(
        "state",
        `orphaned anonymous${huge} pages (on the anon LRU, mapped by no process)`,
        orphans,
        `the anonymous lists hold ${formatMemory(orphans)} more than AnonPages and Shmem`,
        "proof",
      ),
    );
    return found;
  }
  const unacc = levels["band.unacc"] ?? levels["rest.kib"];
  if (total === undefined || unacc === undefined || unacc < LARGE.unacc * total) return found;
  if (isArcAll(evidence)) return found;
  const tcp = levels["sockstat.tcp.kib"] ?? 0;
  if (tcp > 0.5 * unacc && unacc - tcp < LARGE.unacc * total) return found;
  const balloon = levels["balloon.kib"];
  if (balloon !== undefined && unacc - balloon < LARGE.unacc * total)
    return [
      suspect(
        "held",
        "balloon",
        balloon,
        `the hypervisor took ${formatMemory(balloon)} of the ${formatMemory(unacc)} that is in no class`,
        "benign",
      ),
    ];
  const share = `${formatMemory(unacc)}, ${formatNumber((100 * unacc) / total, 0)} % of memory, in no class that is shown`;
  const hugeKnown = levels["meminfo.HugePages_Total"] !== undefined || levels["band.hugetlb"] !== undefined;
  const anonKnown = levels["meminfo.AnonPages"] !== undefined || levels["meminfo.Active"] !== undefined;
  const slabKnown = levels["meminfo.Slab"] !== undefined || levels["meminfo.SUnreclaim"] !== undefined;
  const deduced = levels["shmem.deduced.kib"] ?? 0;
  if (deduced > LARGE.shmem * total) return found;
  // More than half of RAM gone and the swap untouched: nobody was ever short of it, so it was set aside at boot.
  const swap = levels["meminfo.SwapTotal"] ?? 0;
  const reserved = !hugeKnown && unacc > 0.5 * total && swap > 0 && levels["meminfo.SwapFree"] === swap;
  if (!hugeKnown)
    found.push(
      suspect(
        reserved ? "state" : "unseen",
        "hugetlb reservation",
        undefined,
        reserved
          ? "most of memory is gone and swap was never used: a reservation is likely, and huge pages are not shown"
          : "huge pages are not shown",
      ),
    );
  found.push(suspect("kernel", "unaccounted", unacc, share));
  if (!anonKnown) found.push(suspect("unseen", "user-anon", undefined, "memory of processes is not shown"));
  if (!slabKnown) found.push(suspect("unseen", "slab (not shown)", undefined, "slab is not shown"));
  return found;
}

function reservationsAndShmem({ levels, changes }: Evidence): readonly Ranked[] {
  const total = levels["meminfo.MemTotal"];
  const found: Ranked[] = [];
  const huge = levels["band.hugetlb"];
  if (huge !== undefined && huge > 0 && (total === undefined || huge > LARGE.hugetlb * total))
    found.push(
      suspect(
        "held",
        "hugetlb reservation",
        huge,
        `${formatMemory(huge)} set aside for huge pages`,
        "benign",
      ),
    );
  const shmem = levels["band.shmem"] ?? levels["meminfo.Shmem"] ?? levels["free.shared.kib"];
  const deduced = levels["shmem.deduced.kib"];
  const outside = levels["shmem.outside.kib"];
  const files = levels["tmpfs.used.kib"];
  if (total !== undefined && deduced !== undefined && deduced > LARGE.shmem * total)
    found.push(
      suspect(
        "kernel",
        "tmpfs/shmem",
        deduced,
        `at least ${formatMemory(deduced)} of Cached is on no file list, so it is shared memory`,
      ),
    );
  else if (
    outside !== undefined &&
    files !== undefined &&
    outside > Math.max(64 * MIB, 0.02 * (total ?? 0)) &&
    outside > files
  )
    found.push(
      suspect(
        "held",
        "tmpfs/shmem (outside the mounted tmpfs)",
        outside,
        `${formatMemory(outside)} of Shmem is in no mounted tmpfs`,
        total === undefined || outside < LARGE.shmem * total ? "benign" : "doubt",
      ),
    );
  else if (shmem !== undefined && total !== undefined && shmem > LARGE.shmem * total)
    found.push(
      suspect(
        "held",
        "tmpfs/shmem",
        shmem,
        `${formatMemory(shmem)} of tmpfs and shared memory${largestTmpfs(levels, shmem)}`,
        levels["band.shmem"] === undefined ? "benign" : "doubt",
      ),
    );
  const rise = changes["meminfo.Shmem"];
  if (rise !== undefined && isPlainGrowth(rise, total))
    found.push(suspect("growth", "tmpfs/shmem", rise.last - rise.first, spanOf(rise)));
  return found;
}

/** The mount that holds most of it, where one holds a third. */
function largestTmpfs(levels: Evidence["levels"], shmemKib: number): string {
  const [top] = Object.entries(levels)
    .flatMap(([name, kib]) => {
      const mount = /^tmpfs\.(.+)\.usedKib$/.exec(name)?.[1];
      return mount === undefined ? [] : [{ mount, kib }];
    })
    .sort((a, b) => b.kib - a.kib);
  return top === undefined || top.kib < shmemKib / 3
    ? ""
    : `, ${formatMemory(top.kib)} of it on ${top.mount}`;
}

/** Kernel memory of a cgroup of which no counter says what it is, or of many kinds. */
const GROUP_KERNEL = "kernel memory of the cgroup";

/** One cgroup's own counters: its limit is not the machine's. */
function group({ levels }: Evidence): readonly Ranked[] {
  const pod = (name: string) => levels[`pod.${name}.kib`];
  const anon = pod("anon") ?? pod("rss");
  const file = pod("file") ?? pod("cache");
  const shmem = pod("shmem");
  const kernelParts = [
    ["slab-reclaimable", pod("slab_reclaimable"), "benign"],
    ["slab-unreclaimable", pod("slab_unreclaimable"), "doubt"],
    ["percpu", pod("percpu"), "doubt"],
    ["vmalloc", pod("vmalloc"), "doubt"],
    ["kernel stacks (threads)", pod("kernel_stack"), "doubt"],
    ["page tables", pod("pagetables"), "doubt"],
  ] as const;
  // `kernel` of v2 and `kmem` of v1 are all that the kernel allocated for the cgroup; sockets are charged beside it.
  const kernel = pod("kernel") ?? pod("kmem_usage");
  const rest =
    kernel === undefined ? undefined : kernel - kernelParts.reduce((sum, [, kib]) => sum + (kib ?? 0), 0);
  const parts = [
    ["user-anon", anon, "benign"],
    // The kernel counts tmpfs and shared memory in `file` and `cache` too.
    ["page-cache", file === undefined ? undefined : file - (shmem ?? 0), "benign"],
    ...kernelParts,
    [GROUP_KERNEL, rest, "doubt"],
    ["TCP socket memory", pod("sock"), "doubt"],
    ["tmpfs/shmem", shmem, "doubt"],
  ] as const;
  const known = parts.flatMap(([name, kib, weight]) => (kib === undefined ? [] : [{ name, kib, weight }]));
  if (known.length === 0) return [];
  const sum = known.reduce((total, { kib }) => total + kib, 0);
  const isLarge = (kib: number) => kib > 0.3 * sum && kib > 64 * MIB;
  const large: Suspect[] = known
    .filter(({ kib }) => isLarge(kib))
    .map(({ name, kib, weight }) => ({ name, kib, weight, reason: shareOfGroup(kib, pod("limit")) }));
  // Many kinds of it, each small: together it is still the kernel's.
  const pinned = known.filter(({ name, weight }) => weight === "doubt" && name !== "tmpfs/shmem");
  const together = pinned.reduce((total, { kib }) => total + kib, 0);
  if (isLarge(together) && !pinned.some(({ kib }) => isLarge(kib)))
    large.push({
      name: GROUP_KERNEL,
      kib: together,
      weight: "doubt",
      reason: `${shareOfGroup(together, pod("limit"))}, of many kinds`,
    });
  const found = large.map((each): Ranked => ({ ...each, tier: "kernel" }));
  const hitLimit = pod("limit") !== undefined || levels["oom.killed.kib"] !== undefined || anon === undefined;
  if (hitLimit)
    found.push(
      suspect(
        "held",
        "memcg limit",
        undefined,
        "a cgroup met its own limit; the machine need not be short",
        "benign",
      ),
    );
  return found;
}

function shareOfGroup(kib: number, limitKib: number | undefined): string {
  const ofLimit = limitKib === undefined ? "" : `, ${formatNumber((100 * kib) / limitKib, 0)} % of its limit`;
  return `${formatMemory(kib)} of the cgroup's memory${ofLimit}`;
}

/** Order of an allocation from which it fails for want of neighbouring pages, not of memory. */
const HIGH_ORDER = 2;

function usual({ levels, messages = {} }: Evidence): readonly Ranked[] {
  const total = levels["meminfo.MemTotal"];
  const found: Ranked[] = [];
  const order = levels["oom.order"];
  if (order !== undefined && order >= HIGH_ORDER)
    found.push(
      suspect(
        "held",
        "fragmentation",
        undefined,
        `an allocation of order ${order} failed: neighbouring pages ran out, not memory`,
        "benign",
      ),
    );
  const killed = levels["oom.killed.kib"];
  if (total === undefined && levels["oom.reported"] === 1) {
    const anon = levels["meminfo.AnonPages"];
    const file = levels["meminfo.Cached"] ?? 0;
    const kernel = (levels["meminfo.SUnreclaim"] ?? 0) + (levels["meminfo.SReclaimable"] ?? 0);
    if (anon !== undefined && anon > file && anon > 2 * kernel) {
      found.push(suspect("usual", "user-anon", anon, `${formatMemory(anon)} of processes' memory`, "benign"));
      if (file > 0.05 * anon)
        found.push(suspect("usual", "page-cache", file, `${formatMemory(file)} of page cache`, "benign"));
    }
  } else if (
    killed !== undefined &&
    killed > GIB &&
    Object.keys(messages).length === 0 &&
    total === undefined
  )
    found.push(
      suspect("usual", "user-anon", killed, `the killed process held ${formatMemory(killed)}`, "benign"),
    );
  if (total === undefined) return found;
  const anon = levels["band.anon"] ?? levels["meminfo.AnonPages"];
  const cache = sumOf(levels["band.file"], levels["band.buffers"]);
  if (anon !== undefined && anon > LARGE.anon * total)
    found.push(suspect("usual", "user-anon", anon, `${formatMemory(anon)} of processes' memory`, "benign"));
  if (
    cache !== undefined &&
    (cache > LARGE.file * total || (cache > 0.1 * total && anon !== undefined && anon > LARGE.anon * total))
  )
    found.push(
      suspect("usual", "page-cache", cache, `${formatMemory(cache)} of page cache and buffers`, "benign"),
    );
  const free = levels["buddy.free.kib"];
  const high = levels["buddy.order3.kib"];
  if (free !== undefined && high !== undefined && free > 0.02 * total && high < 0.1 * free)
    found.push(
      suspect("usual", "fragmentation", undefined, "nearly all free memory is in small blocks", "benign"),
    );
  return found;
}

function sumOf(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
}
