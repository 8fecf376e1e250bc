import type { NodeSummary } from "#lib/contracts/node.ts";
import { sourceStatus } from "#lib/domain/snapshot/schema.ts";
import type { NodeDetails } from "#lib/server/data/nodes.ts";

/** How reading each source went, as the newest snapshot says. */
export function describeSources(
  sources: NodeDetails["sources"],
  since: NodeDetails["sourcesSince"] = {},
): NodeSummary["sources"] {
  return Object.fromEntries(
    Object.entries(sources ?? {}).map(([name, { status, readMs, detail }]) => [
      name,
      {
        status: sourceStatus.parse(status),
        ...(readMs !== undefined && { readMs }),
        ...(detail !== undefined && { detail }),
        ...(Object.hasOwn(since, name) && { since: since[name] }),
      },
    ]),
  );
}
