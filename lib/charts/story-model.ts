import { dyingCgroupMoments } from "#lib/domain/scenarios/dying-cgroup-cluster.ts";
import { exitFileMoments } from "#lib/domain/scenarios/exit-file-cluster.ts";
import { comparePath } from "./compare-address.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** One view of the product, and what it shows. */
export interface StoryStep {
  readonly title: string;
  /** One sentence. */
  readonly see: string;
  readonly href: string;
}

/** A leak, or what is none, told in steps. */
export interface Story {
  readonly key: string;
  readonly title: string;
  readonly cluster: string;
  readonly about: string;
  readonly steps: readonly StoryStep[];
}

type FindNode = (cluster: string, name: string) => number | undefined;

/** A step whose node is not there is left out: a small fleet tells less. */
type Step = Omit<StoryStep, "href"> & { readonly href: string | undefined };

function nodePath(
  nodeId: number | undefined,
  [fromMs, toMs]: readonly [number, number],
  { section, tab }: { readonly section?: string; readonly tab?: string } = {},
): string | undefined {
  if (nodeId === undefined) return undefined;
  const query = new URLSearchParams({ from: String(fromMs), to: String(toMs), timezone: "utc" });
  return `/nodes/${nodeId}${tab === undefined ? "" : `/${tab}`}?${query.toString()}${section === undefined ? "" : `#${section}`}`;
}

function clusterPath(cluster: string, shown: Readonly<Record<string, string>>): string {
  return `/?${new URLSearchParams({ attribute: "cluster", value: cluster, ...shown }).toString()}`;
}

/**
 * The stories of the simulated fleets.
 * @param anchorMs the moment at which they are told.
 * @param find the id of a node by cluster and name; undefined where it is not there.
 */
export function stories(anchorMs: number, find: FindNode): Story[] {
  return [exitFiles(anchorMs, find), dyingCgroups(anchorMs, find), rhythm(anchorMs, find)]
    .map((story) => ({
      ...story,
      steps: story.steps.flatMap(({ href, ...step }) => (href === undefined ? [] : [{ ...step, href }])),
    }))
    .filter(({ steps }) => steps.length > 0);
}

type Told = Omit<Story, "steps"> & { readonly steps: readonly Step[] };

function exitFiles(anchorMs: number, find: FindNode): Told {
  const { stoppedMs, restartedMs, removedMs, smemMs, bootedMs } = exitFileMoments(anchorMs);
  const node = (name: string) => find("athena", name);
  const [upgraded, leaking] = [node("w04"), node("w02")];
  return {
    key: "exit-files",
    title: "Containers that leave something behind",
    cluster: "athena",
    about:
      "Nodes of 188 GiB run out of memory about once a week, although their programs do not grow. A job called pull-monitor starts containers without end.",
    steps: [
      {
        title: "Which nodes leak, and which dies next",
        see: "w02 runs out of memory within a day and others follow, each leaking about 300 MiB/h of kernel memory; the nodes that were mended are flat.",
        href: clusterPath("athena", { window: "24h" }),
      },
      {
        title: "What smem said at 04:00",
        see: "Kernel dynamic memory, non-cache: 22,368,844 kB and rising since the boot, while programs hold 0.7 GiB.",
        href: nodePath(node("w01"), [bootedMs + HOUR_MS / 2, smemMs], { section: "h-smem" }),
      },
      {
        title: "CRI-O restarted: no effect",
        see: "The slope after the restart is the slope before it, and nothing was given back: unchanged, none.",
        href: nodePath(node("w01"), [restartedMs - 6 * HOUR_MS, stoppedMs - 60_000]),
      },
      {
        title: "pull-monitor stopped at 04:15 GMT",
        see: "Growth stops at the mark, the memory stays: stopped, none.",
        href: nodePath(node("w01"), [stoppedMs - 6 * HOUR_MS, removedMs - 60_000]),
      },
      {
        title: "Exit files removed",
        see: "The files in /run/crio/exits fall to none and 7 to 8 GiB of unreclaimable slab come back: freed; the per-CPU part stays.",
        href: nodePath(node("w01"), [stoppedMs + HOUR_MS / 2, Math.min(anchorMs, removedMs + 6 * HOUR_MS)]),
      },
      {
        title: "The cure: a newer CRI-O, against a node without it",
        see: "Over the same day the upgraded w04 grows by nothing while w02 goes on at 300 MiB/h.",
        href:
          upgraded === undefined || leaking === undefined
            ? undefined
            : comparePath([
                ["a", String(leaking)],
                ["b", String(upgraded)],
                ["from", String(anchorMs - DAY_MS)],
                ["to", String(anchorMs)],
                ["timezone", "utc"],
              ]),
      },
    ],
  };
}

function dyingCgroups(anchorMs: number, find: FindNode): Told {
  const { h03, h04, h05, h08, fullMs } = dyingCgroupMoments(anchorMs);
  const node = (name: string) => find("hermes", name);
  return {
    key: "dying-cgroups",
    title: "Memory cgroups that never die",
    cluster: "hermes",
    about:
      "Kernel 3.10 with accounting of kernel memory keeps each memory cgroup of a deleted pod, and its id, of which there are 65,535.",
    steps: [
      {
        title: "Which node runs out of ids next",
        see: "h02 has about a day of memory-cgroup ids left; h01 and h07 have none.",
        href: clusterPath("hermes", { metric: "cgroup.memory.count", window: "24h" }),
      },
      {
        title: "The node where no pod starts any more",
        see: "All 65,535 ids are held, nearly all by dead cgroups: from then on mkdir fails and pods are evicted, though a third of the memory is free.",
        href: nodePath(node("h01"), [fullMs.h01 - 36 * HOUR_MS, fullMs.h01 + 12 * HOUR_MS], {
          tab: "cgroups",
        }),
      },
      {
        title: "What leaking nodes have in common",
        see: "The old runc separates them: with it nodes leak, unless their ids have run out or their kernel is newer; with the new one all are flat but h04, whose pods are the old ones.",
        href: `/cohorts?${new URLSearchParams({ attribute: "version.runc", metric: "cgroup.memory.count", window: "24h", cluster: "hermes" }).toString()}`,
      },
      {
        title: "kubelet restarted: no effect",
        see: "The slope goes on as before, and nothing came back: unchanged, none.",
        href: nodePath(node("h03"), [
          h03.kubeletRestartedMs - 24 * HOUR_MS,
          h03.kubeletRestartedMs + 24 * HOUR_MS,
        ]),
      },
      {
        title: "runc replaced, pods not yet made anew",
        see: "New containers are clean at once, those that ran before go on: slowed.",
        href: nodePath(node("h04"), [h04.replacedMs - 24 * HOUR_MS, h04.replacedMs + 24 * HOUR_MS]),
      },
      {
        title: "Pods recreated",
        see: "Growth stops, and the dead cgroups stay until a reboot: stopped, none.",
        href: nodePath(node("h05"), [h05.replacedMs + HOUR_MS, h05.recreatedMs + 30 * HOUR_MS]),
      },
      {
        title: "A node that had run out, rebooted",
        see: "Only the reboot gave ids and memory back: freed, and flat since.",
        href: nodePath(node("h08"), [h08.replacedMs + HOUR_MS, h08.rebootedMs + 36 * HOUR_MS]),
      },
    ],
  };
}

function rhythm(anchorMs: number, find: FindNode): Told {
  return {
    key: "rhythm",
    title: "And what is no leak",
    cluster: "hestia",
    about: "Nodes that are busy by day and quiet by night.",
    steps: [
      {
        title: "A week of a busy node",
        see: "Memory of programs goes up and down by gigabytes each day; the verdict is flat.",
        href: nodePath(find("hestia", "b01"), [anchorMs - 7 * DAY_MS, anchorMs]),
      },
    ],
  };
}
