"use client";

import Link from "next/link";
import { useMemo } from "react";
import type { NodePageData, NodePageStart } from "#lib/charts/node-page.ts";
import { sourceRows, sourcesFinding } from "#lib/charts/sources-model.ts";
import { BlockRow, BlockTable } from "../ui/block-table.tsx";
import { Section } from "../ui/section.tsx";
import { StatePanel } from "../ui/state-panel.tsx";
import { NodeFrame } from "./node-frame.tsx";
import { useNodePage } from "./use-node-page.ts";

const HEADS = ["source", "status", "since", "read in", "what is not seen, why, and how to allow it"] as const;

const readNothing = () => Promise.resolve({});

/** What the collector of a node reads and what not, since when, and what would allow it. */
export function SourcesView({ start }: { readonly start: NodePageStart<NodePageData> }) {
  const view = useNodePage(start, readNothing);
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
          <BlockTable region="Sources, scrolls sideways" label="Sources" heads={HEADS}>
            {rows.map((row) => (
              <BlockRow key={row.name} className="align-top">
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
              </BlockRow>
            ))}
          </BlockTable>
        )}
      </Section>
    </NodeFrame>
  );
}
