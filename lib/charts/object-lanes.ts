import type { MetricSeries } from "#lib/contracts/series.ts";
import { formatCount } from "#lib/domain/memory/quantity.ts";
import { formatNumber } from "./format.ts";
import {
  cgroupsLane,
  countLane,
  DYING_CGROUPS,
  laneAt,
  laneChanges,
  laneChangeText,
  laneValue,
  LIVE_CGROUPS,
  memoryLane,
} from "./lane-model.ts";
import type { LaneLine, LaneModel } from "./lane-model.ts";
import type { Boot } from "./segments.ts";

interface ObjectLane {
  readonly key: string;
  readonly title: string;
  readonly lines: readonly LaneLine[];
  /** The metric whose newest value is the limit, and what it is called. */
  readonly limit?: { readonly metric: string; readonly label: string };
}

const lineOf =
  (tone: LaneLine["tone"]) =>
  (key: string, label: string, name?: string): LaneLine => ({
    key,
    label,
    tone,
    ...(name !== undefined && { name }),
  });
const [ink, dashed, quiet] = [lineOf("ink"), lineOf("dashed"), lineOf("quiet")];

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
  {
    key: "udp-memory",
    title: "UDP memory, pages",
    lines: [ink("sockstat.UDP.mem", "UDP memory, pages")],
  },
  {
    key: "unix",
    title: "UNIX sockets",
    lines: [
      ink("protocols.UNIX.sockets", "UNIX", "UNIX sockets"),
      dashed("protocols.UNIX-STREAM.sockets", "UNIX-STREAM", "UNIX sockets, stream"),
    ],
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
    lines: [
      ink("tasks.zombies", "zombies", "zombie processes"),
      dashed("tasks.uninterruptible", "state D", "processes in state D"),
    ],
  },
  {
    key: "mounts",
    title: "mounts",
    lines: [
      ink("mounts.total", "mounts", "mounts, all"),
      dashed("mounts.stacked", "over other mounts", "mounts over other mounts"),
    ],
  },
  {
    key: "loop",
    title: "loop devices",
    lines: [
      ink("loop.devices", "all"),
      dashed("loop.attached", "attached", "loop devices, attached to a file"),
      quiet("loop.deleted", "file is deleted"),
    ],
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

/** What a count must have risen by to be named: a tenth, and so many that it is not the coming and going of a few. */
const RISEN = { share: 0.1, count: 20 } as const;
const NAMED_RISEN = 3;
/** What rises when something was let go of says nothing of a leak. */
const UNUSED: ReadonlySet<string> = new Set(["fs.dentryState.nr_unused", "fs.inodeNr.nr_free_inodes"]);

/**
 * Which kinds of objects rose in the window, what stands out most first, as a fact without a verdict: first and last sample are
 * compared, none across a reboot.
 */
export function objectFinding(lanes: readonly LaneModel[], reboots: readonly Boot[]): string {
  if (lanes.length === 0) return "This node sends no counts of kernel objects.";
  const kinds = `${formatCount(lanes.length, "kind")} of kernel objects`;
  const changed = lanes.map((lane) => ({
    lane,
    lines: laneChanges(lane, reboots).flatMap((change, position) => {
      const { key, name } = lane.series[position] ?? {};
      const last = laneAt(lane, undefined)?.[position];
      return key === undefined || name === undefined || UNUSED.has(key) || change === null || last == null
        ? []
        : [{ name, change, first: last - change, last }];
    }),
  }));
  if (changed.every(({ lines }) => lines.length === 0))
    return `Too few samples in this window to say what rose among ${kinds}.`;
  // As counts scatter: by so much a rise stands out from the coming and going of many, or of few.
  const weight = ({ change, first }: { change: number; first: number }) =>
    change / Math.sqrt(Math.max(first, RISEN.count));
  const risen = changed
    .flatMap(({ lane, lines }) => {
      const [most] = lines
        .filter(({ change, first }) => change >= Math.max(RISEN.count, first * RISEN.share))
        .toSorted((a, b) => weight(b) - weight(a));
      return most === undefined ? [] : [{ lane, ...most }];
    })
    .toSorted((a, b) => weight(b) - weight(a));
  if (risen.length === 0) return `Of ${kinds} none rose by a tenth in this window.`;
  const named = risen
    .slice(0, NAMED_RISEN)
    .map(
      ({ lane, name, first, last, change }) =>
        `${name} ${laneChangeText(lane, change)} (${laneValue(lane, first)} to ${laneValue(lane, last)})`,
    );
  const more = risen.length > named.length ? `; and ${formatNumber(risen.length - named.length)} more` : "";
  return `${formatNumber(risen.length)} of ${kinds} rose by a tenth or more: ${named.join("; ")}${more}.`;
}

/** Metrics of the page of memory cgroups. */
export const CGROUP_METRICS = ["cgroup.memory.live", "cgroup.memory.dying", "cgroup.memory.count"] as const;

/**
 * Live and dying on one axis against the limit, and each on its own, because one often dwarfs the other. Where the node tells
 * them not apart, the kernel's count of both.
 */
export function cgroupLanes(series: MetricSeries, dyingHoldIds: boolean): LaneModel[] {
  const lanes = [
    cgroupsLane(series, dyingHoldIds),
    countLane("live", "live", series, [{ ...LIVE_CGROUPS, tone: "ink" }], undefined),
    countLane("dying", "dying", series, [{ ...DYING_CGROUPS, tone: "ink" }], undefined),
  ].filter((lane) => lane !== undefined);
  if (lanes.length > 0) return lanes;
  const counted = countLane(
    "counted",
    "memory cgroups, dying ones included",
    series,
    [
      {
        key: "cgroup.memory.count",
        label: "counted by the kernel",
        name: "memory cgroups, live and dying",
        tone: "ink",
      },
    ],
    undefined,
  );
  return counted === undefined ? [] : [counted];
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
