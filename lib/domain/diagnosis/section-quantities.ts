import { LOG_PATTERNS } from "../kernel-log/patterns.ts";
import { pagesToKib } from "../memory/kib.ts";

type Counters = Readonly<Record<string, number>>;

interface Derived {
  /** Names of metrics of sections: the first of each list that is known counts. */
  readonly of: readonly (readonly string[])[];
  /** From the values of those that are known, all of which must be. */
  readonly from: (values: readonly number[], pageSizeBytes: number | undefined) => number | undefined;
}

const same = (...names: readonly string[]): Derived => ({ of: [names], from: ([value]) => value });
const bytes = (name: string): Derived => ({ of: [[name]], from: ([value = Number.NaN]) => value / 1024 });
const pages = (name: string): Derived => ({
  of: [[name]],
  from: ([value = Number.NaN], size) => (size === undefined ? undefined : pagesToKib(value, size)),
});

/** Quantities that signatures ask for and that sections tell under another name or in another unit. */
const DERIVED: Readonly<Record<string, Derived>> = {
  "sockstat.tcp.kib": pages("sockstat.TCP.mem"),
  "sockstat.tcp.limit.kib": pages("tcpMem.pressurePages"),
  "sockets.count": same("sockstat.sockets.used"),
  "zfs.arc.kib": bytes("zfsArc.sizeBytes"),
  "zfs.arc.max.kib": bytes("zfsArc.maxBytes"),
  "vmallocinfo.percpu.kib": same("vmalloc.pcpuKib"),
  "cgroup.memory.empty": same("cgroupDirectories.memory.empty", "cgroupDirectories.unified.empty"),
  "mounts.nfs.count": same("mounts.nfs4.count", "mounts.nfs.count"),
  // Those with a backing file that is still there are in use.
  "loop.expected": {
    of: [["loop.attached"], ["loop.deleted"]],
    from: ([attached = Number.NaN, deleted = Number.NaN]) => attached - deleted,
  },
};

/** Metrics of sections that a quantity is made of; itself where it is one of them. */
export function sectionMetricsOf(quantity: string): readonly string[] {
  return DERIVED[quantity]?.of.flat() ?? [quantity];
}

/**
 * Numbers of a snapshot's sections, by the names of their metrics, with what signatures ask for under names of its own; each
 * only where all that it needs is known.
 */
export function sectionQuantities(
  counters: Counters,
  pageSizeBytes: number | undefined,
): Record<string, number> {
  const quantities: Record<string, number> = { ...counters };
  const put = (name: string, value: number | undefined) => {
    if (value !== undefined) quantities[name] = value;
  };
  for (const [name, { of, from }] of Object.entries(DERIVED)) {
    const values = of.flatMap(
      (names) => names.map((each) => counters[each]).find((n) => n !== undefined) ?? [],
    );
    if (values.length === of.length) put(name, from(values, pageSizeBytes));
  }
  const quota = fullestKeyQuota(counters);
  put("keys.quota.used", quota?.used);
  put("keys.quota.max", quota?.most);
  // Kernel memory that is charged where no container is accounted for is not what a limit on a container brought.
  const accounted = counters["kmemAccounting.accounted"];
  if (accounted !== undefined)
    put("cgroup.memory.kmem.kib", accounted === 0 ? 0 : counters["kmemAccounting.usageKib"]);
  return quantities;
}

/** Of the user who is nearest to the limit. */
function fullestKeyQuota(counters: Counters): { used: number; most: number } | undefined {
  let fullest: { used: number; most: number } | undefined;
  for (const [name, most] of Object.entries(counters)) {
    const uid = /^keyUsers\.(\d+)\.maxkeys$/.exec(name)?.[1];
    const used = uid === undefined ? undefined : counters[`keyUsers.${uid}.qnkeys`];
    if (used === undefined || most <= 0) continue;
    if (fullest === undefined || used / most > fullest.used / fullest.most) fullest = { used, most };
  }
  return fullest;
}

const NAME_OF_PATTERN = new Map(LOG_PATTERNS.map(({ id, name }) => [id, name]));

/** How often each kind of message was counted since boot, by the kinds that dumps have. */
export function messagesCounted(counters: Counters): Record<string, number> {
  return Object.fromEntries(
    Object.entries(counters).flatMap(([name, count]) => {
      const kind = NAME_OF_PATTERN.get(/^counts\.log\.(.+)$/.exec(name)?.[1] ?? "");
      return kind === undefined || count <= 0 ? [] : [[kind, count] as const];
    }),
  );
}
