import type { NodeSummary } from "#lib/contracts/node.ts";
import { comesByPrometheus } from "#lib/domain/prometheus/node-identity.ts";
import { adviseOnSource, type Teller } from "#lib/domain/snapshot/source-advice.ts";
import { formatCount } from "#lib/domain/memory/quantity.ts";
import { DASH, formatDuration, formatNumber } from "./format.ts";
import { formatMoment } from "./format-time.ts";

/** One source of a node, in texts. */
export interface SourceRow {
  readonly name: string;
  readonly status: NodeSummary["sources"][string]["status"];
  /** The collector could see it and does not. */
  readonly blind: boolean;
  readonly since: string;
  readonly readTime: string;
  readonly detail: string;
  /** What is not seen, why, and how to allow it; undefined for a source that is read. */
  readonly advice: ReturnType<typeof adviseOnSource>;
}

/** Who tells of a node. */
export function tellerOf({ labels }: Pick<NodeSummary, "labels">): Teller {
  return comesByPrometheus(labels) ? "prometheus" : "collector";
}

const ORDER = ["denied", "malformed", "truncated", "absent", "ok"] as const;

/** Sources of a node: what it is blind to first, what it reads last. */
export function sourceRows(
  node: Pick<NodeSummary, "sources" | "blindSources" | "labels">,
  view: { readonly zone: string; readonly nowMs: number },
): SourceRow[] {
  return Object.entries(node.sources)
    .map(([name, { status, since, readMs, detail }]) => ({
      name,
      status,
      blind: node.blindSources.includes(name),
      since:
        since === undefined
          ? "not known"
          : `${formatMoment(since, view.zone, view.nowMs)}, ${formatDuration(Math.max(0, view.nowMs - since))}`,
      readTime: readMs === undefined ? DASH : `${formatNumber(readMs, readMs < 10 ? 2 : 0)} ms`,
      detail: detail ?? "",
      advice: adviseOnSource(name, status, tellerOf(node)),
    }))
    .toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status) || (a.name < b.name ? -1 : 1));
}

/** What a node does not see, in one sentence. */
export function sourcesFinding(node: Pick<NodeSummary, "sources" | "blindSources" | "labels">): string {
  const total = Object.keys(node.sources).length;
  const blind = node.blindSources.length;
  if (tellerOf(node) === "prometheus") {
    const absent = Object.entries(node.sources).flatMap(([name, { status }]) =>
      status === "ok" ? [] : [name],
    );
    return `What is known of this node came by Prometheus${absent.length === 0 ? "" : `, without ${absent.join(", ")}`}.`;
  }
  if (total === 0) return "The collector of this node does not say what it reads.";
  if (blind === 0)
    return `The collector reads all that it found: ${formatCount(total, "source")}, blind to none.`;
  return `The collector is blind to ${formatNumber(blind)} of ${formatCount(total, "source")}: ${node.blindSources.join(", ")}.`;
}

/** A source that nodes are blind to, over the fleet. */
export interface FleetBlindness {
  readonly name: string;
  readonly status: string;
  readonly shows: string;
  readonly why: string;
  readonly allow: string | undefined;
  /** By name of the cluster and the node. */
  readonly nodes: readonly { readonly nodeId: number; readonly name: string; readonly since: string }[];
}

/** What nodes are blind to, what blinds most of them first; the same remedy then is worth most. */
export function fleetBlindness(
  nodes: readonly Pick<NodeSummary, "nodeId" | "name" | "cluster" | "sources" | "blindSources" | "labels">[],
  nowMs: number,
): FleetBlindness[] {
  const found = new Map<
    string,
    { name: string; status: string; teller: Teller; nodes: FleetBlindness["nodes"][number][] }
  >();
  for (const node of nodes) {
    for (const name of node.blindSources) {
      const source = node.sources[name];
      if (!source || source.status === "ok") continue;
      const teller = tellerOf(node);
      const key = `${teller} ${source.status} ${name}`;
      const entry = found.get(key) ?? { name, status: source.status, teller, nodes: [] };
      found.set(key, entry);
      const since = source.since === undefined ? "" : formatMoment(source.since, "UTC", nowMs);
      entry.nodes.push({ nodeId: node.nodeId, name: `${node.cluster}/${node.name}`, since });
    }
  }
  return [...found.values()]
    .map(({ name, status, teller, nodes: blind }) => {
      const advice = adviseOnSource(name, status as NodeSummary["sources"][string]["status"], teller);
      return {
        name,
        status,
        shows: advice?.shows ?? "",
        why: advice?.why ?? "",
        allow: advice?.allow,
        nodes: blind,
      };
    })
    .toSorted((a, b) => b.nodes.length - a.nodes.length || (a.name < b.name ? -1 : 1));
}
