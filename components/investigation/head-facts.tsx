"use client";

import type { InvestigationFacts } from "#lib/charts/investigation-model.ts";
import { InnerLink } from "../ui/inner-link.tsx";

/** Who opened an investigation, what it is about and who takes part, as pieces of one line. */
export function HeadFacts({ facts }: { readonly facts: InvestigationFacts }) {
  return (
    <>
      <span>
        opened <b className="font-medium text-ink">{facts.opened}</b> by {facts.openedBy}
      </span>
      <span className="[overflow-wrap:anywhere]">
        {facts.nodes.length === 0
          ? "no node"
          : facts.nodes.map(({ nodeId, name }, index) => (
              <span key={nodeId}>
                {index > 0 ? ", " : "nodes "}
                <InnerLink href={`/nodes/${nodeId}`}>{name}</InnerLink>
              </span>
            ))}{" "}
        {facts.moreNodes}
      </span>
      <span>
        window <b className="font-medium text-ink">{facts.window}</b>
      </span>
      {facts.people === "" ? null : <span className="[overflow-wrap:anywhere]">with {facts.people}</span>}
    </>
  );
}
