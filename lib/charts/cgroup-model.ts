import type { NodeSummary } from "#lib/contracts/node.ts";
import type { ForecastList } from "#lib/contracts/forecast.ts";
import type { MetricSeries, SnapshotAt } from "#lib/contracts/series.ts";
import { countsMemcgIds } from "#lib/domain/memory/memcg-ids.ts";
import type { PlainTable } from "#lib/contracts/csv.ts";
import { endsSoon, leftText } from "./forecast-model.ts";
import { formatNumber, formatShare } from "./format.ts";
import type { Part } from "./node-data.ts";
import type { NodePageData } from "./node-page.ts";

/** What the page of memory cgroups shows of a window. */
export interface CgroupPageData extends NodePageData {
  readonly series: Part<MetricSeries>;
  readonly forecast: Part<ForecastList>;
  /** Trees and empty directories, as they stood at the end of the window. */
  readonly snapshot: Part<SnapshotAt>;
}

/** Whether dying memory cgroups hold their id on this kernel: those before 4.8. */
export function dyingHoldIds(kernelRelease: string): boolean {
  return !countsMemcgIds(kernelRelease, "live");
}

/** The metric whose growth uses up the ids of this kernel. */
export function idMetric(kernelRelease: string): string {
  return `cgroup.memory.${dyingHoldIds(kernelRelease) ? "count" : "live"}`;
}

/** How many ids are held, by whom, of how many, and when they run out, where that is foreseen. */
export function cgroupFinding(
  { cgroups, kernelRelease }: Pick<NodeSummary, "cgroups" | "kernelRelease">,
  forecasts: ForecastList["forecasts"],
  nowMs: number,
): string {
  const { count, idsHeld, idLimit, live, dying } = cgroups;
  if (idsHeld === null) {
    const counted = count === null ? "" : ` The kernel counts ${formatNumber(count)}, dying ones included.`;
    return `How many memory-cgroup ids are held is not known: the live cgroups were not counted.${counted}`;
  }
  const held = `${formatNumber(idsHeld)} of ${formatNumber(idLimit)} memory-cgroup ids are held (${formatShare(idsHeld / idLimit)})`;
  const parts = [
    ...(live === null ? [] : [`${formatNumber(live)} live`]),
    ...(dying === null ? [] : [`${formatNumber(dying)} dying`]),
  ].join(", ");
  const rule = dyingHoldIds(kernelRelease)
    ? "dying ones hold theirs on this kernel"
    : "dying ones have given theirs back";
  const end = forecasts.find(({ metric }) => metric === idMetric(kernelRelease))?.exhaustion;
  const left =
    end && endsSoon(end, nowMs) ? ` They run out in ${leftText(end, nowMs)} if growth goes on.` : "";
  return parts === "" ? `${held}.${left}` : `${held}: ${parts}; ${rule}.${left}`;
}

type Trees = NonNullable<SnapshotAt["details"]["cgroupTrees"]>["value"];

const ROOT = "/";

/**
 * Whether what is charged to the root leaves kernel memory out: on cgroup v1 the kernel reckons the root's
 * memory.usage_in_bytes from page cache and anonymous memory alone, so that a tree below it may be larger
 * (mem_cgroup_usage in mm/memcontrol.c).
 */
export function rootLeavesKernelOut(trees: Trees, cgroupMode: NodeSummary["cgroupMode"]): boolean {
  return cgroupMode === "v1" && trees.some(({ path }) => path === ROOT);
}

/** The largest trees as a table, KiB; the row of a root that leaves kernel memory out says so. */
export function treeTable(trees: Trees, cgroupMode: NodeSummary["cgroupMode"]): PlainTable {
  const root = rootLeavesKernelOut(trees, cgroupMode) ? `${ROOT} (all: without kernel memory)` : ROOT;
  return {
    columns: [
      "cgroup",
      "all (KiB)",
      "kernel (KiB)",
      "slab (KiB)",
      "anonymous (KiB)",
      "page cache (KiB)",
      "percpu (KiB)",
      "sockets (KiB)",
    ],
    rows: trees.map((tree) => [
      tree.path === ROOT ? root : tree.path,
      tree.usageKib ?? null,
      tree.kernelKib ?? null,
      tree.slabKib ?? null,
      tree.anonKib ?? null,
      tree.fileKib ?? null,
      tree.percpuKib ?? null,
      tree.sockKib ?? null,
    ]),
  };
}

type Hierarchies = NonNullable<SnapshotAt["details"]["cgroupDirectories"]>["value"];

/** Where nothing is empty: what was looked through, in one sentence. */
export function noEmptyCgroupText(hierarchies: Hierarchies): string {
  const looked = hierarchies.map(({ hierarchy, directories }) => `${hierarchy} ${formatNumber(directories)}`);
  return `None: each directory that was looked at has a process or a child (directories: ${looked.join(", ")}).`;
}

/** Empty cgroups by hierarchy and by names that are alike, the commonest first. */
export function emptyCgroupTable(hierarchies: Hierarchies): PlainTable {
  return {
    columns: ["hierarchy", "names", "empty cgroups", "of directories"],
    rows: hierarchies
      .flatMap(({ hierarchy, directories, clusters }) =>
        clusters.map(({ name, empty }): [string, string, number, number] => [
          hierarchy,
          name,
          empty,
          directories,
        ]),
      )
      .toSorted((a, b) => b[2] - a[2]),
  };
}
