import type { FindingBrief } from "#lib/contracts/finding.ts";
import type { FleetNode } from "#lib/contracts/node.ts";
import type { TimeLeft, Trend } from "#lib/contracts/trend.ts";
import { BANDS } from "#lib/domain/memory/bands.ts";
import { isSimulated } from "#lib/domain/scenarios/simulated-label.ts";
import { MEMCG_ID_LIMIT, memcgIdsHeld } from "#lib/domain/memory/memcg-ids.ts";
import type { NodeNewest } from "#lib/server/data/nodes.ts";
import { memTotalOf } from "./analyse-metric.ts";
import { composeColumns } from "./metric-columns.ts";

/** How long a name that two boots reported under is called a conflict after it was last seen. */
const CONFLICT_SHOWN_MS = 3_600_000;

/** A node as the fleet page lists it, with a stored trend of it. Pure: the clock is `nowMs`. */
export function describeNode(
  node: NodeNewest,
  {
    nowMs,
    silentAfterMs,
    trend,
    timeLeft,
    findings,
  }: {
    nowMs: number;
    silentAfterMs: number;
    trend: Trend | undefined;
    timeLeft: readonly TimeLeft[] | undefined;
    findings: readonly FindingBrief[] | undefined;
  },
): FleetNode {
  const { counters, details, outlook } = node;
  const composition = composeColumns((column) => counters[column], node.kernelRelease);
  const cgroups = {
    count: counters.cgroupMemoryCount ?? null,
    live: counters.cgroupLive ?? null,
    dying: counters.cgroupDying ?? null,
  };
  return {
    nodeId: node.nodeId,
    cluster: node.cluster,
    name: node.name,
    labels: node.labels,
    simulated: isSimulated(node),
    kernelRelease: node.kernelRelease,
    cpus: node.cpus,
    pageSizeBytes: node.pageSizeBytes,
    versions: node.versions,
    cgroupMode: node.cgroupMode,
    bootId: node.bootId,
    bootedAt: Math.round(node.bootedAtMs),
    firstSeenAt: Math.round(node.firstSeenAtMs),
    lastSeenAt: Math.round(node.atMs),
    // By the server's own clock: a node whose clock is off is not silent.
    silent: nowMs - node.receivedAtMs > silentAfterMs,
    conflict: node.conflictAtMs !== null && nowMs - node.conflictAtMs < CONFLICT_SHOWN_MS,
    memTotalKib: memTotalOf(node),
    memAvailableKib: counters.MemAvailable ?? null,
    bands: Object.fromEntries(BANDS.map(({ key }) => [key, composition?.bands[key] ?? null])),
    kernelNoncacheKib: composition?.kernelNoncacheKib ?? null,
    kernelUnreclaimableKib: composition?.kernelUnreclaimableKib ?? null,
    containersPerHour: outlook?.containersPerHour ?? null,
    containersLive: counters.containersLive ?? null,
    cgroups: {
      ...cgroups,
      idsHeld: memcgIdsHeld(node.kernelRelease, cgroups) ?? null,
      idLimit: MEMCG_ID_LIMIT,
    },
    watch: (details.watch ?? []).map(({ path, files, atLeast }) => ({
      path,
      files,
      ...(atLeast !== undefined && { atLeast }),
    })),
    blindSources: [...(details.blindSources ?? [])],
    collector:
      details.self === undefined
        ? null
        : {
            cpuSeconds: details.self.cpuSeconds,
            rssKib: details.self.rssKib,
            ...(details.self.version !== undefined && { version: details.self.version }),
          },
    sparkline: {
      timesMs: [...(outlook?.sparkline.timesMs ?? [])],
      valuesKib: [...(outlook?.sparkline.valuesKib ?? [])],
    },
    trend: trend ?? null,
    timeLeft: timeLeft ? [...timeLeft] : null,
    findings: [...(findings ?? [])],
  };
}
