import { dyingCgroupCluster } from "./dying-cgroup-cluster.ts";
import { exitFileCluster } from "./exit-file-cluster.ts";
import type { Machine } from "./machine.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";
import { rhythmCluster } from "./rhythm-cluster.ts";
import { SIMULATED_LABEL } from "./simulated-label.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * How much is made: `full` for people, 38 nodes over 15 days; `small` for tests, the nodes that the stories need over 8 days.
 */
export type FleetSize = "full" | "small";

const SIZES: Readonly<
  Record<FleetSize, { readonly days: number; readonly keeps: (machine: Machine) => boolean }>
> = {
  full: { days: 15, keeps: () => true },
  small: { days: 8, keeps: ({ name }) => /^(?:w0[1-46]|w11|h0[1-589]|h1[1356]|b01)$/.test(name) },
};

/**
 * The fleets of the demonstration: the two histories of a leak, and nodes with nothing but a daily rhythm. Everything lies
 * at fixed distances before `anchorMs`, except that the job is stopped at 04:15 GMT.
 * @param anchorMs the moment at which the histories are told, a whole minute.
 */
export function simulatedFleet(
  anchorMs: number,
  size: FleetSize,
): {
  readonly clusters: readonly SimulatedCluster[];
  /** From when on histories are made, and from when on they are kept: what they say depends on where they begin. */
  readonly fromMs: number;
  readonly keptFromMs: number;
} {
  const { days, keeps } = SIZES[size];
  const labels = { [SIMULATED_LABEL]: new Date(anchorMs).toISOString() };
  const clusters = [exitFileCluster(anchorMs), dyingCgroupCluster(anchorMs), rhythmCluster(anchorMs)].map(
    (cluster) => {
      const machines = cluster.machines.filter(keeps);
      const names = new Set(machines.map(({ name }) => name));
      return {
        ...cluster,
        machines: machines.map((machine) => ({ ...machine, labels: { ...machine.labels, ...labels } })),
        marks: cluster.marks
          .map((mark) => ({ ...mark, nodes: mark.nodes.filter((name) => names.has(name)) }))
          .filter(({ nodes }) => nodes.length > 0),
      };
    },
  );
  const wholeDay = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS;
  return {
    clusters,
    fromMs: wholeDay(anchorMs - SIZES.full.days * DAY_MS),
    keptFromMs: wholeDay(anchorMs - days * DAY_MS),
  };
}

/** From when on every sample is kept, and not only what it was rolled up to: it holds the stopping of the job. */
export function fineFromMs(anchorMs: number): number {
  return Math.floor((anchorMs - 40 * HOUR_MS) / HOUR_MS) * HOUR_MS;
}

/** When samples are taken: each five minutes at first, each two minutes where all are kept, without end. */
export function* sampleTimes(fromMs: number, anchorMs: number): Generator<number, never, undefined> {
  const fineMs = fineFromMs(anchorMs);
  for (let atMs = fromMs; ; atMs += (atMs < fineMs ? 5 : 2) * MINUTE_MS) yield atMs;
}
