import type { CompositionSeries } from "#lib/contracts/series.ts";
import type { SeriesAxis, SeriesRequest } from "#lib/server/data/series.ts";

type TimeAxis = Pick<
  CompositionSeries,
  "nodeId" | "from" | "to" | "timesMs" | "gaps" | "reboots" | "resolution"
>;

/** What every columnar answer says about its time axis. */
export function describeAxis(axis: SeriesAxis, { nodeId, fromMs, toMs }: SeriesRequest): TimeAxis {
  return {
    nodeId,
    from: fromMs,
    to: toMs,
    timesMs: axis.timesMs,
    gaps: axis.gaps,
    reboots: axis.reboots,
    resolution: { source: axis.resolution.source, bucketSeconds: axis.resolution.bucketSeconds },
  };
}
