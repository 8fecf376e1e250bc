"use client";

import Link from "next/link";
import { useCallback, useMemo } from "react";
import type { NodePageData, NodePageStart } from "#lib/charts/node-page.ts";
import { sourceRows, sourcesFinding } from "#lib/charts/sources-model.ts";
import type { TimeWindow } from "#lib/charts/view-address.ts";
import { BlockTable } from "../ui/block-table.tsx";
import { Section } from "../ui/section.tsx";
import { StatePanel } from "../ui/state-panel.tsx";
import { NodeFrame } from "./node-frame.tsx";
import { readNodePage } from "./read-node-page.ts";
import { useNodePage } from "./use-node-page.ts";

const HEADS = ["source", "status", "since", "read in", "what is not seen, why, and how to allow it"] as const;

/** What the collector of a node reads and what not, since when, and what would allow it. */
export function SourcesView({ start }: { readonly start: NodePageStart<NodePageData> }) {
  const { nodeId } = start.node;
  const read = useCallback(
    (window: TimeWindow, _zone: string, _reading: unknown, _before: NodePageData, signal: AbortSignal) =>
      readNodePage(nodeId, window, Promise.resolve({}), signal),
    [nodeId],
  );
  const view = useNodePage(start, read);
  const { node, zone, nowMs } = view;
  const rows = useMemo(() => sourceRows(node, { zone, nowMs }), [node, zone, nowMs]);
  return (
    <NodeFrame
      view={view}
      current="/sources"
      finding={sourcesFinding(node)}
      below="As the newest snapshot has it; the window does not matter here. What is not read is left out everywhere, never shown as 0."
    >
      <Section
        id="h-sources"
        title="Sources"
        note="blind ones first"
        tools={<Link href="/sources">Which nodes are blind to what</Link>}
      >
        {rows.length === 0 ? (
          <StatePanel title="Nothing is known of its sources" heading="h3">
            <p>Whatever sends for this node names no sources. The collectors of Plumbline do.</p>
          </StatePanel>
        ) : (
          <BlockTable
            region="Sources, scrolls sideways"
            label="Sources"
            heads={HEADS.map((content) => ({ key: content, content }))}
          >
            {rows.map((row) => (
              <tr
                key={row.name}
                role="row"
                className="align-top max-md:block max-md:border-b max-md:border-line max-md:py-1.5 max-md:[&>*]:mr-3 max-md:[&>*]:inline-block max-md:[&>*]:h-auto max-md:[&>*]:border-0 max-md:[&>*]:p-0"
              >
                <th role="rowheader" scope="row" className="[overflow-wrap:anywhere] max-md:font-semibold">
                  <bdi>{row.name}</bdi>
                </th>
                <td role="cell" className={row.blind ? "font-medium text-growing-ink" : "text-ink-2"}>
                  {row.status}
                </td>
                <td role="cell" className="whitespace-nowrap">
                  <span className="text-ink-2 md:hidden">since </span>
                  {row.since}
                </td>
                <td role="cell" className="whitespace-nowrap">
                  {row.readTime}
                </td>
                <td role="cell" className="max-w-[80ch]">
                  {row.advice ? (
                    <>
                      <span className="block">
                        Not seen: {row.advice.shows}. It is {row.advice.why}
                        {row.detail ? ` (${row.detail})` : ""}.
                      </span>
                      {row.advice.allow ? <span className="block text-ink-2">{row.advice.allow}</span> : null}
                    </>
                  ) : (
                    <span className="text-ink-2">{row.detail}</span>
                  )}
                </td>
              </tr>
            ))}
          </BlockTable>
        )}
      </Section>
    </NodeFrame>
  );
}
