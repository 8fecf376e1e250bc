import type { AddressFault } from "./view-address.ts";

/** What a view keeps of an address that was carried over from Grafana. */
const KEPT = ["from", "to", "timezone", "viewPanel"] as const;

/** Where `var-node` leads, or why it leads nowhere; nothing where the address names no node, or several. */
export type NamedNode = { readonly path: string } | { readonly fault: AddressFault } | undefined;

/**
 * The page of the node that an address names as Grafana does, with the range of the address.
 *
 * @example nodeOfAddress((name) => new URLSearchParams("var-node=a&from=now-6h").getAll(name), [{ nodeId: 7, name: "a" }])
 * // { path: "/nodes/7?from=now-6h" }
 */
export function nodeOfAddress(
  all: (name: string) => readonly string[],
  nodes: readonly { readonly nodeId: number; readonly name: string }[],
): NamedNode {
  const [given, ...others] = all("var-node");
  // Grafana names all of a list so.
  if (given === undefined || given === "$__all" || others.length > 0) return undefined;
  const node = nodes.find(({ name }) => name === given);
  if (!node)
    return { fault: { name: "var-node", given: given.slice(0, 60), message: "expected the name of a node" } };
  const query = new URLSearchParams();
  for (const name of KEPT) {
    const [value] = all(name);
    if (value !== undefined) query.set(name, value);
  }
  return { path: query.size === 0 ? `/nodes/${node.nodeId}` : `/nodes/${node.nodeId}?${query.toString()}` };
}
