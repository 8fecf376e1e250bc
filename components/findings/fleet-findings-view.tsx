import Link from "next/link";
import { countText, findingVerdict, fleetFindingsHead, standingText } from "#lib/charts/finding-model.ts";
import type { Finding, FindingList } from "#lib/contracts/finding.ts";
import { formatCount } from "#lib/domain/memory/quantity.ts";
import { PinPage } from "../investigation/pin-button.tsx";
import { BlockRow, BlockTable } from "../ui/block-table.tsx";
import { Button } from "../ui/button.tsx";
import type { Options } from "../ui/choice.tsx";
import { FIELD_CLASS } from "../ui/field.tsx";
import { Section } from "../ui/section.tsx";
import { StatePanel } from "../ui/state-panel.tsx";
import { Verdict } from "../ui/verdict.tsx";
import { RemedyParts } from "./finding-body.tsx";

/** What the page is narrowed to; empty strings narrow nothing. */
export interface FindingsFilter {
  readonly cluster: string;
  readonly state: string;
  readonly certainty: string;
}

/** Nodes of one signature that are listed. */
const MOST_NODES = 50;
const HEADS = ["node", "certainty", "speaks for it", "since"] as const;

const STATES: Options = [
  ["", "those that hold"],
  ["new", "new"],
  ["acknowledged", "acknowledged"],
  ["returned", "returned"],
  ["resolved", "resolved"],
];
const CERTAINTIES: Options = [
  ["", "firm and suspected"],
  ["firm", "firm"],
  ["suspected", "suspected"],
];

/** Known leaks over the fleet, by signature: on how many nodes, on what evidence, and what to do. */
export function FleetFindingsView({
  list,
  clusters,
  filter,
  nowMs,
}: {
  readonly list: FindingList;
  readonly clusters: readonly string[];
  readonly filter: FindingsFilter;
  readonly nowMs: number;
}) {
  const narrowed = filter.cluster !== "" || filter.state !== "" || filter.certainty !== "";
  const choice = (name: keyof FindingsFilter, label: string, options: Options) => (
    <select name={name} aria-label={label} defaultValue={filter[name]} className={FIELD_CLASS}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2 py-4">
        <h1 className="max-w-[118ch] text-xl font-semibold text-pretty">
          {narrowed && list.total === 0 ? "No finding fits" : fleetFindingsHead(list.signatures)}
        </h1>
        <p className="max-w-[110ch] text-ink-2">
          The stored history of each node is held against 52 known leaks, each quarter of an hour while its
          kernel memory moves. Firm: two independent counters and a day of growth. Times in UTC.
        </p>
      </div>
      <form className="flex flex-wrap items-center gap-2 border-t border-line-2 py-2">
        {choice("state", "State", STATES)}
        {choice("certainty", "Certainty", CERTAINTIES)}
        {choice("cluster", "Cluster", [
          ["", "all clusters"],
          ...clusters.map((name) => [name, name] as const),
        ])}
        <Button type="submit">Show</Button>
        <PinPage kind="table" caption="Findings of the fleet" suggestion="Which known leaks are there" />
        <span className="flex-1" />
        <span className="text-sm text-ink-2">{formatCount(list.total, "finding")}</span>
      </form>
      {list.total === 0 ? (
        <StatePanel title={narrowed ? "No finding fits" : "Nothing was found"} heading="h2">
          <p>
            {narrowed
              ? "Choose other states, certainties or clusters."
              : "Nodes need a day of history before a leak can be named for certain; large growth is suspected sooner."}
          </p>
          <Link href={narrowed ? "/findings" : "/"} className="text-accent-ink">
            {narrowed ? "All findings that hold" : "To the fleet"}
          </Link>
        </StatePanel>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          {list.signatures.map((count) => (
            <SignatureSection
              key={count.signature}
              count={count}
              findings={list.findings.filter(({ signature }) => signature === count.signature)}
              nowMs={nowMs}
            />
          ))}
        </div>
      )}
    </>
  );
}

function SignatureSection({
  count,
  findings,
  nowMs,
}: {
  readonly count: FindingList["signatures"][number];
  readonly findings: readonly Finding[];
  readonly nowMs: number;
}) {
  const shown = findings.slice(0, MOST_NODES);
  const [first] = shown;
  return (
    <Section
      id={`h-${count.signature}`}
      title={count.name}
      note={`${count.signature === "unknown" ? "" : `${count.signature} · `}${countText(count)}`}
    >
      {first === undefined ? null : (
        <p className="max-w-[110ch] pb-1 text-sm text-pretty text-ink-2">{first.what}</p>
      )}
      <BlockTable
        region={`Nodes with ${count.signature}, scrolls sideways`}
        label={`Nodes with ${count.signature}`}
        heads={HEADS}
      >
        {shown.map((finding) => (
          <BlockRow key={finding.findingId} className="align-top">
            <th role="rowheader" scope="row" className="whitespace-nowrap">
              <Link href={`/nodes/${finding.nodeId}/findings`} prefetch={false}>
                <bdi>{finding.node}</bdi>
              </Link>
              <bdi className="ml-1.5 text-xs font-normal text-ink-3">{finding.cluster}</bdi>
            </th>
            <td role="cell">
              <Verdict verdict={findingVerdict(finding)} />
            </td>
            <td role="cell" className="max-w-[90ch] [overflow-wrap:anywhere]">
              {finding.evidence[0]?.text}
            </td>
            <td role="cell" className="text-ink-2 md:whitespace-nowrap">
              {standingText(finding, { zone: "UTC", nowMs })}
            </td>
          </BlockRow>
        ))}
      </BlockTable>
      {count.nodes > shown.length ? (
        <p className="pt-1 text-sm text-ink-2">
          {formatCount(count.nodes - shown.length, "more node has", "more nodes have")} it; narrow the list,
          or ask /api/v1/findings?signature={count.signature}.
        </p>
      ) : null}
      {first === undefined ? null : (
        <details className="pt-1">
          <summary className="cursor-pointer text-accent-ink">How to be sure, and what to do</summary>
          <div className="grid gap-2 py-2">
            <RemedyParts signature={count.signature} detail={first} />
          </div>
        </details>
      )}
    </Section>
  );
}
