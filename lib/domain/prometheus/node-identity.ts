/** Label, in Plumbline, of nodes whose newest snapshot came by way of Prometheus. */
export const IMPORTED_LABEL = "imported";

/** Whether what a node is known by came by way of Prometheus: no collector of Plumbline runs there. */
export function comesByPrometheus(labels: Readonly<Record<string, string>>): boolean {
  return labels[IMPORTED_LABEL] === "prometheus";
}

/** Labels of one series, `__name__` among them. */
export type Labels = Readonly<Record<string, string>>;

/** Whose series it is. */
export interface SeriesNode {
  /** The name of the node in Plumbline. */
  readonly name: string;
  /** Where it was scraped, without the port; what exporters of one machine have in common. */
  readonly host: string | undefined;
}

/** An `instance` without its port: `10.0.0.7:9100`, `[fd00::7]:9100`, `node-7`. */
export function hostOfInstance(instance: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(instance);
  if (bracketed?.[1] !== undefined) return bracketed[1];
  // A bare IPv6 address has several colons and no port.
  return instance.replace(/^([^:]+):\d+$/, "$1");
}

/**
 * The node of a series: by the label that was named, else by `node`, else by `instance` without its port. Undefined when
 * it has none of them.
 */
export function identifyNode(labels: Labels, nodeLabel?: string): SeriesNode | undefined {
  const instance = labels.instance;
  const host = instance === undefined || instance === "" ? undefined : hostOfInstance(instance);
  const name =
    nodeLabel === undefined ? (targetLabel(labels, "node") ?? host) : targetLabel(labels, nodeLabel);
  return name === undefined || name === "" ? undefined : { name, host };
}

/**
 * Zones and NUMA counters carry a `node` of their own, the NUMA node; where the target has that label too, Prometheus
 * renames theirs to `exported_node`.
 */
function targetLabel(labels: Labels, label: string): string | undefined {
  const name = labels.__name__ ?? "";
  const isOwn = label === "node" && /^node_(?:zoneinfo|memory_numa)_/.test(name);
  return isOwn && labels.exported_node === undefined ? undefined : labels[label] || undefined;
}
