"use client";

import Link from "next/link";
import { useEffect, useState } from "react";
import { formatMoment } from "#lib/charts/format-time.ts";
import { nodeList } from "#lib/contracts/node.ts";
import { getJson } from "../node/api-client.ts";

const EVERY_MS = 3000;
/** Nodes that report now come first; more than so many at once are on the fleet page. */
const NEWEST = 100;

interface Arrived {
  readonly nodeId: number;
  readonly name: string;
  readonly cluster: string;
  readonly atMs: number;
}

/** Says of each node that was not there when the page was opened that its first snapshot has come. */
export function FirstSnapshots({ knownNodeIds }: { readonly knownNodeIds: readonly number[] }) {
  const [arrived, setArrived] = useState<readonly Arrived[]>([]);
  const [fault, setFault] = useState("");
  const [known] = useState(() => new Set(knownNodeIds));
  useEffect(() => {
    const mine = new AbortController();
    const look = async () => {
      if (document.visibilityState !== "visible") return;
      const path = `/api/v1/nodes?sort=lastSeen&order=desc&pageSize=${NEWEST}`;
      try {
        const { nodes } = await getJson(path, nodeList, mine.signal);
        setFault("");
        setArrived(
          nodes
            .filter(({ nodeId }) => !known.has(nodeId))
            .map(({ nodeId, name, cluster, firstSeenAt }) => ({ nodeId, name, cluster, atMs: firstSeenAt }))
            .toSorted((a, b) => a.nodeId - b.nodeId),
        );
      } catch (error) {
        if (!mine.signal.aborted)
          setFault(error instanceof Error ? error.message : "The server did not answer.");
      }
    };
    const timer = setInterval(() => void look(), EVERY_MS);
    return () => {
      clearInterval(timer);
      mine.abort();
    };
  }, [known]);
  return (
    <div aria-live="polite" className="border-l-2 border-line-3 bg-surface-2 px-3 py-1.5 text-sm">
      {arrived.length === 0 ? (
        <p className="text-ink-2">Waiting for a node that was not here when this page was opened.</p>
      ) : (
        <ul>
          {arrived.map((node) => (
            <li key={node.nodeId} className="[overflow-wrap:anywhere]">
              <b>
                First snapshot received from{" "}
                <Link href={`/nodes/${node.nodeId}`} prefetch={false}>
                  <bdi>{node.name}</bdi>
                </Link>
              </b>{" "}
              <span className="text-ink-2">
                cluster <bdi>{node.cluster}</bdi>, of {formatMoment(node.atMs, "UTC", node.atMs)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {fault ? <p className="text-growing-ink">{fault}</p> : null}
    </div>
  );
}
