"use client";

import Link from "next/link";
import { useCallback, useState } from "react";
import { nodeFindingsHead, readText } from "#lib/charts/finding-model.ts";
import { dataOf, type Part } from "#lib/charts/node-data.ts";
import type { NodePageData, NodePageStart } from "#lib/charts/node-page.ts";
import type { TimeWindow } from "#lib/charts/view-address.ts";
import { nodeFindings, type NodeFindings } from "#lib/contracts/finding.ts";
import { getJson } from "../node/api-client.ts";
import { NodeFrame } from "../node/node-frame.tsx";
import { PartFault } from "../node/part-fault.tsx";
import { readPart } from "../node/read-part.ts";
import { useNodePage } from "../node/use-node-page.ts";
import { CopiedCommand } from "../ui/copied-command.tsx";
import { ScrollTable } from "../ui/scroll-table.tsx";
import { Section } from "../ui/section.tsx";
import { StatePanel } from "../ui/state-panel.tsx";
import { FindingCard } from "./finding-card.tsx";

/** What the page of a node's findings shows. */
export interface NodeFindingsData extends NodePageData {
  readonly findings: Part<NodeFindings>;
}

function readFindings(nodeId: number, signal: AbortSignal): Promise<Part<NodeFindings>> {
  return readPart(getJson(`/api/v1/nodes/${nodeId}/findings`, nodeFindings, signal));
}

/** Known leaks on one node: evidence, what tells them apart, what to do, and what to look at next. */
export function NodeFindingsView({ start }: { readonly start: NodePageStart<NodeFindingsData> }) {
  const { nodeId } = start.node;
  const [changed, setChanged] = useState<Part<NodeFindings>>();
  const readOwn = useCallback(async (id: number, _window: TimeWindow, signal: AbortSignal) => {
    const findings = await readFindings(id, signal);
    setChanged(undefined);
    return { findings };
  }, []);
  const view = useNodePage(start, readOwn);
  const { zone, nowMs } = view;
  const part = changed ?? view.data.findings;
  const answer = dataOf(part);
  const readAgain = () => void readFindings(nodeId, new AbortController().signal).then(setChanged);
  return (
    <NodeFrame
      view={view}
      current="/findings"
      finding={answer ? nodeFindingsHead(answer) : "The findings could not be read."}
      below={
        answer ? (
          <>
            <p>{readText(answer, { zone, nowMs })} The window does not matter here.</p>
            {answer.notes.map((note) => (
              <p key={note}>{note}</p>
            ))}
          </>
        ) : null
      }
    >
      <PartFault part={part} title="The findings could not be read" />
      {answer ? <Answer answer={answer} zone={zone} nowMs={nowMs} onChanged={readAgain} /> : null}
    </NodeFrame>
  );
}

function Answer({
  answer,
  zone,
  nowMs,
  onChanged,
}: {
  readonly answer: NodeFindings;
  readonly zone: string;
  readonly nowMs: number;
  readonly onChanged: () => void;
}) {
  const holding = answer.findings.filter(({ state }) => state !== "resolved");
  const resolved = answer.findings.filter(({ state }) => state === "resolved");
  const cards = (findings: NodeFindings["findings"], openFirst: boolean) => (
    <ul>
      {findings.map((finding, index) => (
        <FindingCard
          key={finding.findingId}
          finding={finding}
          open={openFirst && index === 0}
          zone={zone}
          nowMs={nowMs}
          onChanged={onChanged}
        />
      ))}
    </ul>
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <Section
        id="h-findings"
        title="What was found"
        note="the best first"
        tools={<Link href="/findings">Findings of the fleet</Link>}
      >
        {holding.length > 0 ? (
          cards(holding, true)
        ) : answer.computedAt === null ? (
          <StatePanel title="Not read yet" heading="h3">
            <p>What is found stands here once the worker has read the history of this node.</p>
          </StatePanel>
        ) : (
          <StatePanel title="Nothing that holds" heading="h3">
            <p>
              None of the known leaks shows in what was read of this node. Growth that no signature fits would
              be listed here too, as a leak without a name.
            </p>
          </StatePanel>
        )}
      </Section>
      {answer.askNext === null ? null : (
        <Section id="h-next" title="Collect this next" note="would say most about what is not known yet">
          <CopiedCommand command={answer.askNext} label="what to collect next" />
        </Section>
      )}
      {answer.possible.length > 0 ? (
        <Section
          id="h-possible"
          title="Neither shown nor ruled out"
          note="a band in which they would show grows, and what would show them is not known"
        >
          <ScrollTable
            label="Neither shown nor ruled out"
            heads={["signature", "name", "what would have to be known"]}
          >
            {answer.possible.map(({ signature, name, missing }) => (
              <tr key={signature} className="align-top">
                <th scope="row">{signature}</th>
                <td>{name}</td>
                <td className="text-ink-2">{missing.join(", ")}</td>
              </tr>
            ))}
          </ScrollTable>
        </Section>
      ) : null}
      {resolved.length > 0 ? (
        <Section id="h-resolved" title="Resolved" note="its evidence has gone; it returns by itself">
          {cards(resolved, false)}
        </Section>
      ) : null}
    </div>
  );
}
