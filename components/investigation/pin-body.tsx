"use client";

import Link from "next/link";
import { useRef } from "react";
import { compareLines } from "#lib/charts/compare-model.ts";
import { correlationModel } from "#lib/charts/correlation-model.ts";
import type { CorrelationModel } from "#lib/charts/correlation-model.ts";
import { effectRows, marksOf } from "#lib/charts/marks-model.ts";
import { zoneName } from "#lib/charts/format-time.ts";
import type { PinReading } from "#lib/charts/pin-reading.ts";
import type { Comparison } from "#lib/contracts/compare.ts";
import { ChartTable } from "../charts/chart-table.tsx";
import { GrowthScatter } from "../charts/growth-scatter.tsx";
import { AttributeRanking } from "../cohorts/attribute-ranking.tsx";
import { CohortValues } from "../cohorts/cohort-values.tsx";
import { OverlayChart } from "../compare/overlay-chart.tsx";
import { EffectsTable } from "../marks/effects-table.tsx";
import { useElementWidth } from "../ui/use-element-width.ts";
import { Verdict } from "../ui/verdict.tsx";
import { PinnedCaches, PinnedComposition } from "./pinned-chart.tsx";

/** A pinned view as it is drawn. */
export function PinBody({
  reading,
  number,
  address,
}: {
  readonly reading: PinReading;
  readonly number: number;
  readonly address: string;
}) {
  switch (reading.kind) {
    case "composition":
      return <PinnedComposition reading={reading} number={number} />;
    case "caches":
      return <PinnedCaches reading={reading} number={number} />;
    case "effects":
      return <Effects reading={reading} />;
    case "effect":
      return (
        <p className="max-w-[86ch] py-1 [overflow-wrap:anywhere]">
          <Verdict verdict={reading.figure.verdict} wrap /> {reading.figure.sentence}{" "}
          <span className="text-ink-2">
            {reading.figure.title}, {reading.figure.when}, on <bdi>{reading.figure.node}</bdi>
          </span>
        </p>
      );
    case "scatter":
      return <Scatter reading={reading} />;
    case "comparison":
      return <Compared comparison={reading.comparison} band={reading.band} />;
    case "cohorts":
      return (
        <div className="grid gap-4">
          <p className="max-w-[118ch]">{reading.model.sentence}</p>
          <AttributeRanking rows={reading.model.attributes} />
          {reading.model.chosen ? <CohortValues chosen={reading.model.chosen} /> : null}
        </div>
      );
    case "table":
      return (
        <>
          {reading.note ? <p className="text-sm text-ink-2">{reading.note}</p> : null}
          <ChartTable table={reading.table} label="Pinned table" />
        </>
      );
    case "dump":
      return <Dump reading={reading} />;
    case "unreadable":
      return (
        <p className="py-2 text-sm text-ink-2">
          This view cannot be shown now: {reading.message}{" "}
          {address === "" ? null : (
            <Link href={address} prefetch={false}>
              Open its page
            </Link>
          )}
        </p>
      );
  }
}

function Effects({ reading }: { readonly reading: Extract<PinReading, { kind: "effects" }> }) {
  const { node, effects } = reading;
  const view = { zone: node.zone, nowMs: node.readAtMs };
  const rows = effectRows(marksOf(node.annotations, effects, node.window), view);
  if (rows.length === 0) return <p className="py-2 text-sm text-ink-2">Nothing is marked in this window.</p>;
  return (
    <div className="md:overflow-x-auto" role="group" aria-label="Effects of the marks" tabIndex={0}>
      <EffectsTable
        rows={rows}
        changes={[]}
        followed={new Map()}
        zoneLabel={zoneName(node.window.toMs, node.zone)}
      />
    </div>
  );
}

function Scatter({ reading }: { readonly reading: Extract<PinReading, { kind: "scatter" }> }) {
  const { correlation, zone, readAtMs } = reading;
  const model = correlationModel(correlation, { zone, nowMs: readAtMs });
  return (
    <>
      <p className="max-w-[86ch] py-1">
        <Verdict verdict={model.verdict} wrap />{" "}
        {model.headline ? (
          <b className="font-semibold">
            {model.headline.value} {model.headline.unit} per container ({model.headline.interval}).
          </b>
        ) : null}{" "}
        {model.text}
      </p>
      {model.points.length > 0 ? <ScatterPicture model={model} /> : null}
    </>
  );
}

function ScatterPicture({ model }: { readonly model: CorrelationModel }) {
  const frame = useRef<HTMLDivElement>(null);
  const widthPx = useElementWidth(frame);
  return (
    <>
      <p className="text-xs text-ink-2">
        {model.growthAxis.unit}/h{model.line.length > 0 ? ", line with its 95 % band" : ""}
      </p>
      <div ref={frame} role="img" aria-label={`${model.note}. ${model.text}`} className="h-[260px] min-w-0">
        {widthPx === undefined ? null : <GrowthScatter model={model} widthPx={widthPx} />}
      </div>
      <p className="text-right text-xs text-ink-2">{model.rateAxis.unit}</p>
    </>
  );
}

function Compared({
  comparison,
  band,
}: {
  readonly comparison: Comparison;
  readonly band: string | undefined;
}) {
  const { differences, text } = comparison;
  const metric = differences.find((each) => each.metric === band)?.metric ?? differences[0]?.metric ?? "";
  const lines = compareLines(comparison, metric);
  return (
    <>
      <p className="max-w-[118ch] py-1">{text}</p>
      {lines.empty ? (
        <p className="text-sm text-ink-2">No sample of {lines.label} on either side.</p>
      ) : (
        <>
          <p className="text-sm text-ink-2">{lines.label}</p>
          <OverlayChart comparison={comparison} lines={lines} finding={text} />
        </>
      )}
    </>
  );
}

const DUMP_VERDICTS = {
  leak: { word: "leak", tone: "leaking" },
  "not-a-leak": { word: "not a leak", tone: "ok" },
  unclear: { word: "unclear", tone: "unknown" },
} as const;

function Dump({ reading }: { readonly reading: Extract<PinReading, { kind: "dump" }> }) {
  const { verdict, dominant, findings, warnings } = reading;
  const known = verdict === "leak" || verdict === "not-a-leak" ? verdict : "unclear";
  return (
    <div className="grid gap-1.5 py-1">
      <p>
        <Verdict verdict={DUMP_VERDICTS[known]} wrap />{" "}
        {dominant === "" ? null : <span>most of it: {dominant}</span>}
      </p>
      <ul className="grid gap-1 text-sm">
        {findings.map(({ name, evidence }) => (
          <li key={name} className="max-w-[110ch] [overflow-wrap:anywhere]">
            <b className="font-semibold">{name}</b>: {evidence.join("; ")}
          </li>
        ))}
        {warnings.map((warning) => (
          <li key={warning} className="text-ink-2">
            {warning}
          </li>
        ))}
      </ul>
    </div>
  );
}
