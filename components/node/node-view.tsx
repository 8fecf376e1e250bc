"use client";

import { DEFAULT_DRIVER, DEFAULT_METRIC } from "#lib/domain/memory/metrics.ts";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { useCallback, useMemo, useRef, useState } from "react";
import { earlierPath } from "#lib/charts/compare-address.ts";
import {
  compositionFinding,
  compositionModel,
  defaultMode,
  readoutAt,
} from "#lib/charts/composition-model.ts";
import { changeRows } from "#lib/charts/change-point-model.ts";
import type { ChangeRow } from "#lib/charts/change-point-model.ts";
import type { PlainTable } from "#lib/contracts/csv.ts";
import { formatDuration, formatNumber } from "#lib/charts/format.ts";
import { formatClock, formatIso, formatMoment, zoneName } from "#lib/charts/format-time.ts";
import { cgroupsLane, containersLane, kernelMemoryLane, watchLane } from "#lib/charts/lane-model.ts";
import { followedDeeds } from "#lib/charts/experiment-model.ts";
import { effectRows, marksOf, slopeLabels } from "#lib/charts/marks-model.ts";
import type { EffectRow, Mark } from "#lib/charts/marks-model.ts";
import { narrows, passes } from "#lib/charts/mark-filter.ts";
import { nodeAnswer } from "#lib/charts/node-answer.ts";
import { dataOf } from "#lib/charts/node-data.ts";
import type { NodeData } from "#lib/charts/node-data.ts";
import { sampleIndexAt } from "#lib/charts/segments.ts";
import type { TimeWindow, ViewAddress } from "#lib/charts/view-address.ts";
import type { NodeSummary } from "#lib/contracts/node.ts";
import type { CompositionMode } from "#lib/contracts/series.ts";
import { tellerOf } from "#lib/charts/sources-model.ts";
import { SLAB_BY_PROMETHEUS, WATCH_BY_PROMETHEUS } from "#lib/domain/snapshot/source-advice.ts";
import { ForRole, useMayWrite, useWritingKeys } from "../account/access.tsx";
import { ChartStack } from "../charts/chart-stack.tsx";
import { createCursorStore } from "../charts/cursor-store.ts";
import { FoundStrip } from "../findings/found-strip.tsx";
import { PinButton, PinLink } from "../investigation/pin-button.tsx";
import type { PinOffer } from "../investigation/pin-offer.ts";
import { EffectsTable } from "../marks/effects-table.tsx";
import type { MarkTask } from "../marks/mark-dialog.tsx";
import { MarkEditor } from "../marks/mark-editor.tsx";
import { MarkFilterBar } from "../marks/mark-filter-bar.tsx";
import { useEffectCard } from "../marks/use-effect-card.tsx";
import { useMarkFilter } from "../marks/use-mark-filter.ts";
import { Button, LINK_BUTTON, Segments } from "../ui/button.tsx";
import { fileName } from "../ui/download.ts";
import { Section } from "../ui/section.tsx";
import { useDelayed } from "../ui/use-delayed.ts";
import { useKeys } from "../ui/use-keys.ts";
import { ChartData } from "./chart-data.tsx";
import { changeAddress, resetWindow, zoomTo } from "./change-address.ts";
import { CorrelationPanel } from "./correlation-panel.tsx";
import { CreatorsPanel } from "./creators-panel.tsx";
import { Counters } from "./counters.tsx";
import { GrowthParts } from "./growth-parts.tsx";
import { NodeHead } from "./node-head.tsx";
import { NoSample } from "./no-sample.tsx";
import { CsvButton } from "./numbers-table.tsx";
import { PanelView } from "./panel-view.tsx";
import { PartFault } from "./part-fault.tsx";
import { ReadoutTable } from "./readout.tsx";
import { saveChart } from "./save-chart.ts";
import { SlabCaches } from "./slab-caches.tsx";
import { TimeLeft } from "./time-left.tsx";
import { useNodeData } from "./use-node-data.ts";
import { useAddressRange, useRangeKeys } from "./use-range.ts";
import { Headline } from "../ui/headline.tsx";

/** In the order of their keys; `pinned` is what a pinned picture of each is called. */
const MODES: readonly { value: CompositionMode; label: string; pinned: string }[] = [
  { value: "gib", label: "GiB", pinned: "composition" },
  { value: "share", label: "Share", pinned: "composition" },
  { value: "change", label: "Change since start", pinned: "change since the start of the window" },
  {
    value: "kernel",
    label: "Kernel change",
    pinned: "change of kernel memory since the start of the window",
  },
];

const NONE: readonly [] = [];

function effectsTable(rows: readonly EffectRow[], changes: readonly ChangeRow[]): PlainTable {
  return {
    columns: [
      "time (UTC)",
      "event",
      "kind",
      "by",
      "slope before (MiB/h)",
      "before, lower end of 95 % (MiB/h)",
      "before, upper end of 95 % (MiB/h)",
      "slope after (MiB/h)",
      "after, lower end of 95 % (MiB/h)",
      "after, upper end of 95 % (MiB/h)",
      "verdict",
    ],
    rows: [
      ...rows.map((row) => [
        formatIso(row.mark.annotation.at),
        row.mark.annotation.title,
        row.mark.annotation.kind,
        row.mark.annotation.author,
        ...(row.beforePlot ?? [null, null, null]),
        ...(row.afterPlot ?? [null, null, null]),
        row.mark.verdict?.word ?? "",
      ]),
      ...changes.map((change) => [
        formatIso(change.at),
        `slope changed, ${change.between}`,
        "change point",
        "found",
        ...change.beforePlot,
        ...change.afterPlot,
        change.nearby.join("; "),
      ]),
    ].toSorted((a, b) => String(a[0]).localeCompare(String(b[0]))),
  };
}

/** One node: what grew, since when, what was tried and what it did. */
export function NodeView({
  node: nodeAtFirst,
  defaults,
  initialAddress,
  initialDriver,
  initial,
}: {
  readonly node: NodeSummary;
  /** What is shown where the address names no window; decided once, when the page was read. */
  readonly defaults: ViewAddress;
  readonly initialAddress: ViewAddress;
  readonly initialDriver: string;
  readonly initial: NodeData;
}) {
  const parameters = useSearchParams();
  const [live, setLive] = useState(true);
  const [cursor] = useState(() => {
    const store = createCursorStore();
    // A pinned view leads here with the moment that its cursor stood at.
    store.set(Number(parameters.get("at")) || undefined);
    return store;
  });
  const [task, setTask] = useState<MarkTask>();
  const [tableShown, setTableShown] = useState<string>();
  const frame = useRef<HTMLDivElement>(null);

  const { query, address, faults, zone } = useAddressRange(defaults, initial.readAtMs);
  const driver = parameters.get("driver") ?? DEFAULT_DRIVER;
  const request = useMemo(() => ({ zone, driver }), [zone, driver]);
  const watched = useMemo(
    () => ({ nodeId: nodeAtFirst.nodeId, watchedPaths: nodeAtFirst.watch.map((each) => each.path) }),
    [nodeAtFirst.nodeId, nodeAtFirst.watch],
  );
  const { data, busy, readAgain } = useNodeData(watched, address, request, live, {
    address: initialAddress,
    driver: initialDriver,
    data: initial,
  });
  const holdAgainst = (metric: string) =>
    changeAddress({ driver: metric === DEFAULT_DRIVER ? undefined : metric }, "push");
  const slow = useDelayed(busy);
  const nowMs = data.readAtMs;
  const node = dataOf(data.node) ?? nodeAtFirst;

  const composition = dataOf(data.composition);
  const series = dataOf(data.series);
  const wantedMode = MODES.find((each) => each.value === parameters.get("view"))?.value;
  const mode = wantedMode ?? (composition ? defaultMode(composition) : "gib");
  const view = useMemo(() => ({ zone, nowMs }), [zone, nowMs]);
  const model = useMemo(
    () => (composition ? compositionModel(composition, mode, view) : undefined),
    [composition, mode, view],
  );
  const { idsHeld, live: liveCgroups } = node.cgroups;
  const dyingHoldIds = idsHeld !== null && liveCgroups !== null && idsHeld > liveCgroups;
  const lanes = useMemo(
    () =>
      [
        composition ? kernelMemoryLane(composition) : undefined,
        ...(series ? [containersLane(series), cgroupsLane(series, dyingHoldIds), watchLane(series)] : []),
      ].filter((lane) => lane !== undefined),
    [composition, series, dyingHoldIds],
  );
  const { filter, setFilter } = useMarkFilter(query);
  const allMarks = useMemo(
    () => marksOf(dataOf(data.annotations) ?? NONE, dataOf(data.effects) ?? NONE, data.window),
    [data.annotations, data.effects, data.window],
  );
  const marks = useMemo(
    () =>
      narrows(filter)
        ? marksOf(
            allMarks.map(({ annotation }) => annotation).filter((each) => passes(filter, each)),
            dataOf(data.effects) ?? NONE,
            data.window,
          )
        : allMarks,
    [allMarks, filter, data.effects, data.window],
  );
  const trend = dataOf(data.trend);
  const slopes = useMemo(() => slopeLabels(marks, trend), [marks, trend]);
  const rows = useMemo(() => effectRows(marks, view), [marks, view]);
  const followed = useMemo(
    () => followedDeeds(dataOf(data.experiments) ?? NONE, nodeAtFirst.nodeId, view),
    [data.experiments, nodeAtFirst.nodeId, view],
  );
  const changePoints = dataOf(data.changePoints);
  const changes = useMemo(() => changeRows(changePoints, view), [changePoints, view]);
  const forecast = dataOf(data.forecast)?.forecasts.find((each) => each.metric === DEFAULT_METRIC);
  const found = useMemo(
    () => ({
      // One line through a slope that changed is not what happened; the change points are drawn instead.
      lines: changePoints?.verdict === "changed" ? NONE : (forecast?.lines ?? NONE),
      changes: changePoints?.changePoints ?? NONE,
    }),
    [forecast, changePoints],
  );
  const slabinfo = node.sources["slabinfo"]?.status;
  const byPrometheus = tellerOf(node) === "prometheus";
  const answer = nodeAnswer(trend, allMarks, view);
  const empty = composition?.totalKib.every((value) => value == null) ?? false;

  const setMode = (next: CompositionMode) => changeAddress({ view: next }, "replace");
  const zoomBy = useRangeKeys(data.window, cursor, { address, zone }, nowMs);
  const mayWrite = useMayWrite();
  const markRange = ({ fromMs, toMs }: TimeWindow) =>
    setTask({ kind: "create", atMs: Math.round(fromMs), endsAtMs: Math.round(toMs) });
  const markAtCursor = () => setTask({ kind: "create", atMs: cursor.get() ?? data.window.toMs });

  useWritingKeys("Marking", { a: markAtCursor });
  useKeys({
    ...Object.fromEntries(MODES.map(({ value }, place) => [String(place + 1), () => setMode(value)])),
    t: () => setTableShown((shown) => (shown ? undefined : "composition")),
  });

  const describeAt = useCallback(
    (atMs: number) => {
      const when = formatMoment(atMs, zone, nowMs);
      const index = composition ? sampleIndexAt(composition, atMs) : undefined;
      const readout = composition && index !== undefined ? readoutAt(composition, index) : undefined;
      return readout
        ? `${when}: unreclaimable kernel memory ${readout.unreclaimable.value} ${readout.unit}, change ${readout.unreclaimable.change} ${readout.changeUnit}`
        : `${when}: no sample`;
    },
    [composition, zone, nowMs],
  );
  const effectOf = useEffectCard(zone, nowMs);
  const edit = (mark: Mark) => setTask({ kind: "edit", mark: mark.annotation });

  const pinned = (
    kind: PinOffer["kind"],
    more: Readonly<Record<string, string>>,
    caption: string,
  ): PinOffer => {
    const search = new URLSearchParams({
      from: String(data.window.fromMs),
      to: String(data.window.toMs),
      timezone: zone === "UTC" ? "utc" : zone,
      ...more,
    });
    return {
      kind,
      address: `/nodes/${node.nodeId}?${search.toString()}`,
      caption,
      nodeIds: [node.nodeId],
      suggestion: `${node.name}: what grows, and why`,
    };
  };
  const pinnedChart = () => {
    const atMs = cursor.get();
    const at: Record<string, string> = atMs === undefined ? {} : { at: String(Math.round(atMs)) };
    const name = MODES.find(({ value }) => value === mode)?.pinned ?? mode;
    return pinned("chart", { view: mode, ...at }, `${node.name}: ${name}`);
  };
  const savePng = () => saveChart(frame.current, node.name, data.window, view, model?.note ?? "");

  const reading = `Reading ${formatDuration(data.window.toMs - data.window.fromMs)}\u2026`;
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2 py-4">
        <NodeHead
          view={{ node, address, faults, zone, nowMs, data, live, setLive }}
          current=""
          verdict={trend?.verdict ?? null}
          every="15 s"
          tools={
            <Link
              href={earlierPath(node.nodeId, address, data.window)}
              prefetch={false}
              title="Compare with the same hours a day earlier"
              className={LINK_BUTTON}
            >
              Compare
            </Link>
          }
        />
        <div aria-live="polite">
          <Headline>
            {data.trend.ok ? answer.sentence : "The trend of this window could not be read."}
          </Headline>
        </div>
        {answer.below ? <p className="max-w-[165ch] text-ink-2">{answer.below}</p> : null}
        <FoundStrip node={node} />
        <PartFault part={data.trend} title="The trend could not be read" />
      </div>

      <PanelView>
        <Section
          id="h-composition"
          title="Memory composition"
          note={slow ? reading : model?.note}
          tools={
            <>
              <Segments label="Show as" options={MODES} value={mode} onChoose={setMode} />
              <ForRole least="investigator">
                <Button onClick={markAtCursor}>
                  Mark <kbd className="text-ink-3 max-md:hidden">a</kbd>
                </Button>
              </ForRole>
              <span className="inline-flex gap-1">
                <Button aria-label="Zoom in" onClick={() => zoomBy(0.5)}>
                  +
                </Button>
                <Button aria-label="Zoom out" onClick={() => zoomBy(2)}>
                  {"\u2212"}
                </Button>
              </span>
              <PinButton offer={pinnedChart} />
              <Button onClick={() => void savePng()} disabled={!model || empty}>
                PNG
              </Button>
            </>
          }
        >
          {data.composition.ok && data.series.ok ? null : (
            <div className="grid gap-2 py-2">
              <PartFault part={data.composition} title="The composition could not be read" />
              <PartFault part={data.series} title="The other counters could not be read" />
            </div>
          )}
          {composition && model && !empty ? (
            <>
              <div
                className="grid gap-x-5 lg:grid-cols-[minmax(0,1fr)_292px]"
                aria-busy={busy}
                data-window={`${data.window.fromMs}-${data.window.toMs}`}
              >
                <ChartStack
                  composition={model}
                  lanes={lanes}
                  window={data.window}
                  zone={zone}
                  marks={marks}
                  slopes={slopes}
                  found={found}
                  samples={composition}
                  cursor={cursor}
                  finding={`${model.note}. ${compositionFinding(composition)}`}
                  describeAt={describeAt}
                  onZoom={zoomTo}
                  onReset={resetWindow}
                  {...(mayWrite && { onRange: markRange })}
                  effectOf={effectOf}
                  frameRef={frame}
                />
                <div className="min-w-0 pt-1">
                  <ReadoutTable
                    series={composition}
                    mode={mode}
                    lanes={lanes}
                    cursor={cursor}
                    zone={zone}
                    nowMs={nowMs}
                  />
                  {composition.notes.length > 0 ? (
                    <ul className="mt-3 grid gap-1 text-sm text-ink-2">
                      {composition.notes.map((note) => (
                        <li key={note}>{note}</li>
                      ))}
                    </ul>
                  ) : null}
                </div>
              </div>
              <ChartData
                name={node.name}
                composition={composition}
                lanes={lanes}
                slab={dataOf(data.slab)}
                tableShown={tableShown}
                onTable={setTableShown}
              />
            </>
          ) : null}
          {composition && empty ? (
            <NoSample node={node} window={data.window} zone={zone} nowMs={nowMs} />
          ) : null}
        </Section>

        <div className="mt-6">
          <Section
            id="h-effects"
            title="What was tried, what happened"
            note="slope of unreclaimable kernel memory, MiB/h with 95 % interval; windows end at the neighbouring mark"
            tools={
              <>
                <Link href="/marks" prefetch={false}>
                  All marks
                </Link>
                {rows.length > 0 ? (
                  <PinLink
                    about="effects of the marks"
                    offer={() => pinned("table", {}, `${node.name}: effects of the marks`)}
                  />
                ) : null}
                {rows.length + changes.length > 0 ? (
                  <CsvButton table={() => effectsTable(rows, changes)} file={fileName(node.name, "marks")} />
                ) : null}
              </>
            }
          >
            <PartFault part={data.annotations} title="The marks could not be read" />
            <PartFault part={data.effects} title="The effects could not be read" />
            <PartFault part={data.experiments} title="What came of them could not be read" />
            <PartFault part={data.changePoints} title="The change points could not be read" />
            <MarkFilterBar
              marks={allMarks.map(({ annotation }) => annotation)}
              filter={filter}
              hidden={allMarks.length - marks.length}
              onChange={setFilter}
            />
            {rows.length + changes.length > 0 ? (
              <div className="md:overflow-x-auto" role="group" aria-label="Effects of the marks" tabIndex={0}>
                <EffectsTable
                  rows={rows}
                  changes={changes}
                  followed={followed}
                  zoneLabel={zoneName(data.window.toMs, zone)}
                  {...(mayWrite && { onEdit: edit })}
                  pinOf={(mark) =>
                    mark.effect ? (
                      <PinLink
                        about={`effect of ${mark.title}`}
                        offer={() =>
                          pinned(
                            "effect",
                            { effect: String(mark.annotation.annotationId) },
                            `${node.name}: effect of ${mark.annotation.title}`.slice(0, 300).toWellFormed(),
                          )
                        }
                      />
                    ) : null
                  }
                />
              </div>
            ) : null}
            {allMarks.length === 0 && data.annotations.ok ? (
              <p className="py-2 text-sm text-ink-2">
                Nothing is marked in this window.{" "}
                <ForRole least="investigator">
                  Press <kbd>a</kbd> at the cursor, or Mark, to say what was done: the slope before and after
                  is then measured.
                </ForRole>
              </p>
            ) : null}
          </Section>
        </div>

        <div className="mt-6">
          <CorrelationPanel
            name={node.name}
            teller={tellerOf(node)}
            part={data.correlation}
            zone={zone}
            nowMs={nowMs}
            directories={watched.watchedPaths}
            driver={driver}
            onDriver={holdAgainst}
            tool={
              <PinLink
                about="growth against containers"
                offer={() => pinned("scatter", { driver }, `${node.name}: growth and containers`)}
              />
            }
          />
        </div>

        <div className="mt-6">
          <CreatorsPanel name={node.name} part={data.creators} driver={driver} onDriver={holdAgainst} />
        </div>

        <div className="mt-6 grid gap-x-6 gap-y-6 lg:grid-cols-[minmax(0,1fr)_440px]">
          <GrowthParts part={data.decomposition} name={node.name} zone={zone} nowMs={nowMs} />
          <TimeLeft part={data.forecast} zone={zone} nowMs={nowMs} />
        </div>

        <div className="mt-6 grid gap-x-6 gap-y-6 lg:grid-cols-[minmax(0,1fr)_440px]">
          <Section id="h-slab" title="Slab caches" note="largest changes in the window, newest boot">
            <PartFault part={data.slab} title="The slab caches could not be read" />
            {data.slab.ok ? (
              data.slab.data.caches.length > 0 ? (
                <SlabCaches slab={data.slab.data} zone={zone} nowMs={nowMs} />
              ) : (
                <p className="py-2 text-sm text-ink-2">
                  {slabinfo === undefined || slabinfo === "ok"
                    ? "No slab caches in this window."
                    : `No slab caches in this window: slabinfo is ${slabinfo}. ${byPrometheus ? SLAB_BY_PROMETHEUS : "Reading /proc/slabinfo needs root."}`}
                </p>
              )
            ) : null}
          </Section>
          <div className="min-w-0">
            <Section
              id="h-cgroups"
              title="Memory cgroups"
              note={`newest sample, ${formatClock(node.lastSeenAt, zone)} ${zoneName(node.lastSeenAt, zone)}`}
            >
              <dl className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-0.5 text-sm">
                {(
                  [
                    ["live", node.cgroups.live],
                    ["dying", node.cgroups.dying],
                    ...(node.cgroups.live === null && node.cgroups.dying === null
                      ? [["counted by the kernel, both", node.cgroups.count] as const]
                      : []),
                    ["ids held, of 65,535", node.cgroups.idsHeld],
                  ] as const
                ).map(([label, value]) => (
                  <div key={label} className="contents">
                    <dt className="text-ink-2">{label}</dt>
                    <dd className="text-right">{value === null ? "not read" : formatNumber(value)}</dd>
                  </div>
                ))}
              </dl>
            </Section>
            <div className="mt-6">
              <Section id="h-watch" title="Watched directories" note="files, newest sample">
                {node.watch.length > 0 ? (
                  <dl className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-0.5 text-sm">
                    {node.watch.map((each) => (
                      <div key={each.path} className="contents">
                        <dt className="font-mono text-[11.5px] text-ink-2 [overflow-wrap:anywhere]">
                          <bdi>{each.path}</bdi>
                        </dt>
                        <dd className="text-right">
                          {each.atLeast ? "at least " : ""}
                          {formatNumber(each.files)}
                        </dd>
                      </div>
                    ))}
                  </dl>
                ) : byPrometheus ? (
                  <p className="text-sm text-ink-2">{WATCH_BY_PROMETHEUS}</p>
                ) : (
                  <p className="text-sm text-ink-2">
                    None found. Start the collector with <code>--watch DIR</code> to count the files of a
                    directory.
                  </p>
                )}
              </Section>
            </div>
            {empty ? null : (
              <div className="mt-6">
                <Counters
                  nodeId={node.nodeId}
                  newest={data.snapshot}
                  samples={composition}
                  cursor={cursor}
                  zone={zone}
                  nowMs={nowMs}
                />
              </div>
            )}
          </div>
        </div>
      </PanelView>
      {task ? (
        <MarkEditor
          task={task}
          place={node}
          zone={zone}
          nowMs={nowMs}
          onClose={() => setTask(undefined)}
          onWritten={readAgain}
        />
      ) : null}
    </>
  );
}
