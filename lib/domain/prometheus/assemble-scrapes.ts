import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { buildPrometheusSnapshot } from "./build-snapshot.ts";
import { readContainerCounts, type ContainerCounts, type StartedTotal } from "./container-counts.ts";
import { takePossible } from "./impossible-values.ts";
import { identifyNode, type Labels } from "./node-identity.ts";
import { fieldsOfSeries, fieldValue, type ScrapeFields } from "./series-fields.ts";

/** A series with its samples: epoch milliseconds and value. */
export interface SeriesSamples {
  readonly labels: Labels;
  readonly samples: readonly (readonly [atMs: number, value: number])[];
}

/** What was scraped of one node, by the moment of the scrape. */
export interface NodeScrapes {
  readonly hosts: Set<string>;
  readonly moments: Map<number, ScrapeFields>;
}

/** The scrapes of many nodes, by the name of the node, and how many samples were of no use. */
export interface GatheredScrapes {
  readonly nodes: Map<string, NodeScrapes>;
  /** Samples of series that Plumbline does not need, or that belong to no node. */
  droppedSamples: number;
}

/**
 * Sorts samples by node and moment. All series of one scrape have one timestamp; the exporters of one node are scraped at
 * moments of their own.
 */
export function gatherScrapes(series: Iterable<SeriesSamples>, nodeLabel?: string): GatheredScrapes {
  const gathered: GatheredScrapes = { nodes: new Map(), droppedSamples: 0 };
  for (const { labels, samples } of series) {
    const fields = fieldsOfSeries(labels);
    const node = fields.length === 0 ? undefined : identifyNode(labels, nodeLabel);
    if (node === undefined) {
      gathered.droppedSamples += samples.length;
      continue;
    }
    let scrapes = gathered.nodes.get(node.name);
    if (!scrapes) gathered.nodes.set(node.name, (scrapes = { hosts: new Set(), moments: new Map() }));
    if (node.host !== undefined) scrapes.hosts.add(node.host);
    for (const [atMs, sample] of samples) {
      for (const field of fields) {
        const value = fieldValue(field, sample);
        if (value === undefined) continue;
        let moment = scrapes.moments.get(atMs);
        if (!moment) scrapes.moments.set(atMs, (moment = {}));
        moment[field.field] = value;
      }
    }
  }
  return gathered;
}

/** How old the counts of containers may be beside a snapshot: what Prometheus itself looks back. */
export const CONTAINERS_HOLD_MS = 5 * 60_000;

export interface AssembledScrapes {
  /** By node, each in the order of time. */
  readonly snapshots: SnapshotInput[];
  /** How far the containers of each node are counted now. */
  readonly started: Map<string, StartedTotal>;
  /** Moments of which no snapshot could be made, by the series that was missing. */
  readonly incomplete: Map<string, number>;
  /** Moments with values that cannot be, which were left out. */
  readonly impossible: ImpossibleMoment[];
}

/** A moment of a node and which of its fields cannot be. */
export interface ImpossibleMoment {
  readonly node: string;
  readonly atMs: number;
  readonly fields: readonly string[];
  /** Without them there is no snapshot. */
  readonly isLost: boolean;
}

/**
 * Makes the snapshots of a stretch of time: one for each moment at which a node's memory was scraped. Where nothing was
 * scraped there is nothing.
 * @param range moments from `fromMs` to before `toMs`; counts of containers from before it are used as well.
 * @param startedBefore what was counted before this stretch, by node.
 */
export function assembleScrapes(
  { nodes }: Pick<GatheredScrapes, "nodes">,
  range: { fromMs: number; toMs: number },
  startedBefore: ReadonlyMap<string, StartedTotal>,
): AssembledScrapes {
  const made: AssembledScrapes = {
    snapshots: [],
    started: new Map(startedBefore),
    incomplete: new Map(),
    impossible: [],
  };
  const containers = containersByNode(nodes);
  for (const [node, { moments }] of nodes) {
    const counts = containers.get(node) ?? [];
    let next = 0;
    const inOrder = [...moments].filter(([, fields]) => isOfMemory(fields)).sort(([a], [b]) => a - b);
    for (const [atMs, told] of inOrder) {
      if (atMs < range.fromMs || atMs >= range.toMs) continue;
      for (let each = counts[next]; each !== undefined && each.atMs <= atMs; each = counts[next]) next += 1;
      const latest = counts[next - 1];
      const isFresh = latest !== undefined && atMs - latest.atMs <= CONTAINERS_HOLD_MS;
      const { fields, impossible } = takePossible(told, atMs);
      const startedThen = made.started.get(node);
      const built = buildPrometheusSnapshot({
        node,
        atMs,
        fields,
        ...(isFresh && { containers: latest.counts }),
        ...(startedThen && { startedBefore: startedThen }),
      });
      if (impossible.length > 0)
        made.impossible.push({ node, atMs, fields: impossible, isLost: "missing" in built });
      if ("missing" in built) {
        made.incomplete.set(built.missing, (made.incomplete.get(built.missing) ?? 0) + 1);
        continue;
      }
      made.snapshots.push(built.snapshot);
      if (built.started !== undefined) made.started.set(node, built.started);
    }
  }
  return made;
}

/** Whether a moment is one of node_exporter's. */
function isOfMemory(fields: ScrapeFields): boolean {
  return Object.keys(fields).some((field) => field.startsWith("meminfo "));
}

interface CountsAt {
  readonly atMs: number;
  readonly counts: ContainerCounts;
}

/**
 * The counts of containers that belong to each node, oldest first: its own, and those of exporters that are known by
 * another name but were scraped at the same host.
 */
function containersByNode(nodes: ReadonlyMap<string, NodeScrapes>): Map<string, CountsAt[]> {
  const byHost = new Map<string, CountsAt[]>();
  const own = new Map<string, CountsAt[]>();
  for (const [name, { hosts, moments }] of nodes) {
    const counts: CountsAt[] = [];
    for (const [atMs, fields] of moments) {
      const read = readContainerCounts(fields);
      if (read.started !== undefined || read.live !== undefined) counts.push({ atMs, counts: read });
    }
    if (counts.length === 0) continue;
    own.set(name, counts);
    for (const host of hosts) byHost.set(host, [...(byHost.get(host) ?? []), ...counts]);
  }
  return new Map(
    [...nodes].map(([name, { hosts }]) => {
      const all = new Set([...(own.get(name) ?? []), ...(byHost.get(name) ?? [])]);
      for (const host of hosts) for (const each of byHost.get(host) ?? []) all.add(each);
      return [name, [...all].sort((a, b) => a.atMs - b.atMs)];
    }),
  );
}
