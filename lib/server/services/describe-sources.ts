import type { NodeSummary } from "#lib/contracts/node.ts";
import { sourceStatus } from "#lib/domain/snapshot/schema.ts";
import type { NodeState } from "#lib/server/data/nodes.ts";

/** How reading each source went, as the newest snapshot says. */
export function describeSources(sources: NodeState["sources"]): NodeSummary["sources"] {
  return Object.fromEntries(
    Object.entries(sources ?? {}).map(([name, { status, readMs, detail, since }]) => [
      name,
      {
        status: sourceStatus.parse(status),
        ...(readMs !== undefined && { readMs }),
        ...(detail !== undefined && { detail }),
        ...(since !== undefined && { since }),
      },
    ]),
  );
}
