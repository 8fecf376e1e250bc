"use client";

import { useMemo, useRef, useState } from "react";
import type { ReactNode } from "react";
import {
  correlationLack,
  correlationModel,
  correlationTable,
  driverChoices,
  type CorrelationLack,
  type CorrelationModel,
} from "#lib/charts/correlation-model.ts";
import { formatIso } from "#lib/charts/format-time.ts";
import type { Part } from "#lib/charts/node-data.ts";
import type { Correlation } from "#lib/contracts/correlation.ts";
import type { Teller } from "#lib/domain/snapshot/source-advice.ts";
import { ChartTable } from "../charts/chart-table.tsx";
import { GrowthScatter } from "../charts/growth-scatter.tsx";
import { Choice } from "../ui/choice.tsx";
import { Command, StatePanel } from "../ui/state-panel.tsx";
import { downloadCsv, fileName } from "../ui/download.ts";
import { Section } from "../ui/section.tsx";
import { useElementWidth } from "../ui/use-element-width.ts";
import { Verdict } from "../ui/verdict.tsx";
import { PartFault } from "./part-fault.tsx";

/** What each container leaves behind: the number, the sentence, and the picture they come from. */
export function CorrelationPanel({
  name,
  teller,
  part,
  zone,
  nowMs,
  directories,
  driver,
  onDriver,
  tool,
}: {
  /** Of the node, for the name of the file. */
  readonly name: string;
  readonly teller: Teller;
  readonly part: Part<Correlation>;
  readonly zone: string;
  readonly nowMs: number;
  /** Watched ones, whose files growth can be held against as well. */
  readonly directories: readonly string[];
  /** The series that growth is held against. */
  readonly driver: string;
  readonly onDriver: (metric: string) => void;
  /** Beside the tools of its own. */
  readonly tool?: ReactNode;
}) {
  const [tableShown, setTableShown] = useState(false);
  const answer = part.ok ? part.data : undefined;
  const model = useMemo(
    () => (answer ? correlationModel(answer, { zone, nowMs }) : undefined),
    [answer, zone, nowMs],
  );
  const choices = driverChoices(directories, driver);
  const hasPoints = model !== undefined && model.points.length > 0;
  const save = () => {
    if (!answer) return;
    const file = fileName(name, "containers", formatIso(answer.to).replaceAll(":", ""));
    downloadCsv(file, correlationTable(answer));
  };
  return (
    <Section
      id="h-correlation"
      title="What containers leave behind"
      note={model?.note}
      tools={
        hasPoints ? (
          <>
            {tool}
            <button
              type="button"
              aria-expanded={tableShown}
              aria-label="growth against containers as a table"
              className="px-0.5 text-accent-ink hover:underline"
              onClick={() => setTableShown(!tableShown)}
            >
              Table
            </button>
            <button
              type="button"
              aria-label="growth against containers as CSV"
              className="px-0.5 text-accent-ink hover:underline"
              onClick={save}
            >
              CSV
            </button>
          </>
        ) : null
      }
    >
      {choices.length > 1 ? (
        <p className="flex flex-wrap items-center gap-2 pt-1 text-sm text-ink-2">
          against
          <Choice
            label="What growth is held against"
            options={choices}
            value={driver}
            onChoose={onDriver}
            className="max-w-full"
          />
        </p>
      ) : null}
      <PartFault part={part} title="Growth and containers could not be read" />
      {answer && model ? (
        answer.verdict === "insufficient" ? (
          <Lacking answer={answer} teller={teller} />
        ) : (
          <>
            <div className="grid gap-x-6 gap-y-3 pt-1 lg:grid-cols-[340px_minmax(0,1fr)]">
              <Numbers model={model} />
              {hasPoints ? <Picture model={model} /> : null}
            </div>
            {tableShown ? (
              <ChartTable table={correlationTable(answer)} label="growth against containers as a table" />
            ) : null}
          </>
        )
      ) : null}
    </Section>
  );
}

function Numbers({ model }: { readonly model: CorrelationModel }) {
  return (
    <div className="min-w-0">
      <div className={model.headline?.leads ? "" : "text-[20px] leading-7 font-semibold"}>
        <Verdict verdict={model.verdict} wrap />
      </div>
      {model.headline ? (
        <p className="mt-1">
          <span
            className={
              model.headline.leads ? "text-[28px] leading-9 font-semibold tracking-[-0.01em]" : "text-ink-2"
            }
          >
            {model.headline.value} {model.headline.unit}
          </span>{" "}
          <span className="text-ink-2">
            {model.each} <span className="whitespace-nowrap">(95 %: {model.headline.interval})</span>
          </span>
        </p>
      ) : null}
      <p className="mt-1 max-w-[72ch] text-pretty text-ink-2">{model.text}</p>
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-sm">
        {model.facts.map(({ label, value }) => (
          <div key={label} className="contents">
            <dt className="text-ink-2">{label}</dt>
            <dd className="text-right">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Picture({ model }: { readonly model: CorrelationModel }) {
  const frame = useRef<HTMLDivElement>(null);
  const widthPx = useElementWidth(frame);
  return (
    <figure className="min-w-0">
      <p className="text-xs text-ink-2">
        {model.growthAxis.unit}/h{model.line.length > 0 ? ", line with its 95 % band" : ""}
      </p>
      <div ref={frame} role="img" aria-label={`${model.note}. ${model.text}`} className="h-[260px]">
        {widthPx === undefined ? null : <GrowthScatter model={model} widthPx={widthPx} />}
      </div>
      <figcaption className="text-right text-xs text-ink-2">{model.rateAxis.unit}</figcaption>
    </figure>
  );
}

const LACKS: Readonly<Record<CorrelationLack, { readonly title: string; readonly advice: string }>> = {
  nothing: { title: "Nothing was reported in this window", advice: "Choose another window above." },
  driver: {
    title: "What growth is held against is not reported",
    advice: "Choose something else to hold growth against, or another window, above.",
  },
  uncounted: {
    title: "Containers are not counted on this node",
    advice:
      "The collector counts cgroups, which needs the cgroup file system and kernel 4.14 or later. See why:",
  },
  little: { title: "Too little to relate to containers", advice: "Choose a longer window above." },
};

const UNCOUNTED_BY_PROMETHEUS =
  "Prometheus must pass on what kubelet, containerd or CRI-O count: kubelet_started_containers_total, containerd_cri_container_create_seconds_count or container_runtime_crio_operations_total.";

function Lacking({ answer, teller }: { readonly answer: Correlation; readonly teller: Teller }) {
  const lack = correlationLack(answer);
  const { title, advice } = LACKS[lack];
  const isUncountedThere = lack === "uncounted" && teller === "prometheus";
  return (
    <StatePanel title={title} heading="h3">
      <p>{answer.text}</p>
      <p>{isUncountedThere ? UNCOUNTED_BY_PROMETHEUS : advice}</p>
      {lack === "uncounted" && !isUncountedThere ? <Command>plumbline-collector print</Command> : null}
    </StatePanel>
  );
}
