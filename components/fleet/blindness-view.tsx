import Link from "next/link";
import type { FleetBlindness } from "#lib/charts/sources-model.ts";
import { formatNumber } from "#lib/charts/format.ts";
import { formatCount } from "#lib/domain/memory/quantity.ts";
import { ForRole } from "../account/access.tsx";
import { StatePanel } from "../ui/state-panel.tsx";

const NAMED = 20;

/** Which nodes are blind to what, and what would let them see. */
export function BlindnessView({
  found,
  nodes,
}: {
  readonly found: readonly FleetBlindness[];
  /** Nodes that there are. */
  readonly nodes: number;
}) {
  const blind = new Set(found.flatMap((each) => each.nodes.map(({ nodeId }) => nodeId))).size;
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2 py-4">
        <h1 className="text-xl font-semibold">
          {nodes === 0
            ? "No node has reported yet"
            : blind === 0
              ? nodes === 1
                ? "The only node reads what it found"
                : `No node is blind: all ${formatNumber(nodes)} read what they found`
              : nodes === 1
                ? "The only node is blind to something"
                : `${formatNumber(blind)} of ${formatNumber(nodes)} nodes ${blind === 1 ? "is" : "are"} blind to something`}
        </h1>
        <p className="max-w-[110ch] text-ink-2">
          A source counts where it is there and the collector could not read it. What is not read is left out
          of every view, never shown as 0. Times are those of the newest status.
        </p>
      </div>
      {nodes === 0 ? (
        <StatePanel title="Add a node first" heading="h2">
          <p>
            <ForRole least="administrator" instead="An administrator adds nodes.">
              <Link href="/add-nodes">Add nodes</Link> has the commands.
            </ForRole>
          </p>
        </StatePanel>
      ) : (
        <ul aria-label="What nodes are blind to">
          {found.map((each) => (
            <li
              key={`${each.status} ${each.name} ${each.why}`}
              className="grid gap-1 border-t border-line py-3 text-sm"
            >
              <h2 className="font-semibold [overflow-wrap:anywhere]">
                <bdi>{each.name}</bdi> <span className="text-growing-ink">{each.status}</span> on{" "}
                {formatCount(each.nodes.length, "node")}
              </h2>
              <p className="max-w-[110ch]">
                Not seen: {each.shows}. It is {each.why}.
              </p>
              {each.allow ? <p className="max-w-[110ch] text-ink-2">{each.allow}</p> : null}
              <p className="[overflow-wrap:anywhere]">
                {each.nodes.slice(0, NAMED).map((node, index) => (
                  <span key={node.nodeId}>
                    {index > 0 ? ", " : ""}
                    <Link href={`/nodes/${node.nodeId}/sources`} prefetch={false}>
                      <bdi>{node.name}</bdi>
                    </Link>
                    {node.since ? <span className="text-ink-2"> since {node.since}</span> : null}
                  </span>
                ))}
                {each.nodes.length > NAMED ? ` and ${formatNumber(each.nodes.length - NAMED)} more` : ""}
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
