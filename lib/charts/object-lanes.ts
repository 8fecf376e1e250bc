import type { MetricSeries } from "#lib/contracts/series.ts";
import { formatNumber } from "./format.ts";
import { cgroupsLane, countLane, memoryLane } from "./lane-model.ts";
import type { LaneModel, LaneSeries } from "./lane-model.ts";

type Line = Omit<LaneSeries, "values">;

interface ObjectLane {
  readonly key: string;
  readonly title: string;
  readonly lines: readonly Line[];
  /** The metric whose newest value is the limit, and what it is called. */
  readonly limit?: { readonly metric: string; readonly label: string };
}

const ink = (key: string, label: string): Line => ({ key, label, tone: "ink" });
const dashed = (key: string, label: string): Line => ({ key, label, tone: "dashed" });
const quiet = (key: string, label: string): Line => ({ key, label, tone: "quiet" });

/** What the kernel counts of its own objects, and what each has to do with memory. */
const OBJECT_LANES: readonly ObjectLane[] = [
  {
    key: "dentries",
    title: "dentries",
    lines: [
      ink("fs.dentryState.nr_dentry", "all"),
      dashed("fs.dentryState.nr_unused", "unused"),
      quiet("fs.dentryState.nr_negative", "negative"),
    ],
  },
  {
    key: "inodes",
    title: "inodes in memory",
    lines: [ink("fs.inodeNr.nr_inodes", "all"), dashed("fs.inodeNr.nr_free_inodes", "unused")],
  },
  {
    key: "files",
    title: "file handles",
    lines: [ink("fs.fileNr.allocated", "file handles")],
    limit: { metric: "fs.fileNr.max", label: "file-max" },
  },
  {
    key: "tcp",
    title: "TCP sockets",
    lines: [
      ink("sockstat.TCP.alloc", "allocated"),
      dashed("sockstat.TCP.inuse", "in use"),
      quiet("sockstat.TCP.orphan", "orphaned"),
    ],
  },
  {
    key: "tcp-memory",
    title: "TCP memory, pages",
    lines: [ink("sockstat.TCP.mem", "TCP memory, pages")],
    limit: { metric: "tcpMem.highPages", label: "tcp_mem high" },
  },
  {
    key: "conntrack",
    title: "tracked connections",
    lines: [ink("conntrack.count", "tracked connections")],
    limit: { metric: "conntrack.max", label: "nf_conntrack_max" },
  },
  { key: "keys", title: "keys and keyrings", lines: [ink("keyUsers.nkeys", "keys")] },
  {
    key: "tasks",
    title: "tasks",
    lines: [ink("tasks.threads", "threads"), dashed("tasks.processes", "processes")],
  },
  {
    key: "stuck",
    title: "zombies and processes in state D",
    lines: [ink("tasks.zombies", "zombies"), dashed("tasks.uninterruptible", "state D")],
  },
  {
    key: "mounts",
    title: "mounts",
    lines: [ink("mounts.total", "mounts"), dashed("mounts.stacked", "over other mounts")],
  },
  {
    key: "netns",
    title: "network namespaces",
    lines: [ink("netns.inUse", "in use"), dashed("netns.mounted", "kept by a mount")],
  },
];

/** Metrics of the page of kernel objects; the first is one that every sample has, so that the time axis is that of samples. */
export const OBJECT_METRICS: readonly string[] = [
  "meminfo.MemTotal",
  ...OBJECT_LANES.flatMap(({ lines, limit }) => [
    ...lines.map(({ key }) => key),
    ...(limit ? [limit.metric] : []),
  ]),
];

function newestOf(series: MetricSeries, metric: string): number | undefined {
  return (
    series.series.find((each) => each.metric === metric)?.values.findLast((value) => value != null) ??
    undefined
  );
}

/** One lane for each kind of object that the node reported in the window. */
export function objectLanes(series: MetricSeries): LaneModel[] {
  return OBJECT_LANES.flatMap(({ key, title, lines, limit }) => {
    const most = limit && newestOf(series, limit.metric);
    const line =
      limit && most !== undefined && most > 0
        ? { value: most, label: `${limit.label} ${formatNumber(most)}` }
        : undefined;
    return countLane(key, title, series, lines, line) ?? [];
  });
}

/** Metrics of the page of memory cgroups. */
export const CGROUP_METRICS = ["cgroup.memory.live", "cgroup.memory.dying", "cgroup.memory.count"] as const;

/** Live and dying on one axis against the limit, and each on its own, because one often dwarfs the other. */
export function cgroupLanes(series: MetricSeries, dyingHoldIds: boolean): LaneModel[] {
  return [
    cgroupsLane(series, dyingHoldIds),
    countLane("live", "live", series, [ink("cgroup.memory.live", "live")], undefined),
    countLane("dying", "dying", series, [ink("cgroup.memory.dying", "dying")], undefined),
  ].filter((lane) => lane !== undefined);
}

/** What is charted of directories and mounts, those that matter first. */
export interface ChartedPlaces {
  readonly directories: readonly string[];
  readonly mounts: readonly {
    readonly mount: string;
    readonly sizeKib: number | null;
    readonly inodes: number | null;
  }[];
}

/** Metrics of the page of directories and tmpfs mounts. */
export function placeMetrics({ directories, mounts }: ChartedPlaces): string[] {
  return [
    "meminfo.Shmem",
    ...directories.map((path) => `watch.${path}.files`),
    ...mounts.flatMap(({ mount }) => [`tmpfs.${mount}.inodes`, `tmpfs.${mount}.usedKib`]),
  ];
}

/** Files in each directory, inodes and memory of each mount against its limits, and shmem, which all tmpfs are part of. */
export function placeLanes(series: MetricSeries, { directories, mounts }: ChartedPlaces): LaneModel[] {
  return [
    ...directories.map((path) => {
      const metric = `watch.${path}.files`;
      return countLane(metric, `files in ${path}`, series, [ink(metric, `files in ${path}`)], undefined);
    }),
    ...mounts.flatMap(({ mount, sizeKib, inodes }) => {
      const [files, used] = [`tmpfs.${mount}.inodes`, `tmpfs.${mount}.usedKib`];
      return [
        countLane(
          files,
          `inodes on ${mount}`,
          series,
          [ink(files, `inodes on ${mount}`)],
          inodes === null ? undefined : { value: inodes, label: `limit ${formatNumber(inodes)}` },
        ),
        memoryLane(series, {
          metric: used,
          title: `used on ${mount}`,
          label: `used on ${mount}`,
          ...(sizeKib !== null && { limit: { value: sizeKib, label: "size" } }),
        }),
      ];
    }),
    memoryLane(series, {
      metric: "meminfo.Shmem",
      title: "Shmem",
      label: "Shmem, all tmpfs and shared memory",
    }),
  ].filter((lane) => lane !== undefined);
}
