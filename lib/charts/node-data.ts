import type { Annotation, Effect } from "#lib/contracts/annotation.ts";
import type { ChangePointList } from "#lib/contracts/change-point.ts";
import type { Decomposition } from "#lib/contracts/decomposition.ts";
import type { Experiment } from "#lib/contracts/experiment.ts";
import type { ForecastList } from "#lib/contracts/forecast.ts";
import type { NodeSummary } from "#lib/contracts/node.ts";
import type { Correlation } from "#lib/contracts/correlation.ts";
import type { CreatorList } from "#lib/contracts/creators.ts";
import type { CompositionSeries, MetricSeries, SlabSeries, SnapshotAt } from "#lib/contracts/series.ts";
import type { Trend } from "#lib/contracts/trend.ts";
import type { TimeWindow } from "./view-address.ts";

/** One part of a page: its data, or why they could not be read. A part that fails leaves the others alone. */
export type Part<Data> =
  | { readonly ok: true; readonly data: Data }
  | {
      readonly ok: false;
      readonly message: string;
      readonly requestId: string | undefined;
      /** There is nothing of this time, which is no failure. */
      readonly absent?: boolean;
    };

/** Everything that the page of a node shows of one window. */
export interface NodeData {
  readonly window: TimeWindow;
  /** When it was read, by the clock of the reader's side. */
  readonly readAtMs: number;
  /** The node as it stood then: what it sent last, whether it is silent. */
  readonly node: Part<NodeSummary>;
  readonly composition: Part<CompositionSeries>;
  readonly series: Part<MetricSeries>;
  readonly slab: Part<SlabSeries>;
  readonly annotations: Part<readonly Annotation[]>;
  readonly effects: Part<readonly Effect[]>;
  /** Deeds on the node that are followed, newest first. */
  readonly experiments: Part<readonly Experiment[]>;
  readonly trend: Part<Trend>;
  readonly correlation: Part<Correlation>;
  readonly creators: Part<CreatorList>;
  readonly changePoints: Part<ChangePointList>;
  /** Of the stretch that `steepestStretch` chooses. */
  readonly decomposition: Part<Decomposition>;
  readonly forecast: Part<ForecastList>;
  readonly snapshot: Part<SnapshotAt>;
}

/** Most followed deeds of a node that its page reads. */
export const MOST_EXPERIMENTS = 100;

/** Creators of containers that a node's page lists. */
export const MOST_CREATORS = 12;

/** Points asked for in a window; more than a wide screen can tell apart would be waste. */
export const POINTS = 600;

/** Longest stretch before and after a mark that its effect is measured over. */
export const EFFECT_REACH_MS = 6 * 3_600_000;

/** Counters of the lanes for a node with these watched directories. */
export function laneMetrics(watchedPaths: readonly string[]): string[] {
  return [
    "containers.started",
    "containers.live",
    "cgroup.memory.live",
    "cgroup.memory.dying",
    ...watchedPaths.slice(0, 12).map((path) => `watch.${path}.files`),
  ];
}

/** The data of a part, or undefined. */
export function dataOf<Data>(part: Part<Data>): Data | undefined {
  return part.ok ? part.data : undefined;
}
