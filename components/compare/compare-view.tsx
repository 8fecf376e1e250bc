"use client";

import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import { useState, useTransition } from "react";
import { bootBeforePath, earlierPath, readCompareForm } from "#lib/charts/compare-address.ts";
import type { CompareChoices } from "#lib/charts/compare-address.ts";
import {
  clockText,
  compareLines,
  compareRows,
  compareSeriesTable,
  differencesTable,
} from "#lib/charts/compare-model.ts";
import type { PlainTable } from "#lib/contracts/csv.ts";
import { formatWindow, zoneName } from "#lib/charts/format-time.ts";
import type { ComparedSide, Comparison } from "#lib/contracts/compare.ts";
import { resolveWindow } from "#lib/charts/view-address.ts";
import { ChartTable } from "../charts/chart-table.tsx";
import { useZone } from "../node/use-zone.ts";
import { PinButton } from "../investigation/pin-button.tsx";
import { Button } from "../ui/button.tsx";
import { downloadCsv, fileName } from "../ui/download.ts";
import { FIELD_CLASS } from "../ui/field.tsx";
import { Section } from "../ui/section.tsx";
import { SimulatedBadge } from "../ui/simulated-badge.tsx";
import { StatePanel } from "../ui/state-panel.tsx";
import { useDelayed } from "../ui/use-delayed.ts";
import { CompareControls } from "./compare-controls.tsx";
import { useCompareRangeKeys } from "./use-compare-range-keys.ts";
import { DifferenceTable } from "./difference-table.tsx";
import { OverlayChart } from "./overlay-chart.tsx";
import { SideKey } from "./side-key.tsx";
import { Headline } from "../ui/headline.tsx";

type Result =
  | { readonly kind: "empty" }
  | { readonly kind: "wrong"; readonly message: string }
  | { readonly kind: "compared"; readonly data: Comparison };

const TITLES: Readonly<Record<Result["kind"], string>> = {
  empty: "Compare two windows, nodes or cohorts on one clock",
  wrong: "This comparison cannot be shown",
  compared: "",
};

/** Two sides on one clock: the answer, what is compared, both lines, every difference. */
export function CompareView({
  choices,
  readAtMs,
  bootedAtMs,
  result,
}: {
  readonly choices: CompareChoices;
  readonly readAtMs: number;
  readonly bootedAtMs: number | undefined;
  readonly result: Result;
}) {
  const router = useRouter();
  const parameters = useSearchParams();
  const [waiting, startTransition] = useTransition();
  const slow = useDelayed(waiting);
  const timezone = parameters.get("timezone") ?? "utc";
  const zone = useZone(timezone);
  const form = readCompareForm((name) => parameters.getAll(name), choices, zone, readAtMs);
  const data = result.kind === "compared" ? result.data : undefined;
  const nothing = data !== undefined && data.common === null;
  const show = (path: string) => startTransition(() => router.push(path, { scroll: false }));
  useCompareRangeKeys({ query: parameters.toString(), timezone, zone, readAtMs, show });

  const [nodeText, ...others] = parameters.getAll("b");
  const nodeId = others.length === 0 && /^\d+$/.test(nodeText ?? "") ? Number(nodeText) : undefined;
  const bounds = {
    from: parameters.get("b.from") ?? parameters.get("from") ?? "now-6h",
    to: parameters.get("b.to") ?? parameters.get("to") ?? "now",
    timezone,
  };
  const window = resolveWindow(bounds, readAtMs, zone);
  const proposals =
    nodeId === undefined || window === undefined
      ? []
      : [
          { label: "a day earlier", path: earlierPath(nodeId, bounds, window) },
          { label: "a week earlier", path: earlierPath(nodeId, bounds, window, 7) },
          ...(bootedAtMs === undefined
            ? []
            : [{ label: "the boot before", path: bootBeforePath(nodeId, bootedAtMs, timezone) }]),
        ];

  return (
    <>
      <div className="grid gap-2 py-4" aria-live="polite">
        <Headline>{data ? data.text : TITLES[result.kind]}</Headline>
        {data && !nothing ? <Facts data={data} /> : null}
      </div>
      <CompareControls
        key={parameters.toString()}
        initial={form}
        choices={choices}
        zone={zone}
        timezone={timezone}
        busy={waiting}
        onShow={show}
      />
      <p className="flex min-h-7 flex-wrap items-center gap-x-4 gap-y-1 pb-2 text-sm text-ink-2">
        {proposals.length > 0 ? (
          <span className="[overflow-wrap:anywhere]">
            Side B, {choices.nodes.find((each) => each.nodeId === nodeId)?.name ?? `node ${nodeId}`}, against
            itself:
          </span>
        ) : null}
        {proposals.map(({ label, path }) => (
          <Link key={label} href={path} prefetch={false} scroll={false}>
            {label}
          </Link>
        ))}
        <span role="status">{slow ? "reading\u2026" : ""}</span>
      </p>
      {result.kind === "wrong" ? (
        <StatePanel title={result.message} tone="error">
          <p>Choose both sides above, or take one of the comparisons that are proposed there.</p>
        </StatePanel>
      ) : null}
      {result.kind === "empty" ? (
        <StatePanel title="Nothing is compared yet">
          <p>
            Name a node on each side, several with commas between, or what nodes have in common, such as{" "}
            <code>kernelRelease=6.1.0</code> or <code>label.role=worker</code>. The same node may stand on
            both sides, with another window. Compare on the page of a node begins with the same hours a day
            earlier.
          </p>
        </StatePanel>
      ) : null}
      {data ? <Compared data={data} zone={zone} nowMs={readAtMs} /> : null}
    </>
  );
}

/** What the sentence rests on. */
function Facts({ data }: { readonly data: Comparison }) {
  const { common, method, notes } = data;
  const stretch = common ? `${clockText(common.fromMs)} to ${clockText(common.toMs)} of the clock` : "";
  return (
    <>
      <p className="max-w-[165ch] text-ink-2">
        Measured over {stretch}; {method}.
      </p>
      {notes.map((note) => (
        <p key={note} className="max-w-[165ch] text-ink-2">
          {note}
        </p>
      ))}
    </>
  );
}

const ZERO: Readonly<Record<Comparison["align"], string>> = {
  time: "0 is the start of each window",
  boot: "0 is when the node booted",
  mark: "0 is the mark",
};

function Compared({
  data,
  zone,
  nowMs,
}: {
  readonly data: Comparison;
  readonly zone: string;
  readonly nowMs: number;
}) {
  const parameters = useSearchParams();
  const [tableShown, setTableShown] = useState(false);
  const wanted = parameters.get("band") ?? "";
  const metric =
    data.differences.find((each) => each.metric === wanted)?.metric ?? data.differences[0]?.metric ?? "";
  const lines = compareLines(data, metric);
  const rows = compareRows(data);
  const series = compareSeriesTable(data, metric);
  const choose = (next: string) => {
    const url = new URL(globalThis.window.location.href);
    url.searchParams.set("band", next);
    globalThis.window.history.replaceState(null, "", url);
  };
  const save = (name: string, table: PlainTable) =>
    downloadCsv(fileName("plumbline", "compare", name), table);
  return (
    <>
      <Section
        id="h-overlay"
        title={`Both sides: ${lines.label}`}
        note={`${ZERO[data.align]}; shaded: the stretch that is measured`}
        tools={
          <>
            <select
              aria-label="Memory in the chart"
              value={metric}
              onChange={(event) => choose(event.target.value)}
              className={`${FIELD_CLASS} max-w-full`}
            >
              {data.differences.map(({ metric: key, label }) => (
                <option key={key} value={key}>
                  {label}
                </option>
              ))}
            </select>
            <PinButton
              offer={() => {
                const { search } = globalThis.window.location;
                const sides = [data.a, data.b];
                return {
                  kind: "comparison",
                  address: `/compare${search}`,
                  caption: `${data.a.label} against ${data.b.label}`.slice(0, 300).toWellFormed(),
                  nodeIds: [...new Set(sides.flatMap(({ nodes }) => nodes.map(({ nodeId }) => nodeId)))],
                  suggestion: `What differs between ${data.a.label} and ${data.b.label}`
                    .slice(0, 200)
                    .toWellFormed(),
                };
              }}
            />
            <Button aria-expanded={tableShown} onClick={() => setTableShown(!tableShown)}>
              Table
            </Button>
            <Button onClick={() => save(metric, series)}>CSV</Button>
          </>
        }
      >
        <div className="grid gap-x-8 gap-y-1 py-1 text-sm md:grid-cols-2">
          <SideFacts side="a" facts={data.a} zone={zone} nowMs={nowMs} />
          <SideFacts side="b" facts={data.b} zone={zone} nowMs={nowMs} />
        </div>
        {lines.empty ? (
          <StatePanel title={`No sample of ${lines.label} on either side`} heading="h3">
            <p>Choose other memory, or another window above: an earlier one may be past what is kept.</p>
          </StatePanel>
        ) : (
          <OverlayChart comparison={data} lines={lines} finding={data.text} />
        )}
        {tableShown ? <ChartTable table={series} label={`Both sides: ${lines.label}`} /> : null}
      </Section>
      <div className="mt-6">
        <Section
          id="h-differences"
          title="Differences by band"
          note="side B less side A over the common stretch, with 95 % intervals; of fifteen bands nearly one differs by chance"
          tools={<Button onClick={() => save("differences", differencesTable(data))}>CSV</Button>}
        >
          {data.common ? (
            <DifferenceTable rows={rows} chosen={metric} onChoose={choose} />
          ) : (
            <StatePanel title="The sides have too little in common to measure" heading="h3">
              <p>
                At least five minutes of the clock and 24 samples must lie on both sides, outside the first 2
                h after a boot. Widen the windows, or let the clock begin with a boot or a mark.
              </p>
            </StatePanel>
          )}
        </Section>
      </div>
    </>
  );
}

/** What a side is, when, and what of it was left out. */
function SideFacts({
  side,
  facts,
  zone,
  nowMs,
}: {
  readonly side: "a" | "b";
  readonly facts: ComparedSide;
  readonly zone: string;
  readonly nowMs: number;
}) {
  const [first] = facts.nodes;
  const alike = facts.nodes.every(({ from, to }) => from === first?.from && to === first.to);
  const when =
    first && alike ? `${formatWindow(first.from, first.to, zone, nowMs)} ${zoneName(first.to, zone)}` : "";
  const [out] = facts.leftOut;
  return (
    <div className="min-w-0 text-ink-2 [overflow-wrap:anywhere]">
      <span className="inline-flex items-center gap-1.5 font-semibold text-ink">
        <SideKey side={side} /> {side.toUpperCase()}
      </span>{" "}
      {facts.nodes.length === 1 && first ? (
        <Link href={`/nodes/${first.nodeId}`} prefetch={false}>
          <bdi>{facts.label}</bdi>
        </Link>
      ) : (
        <>
          <bdi className="text-ink">{facts.label}</bdi>, {facts.nodes.length} of {facts.matched} nodes
        </>
      )}
      {when ? `, ${when}` : ""} {facts.nodes.some(({ simulated }) => simulated) ? <SimulatedBadge /> : null}
      {out ? (
        <span className="block">
          Left out: <bdi>{out.name}</bdi>, {out.reason}
          {facts.leftOut.length > 1 ? `; and ${facts.leftOut.length - 1} more` : ""}.
        </span>
      ) : null}
    </div>
  );
}
