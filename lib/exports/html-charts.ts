import { clockTicks, compareLines } from "#lib/charts/compare-model.ts";
import type { CompareLines } from "#lib/charts/compare-model.ts";
import {
  compositionChips,
  compositionModel,
  defaultMode,
  visibleBands,
} from "#lib/charts/composition-model.ts";
import type { CompositionModel } from "#lib/charts/composition-model.ts";
import type { CohortModel } from "#lib/charts/cohort-model.ts";
import { correlationModel } from "#lib/charts/correlation-model.ts";
import type { CorrelationModel } from "#lib/charts/correlation-model.ts";
import { kernelMemoryLane } from "#lib/charts/lane-model.ts";
import type { LaneModel } from "#lib/charts/lane-model.ts";
import { marksOf } from "#lib/charts/marks-model.ts";
import type { Mark } from "#lib/charts/marks-model.ts";
import type { PinReading } from "#lib/charts/pin-reading.ts";
import { bootBoundary } from "#lib/charts/segments.ts";
import type { Boot, Gap } from "#lib/charts/segments.ts";
import { slabLanes } from "#lib/charts/slab-model.ts";
import { timeTicks } from "#lib/charts/time-axis.ts";
import type { ValueAxis } from "#lib/charts/value-axis.ts";
import type { TimeWindow } from "#lib/charts/view-address.ts";
import { formatMoment, zoneName } from "#lib/charts/format-time.ts";
import { html, verdictHtml } from "./html-text.ts";
import type { Html } from "./html-text.ts";

/** Drawings are made at one size and scaled by whoever shows them. */
const WIDTH_PX = 920;
const LEFT_PX = 58;
const RIGHT_PX = WIDTH_PX - 12;
const PLOT_PX = RIGHT_PX - LEFT_PX;
const MARKS_PX = 24;
const UNIT_PX = 18;
const LABELS_PX = 22;
const STACK_PX = 270;
const LANE_PX = 92;
const BADGE_PX = 18;
const LATER = 0;

/** Place of a plot: where it begins and how high it is. */
interface Panel {
  /** Base line of what stands above it. */
  readonly titlePx: number;
  readonly topPx: number;
  readonly heightPx: number;
}

/** A plot that stands alone. */
const WIDE: Panel = { titlePx: 12, topPx: UNIT_PX, heightPx: 260 };

const rounded = (px: number) => Math.round(px * 10) / 10;

function yOn(axis: ValueAxis, { topPx, heightPx }: Panel): (value: number) => number {
  return (value) => rounded(topPx + heightPx - ((value - axis.low) / (axis.high - axis.low)) * heightPx);
}

function xOn({ fromMs, toMs }: TimeWindow): (atMs: number) => number {
  return (atMs) => rounded(LEFT_PX + ((atMs - fromMs) / (toMs - fromMs)) * PLOT_PX);
}

function drawing(heightPx: number, label: string, content: readonly (Html | undefined)[]): Html {
  const drawn = content.filter((each) => each !== undefined);
  return html`<div
    class="plot"
    tabindex="0"
    role="group"
    aria-label="Chart, to be scrolled where it is wider than the page"
  >
    <svg viewBox="0 0 ${WIDTH_PX} ${heightPx}" role="img" aria-label="${label}">${drawn}</svg>
  </div>`;
}

const lineTo = (points: readonly (readonly [number, number])[]) =>
  points.map(([x, y]) => `${x} ${y}`).join("L");

/** Stretches of rows that a line joins. */
function stretches<Row>(rows: readonly Row[], pointOf: (row: Row) => readonly [number, number] | undefined) {
  const found: (readonly [number, number])[][] = [[]];
  for (const row of rows) {
    const point = pointOf(row);
    if (point === undefined) found.push([]);
    else found.at(-1)?.push(point);
  }
  return found.filter((each) => each.length > 0);
}

/** Lines of a value axis with what is written at them, and its unit above. */
function valueAxisSvg(axis: ValueAxis, panel: Panel, title: string): Html {
  const y = yOn(axis, panel);
  const lines = axis.ticks.map(
    (tick, index) =>
      html`<path class="grid" d="M${LEFT_PX} ${y(tick)}H${RIGHT_PX}" /><text
          x="${LEFT_PX - 7}"
          y="${y(tick) + 4}"
          text-anchor="end"
          >${axis.labels[index] ?? ""}</text
        >`,
  );
  return html`<text x="0" y="${panel.titlePx}">${title}</text>${lines}`;
}

function timeAxisSvg(window: TimeWindow, zone: string, panels: readonly Panel[]): Html {
  const x = xOn(window);
  const bottomPx = Math.max(...panels.map(({ topPx, heightPx }) => topPx + heightPx));
  const ticks = timeTicks(window.fromMs, window.toMs, zone, PLOT_PX).map(({ atMs, label, startsDay }) => {
    const lines = panels.map(
      ({ topPx, heightPx }) => html`<path class="grid" d="M${x(atMs)} ${topPx}v${heightPx}" />`,
    );
    // A label at the edge would be cut.
    const anchor = x(atMs) > RIGHT_PX - 24 ? "end" : "middle";
    return html`${lines}<text
        x="${x(atMs)}"
        y="${bottomPx + 16}"
        text-anchor="${anchor}"
        ${startsDay ? html` class="day"` : undefined}
        >${label}</text
      >`;
  });
  return html`${ticks}<text x="0" y="${bottomPx + 16}">${zoneName(window.toMs, zone)}</text>`;
}

/** Stretches without samples, under what is drawn. */
function gapsSvg(window: TimeWindow, gaps: readonly Gap[], panels: readonly Panel[]): Html {
  const x = xOn(window);
  const shown = panels.flatMap(({ topPx, heightPx }) =>
    gaps.map(({ from, to }) => {
      const [fromPx, toPx] = [x(heldIn(window, from)), x(heldIn(window, to))];
      return html`<rect
        class="gap"
        x="${fromPx}"
        y="${topPx}"
        width="${rounded(Math.max(1, toPx - fromPx))}"
        height="${heightPx}"
        ><title>no samples</title></rect
      >`;
    }),
  );
  return html`${shown}`;
}

const heldIn = ({ fromMs, toMs }: TimeWindow, atMs: number) => Math.min(toMs, Math.max(fromMs, atMs));

/** Begins of boots, over what is drawn. */
function bootsSvg(window: TimeWindow, reboots: readonly Boot[], panels: readonly Panel[]): Html {
  const x = xOn(window);
  const boots = reboots.map(bootBoundary).filter((atMs) => atMs >= window.fromMs && atMs <= window.toMs);
  const poles = boots.flatMap((atMs) =>
    panels.map(({ topPx, heightPx }) => html`<path class="boot" d="M${x(atMs)} ${topPx}v${heightPx}" />`),
  );
  const names = boots.map((atMs) => {
    const [anchor, px] = x(atMs) < RIGHT_PX - 48 ? ["start", x(atMs) + 4] : ["end", x(atMs) - 4];
    return html`<text class="boot-name" x="${px}" y="${(panels[0]?.topPx ?? 0) + 12}" text-anchor="${anchor}"
      >reboot</text
    >`;
  });
  return html`${poles}${names}`;
}

/** Where the numbers of marks stand: each over its line, or beside it where another stands there. In order of time. */
function badgePlaces(linesPx: readonly number[]): number[] {
  const stepPx = Math.min(BADGE_PX + 2, PLOT_PX / Math.max(1, linesPx.length));
  const places = [...linesPx];
  places.forEach((px, index) => {
    const before = places[index - 1];
    if (before !== undefined) places[index] = Math.max(px, before + stepPx);
  });
  let mostPx = RIGHT_PX - BADGE_PX / 2;
  for (const [index, px] of [...places.entries()].reverse()) {
    places[index] = rounded(Math.min(px, mostPx));
    mostPx = (places[index] ?? mostPx) - stepPx;
  }
  return places;
}

function marksSvg(marks: readonly Mark[], window: TimeWindow, panels: readonly Panel[]): Html {
  const x = xOn(window);
  const [first] = panels;
  if (first === undefined) return html``;
  const badgePx = first.topPx - MARKS_PX + 2;
  const places = badgePlaces(marks.map(({ annotation }) => x(heldIn(window, annotation.at))));
  const drawn = marks.map(({ number, annotation }, index) => {
    const [fromPx, toPx] = [
      x(heldIn(window, annotation.at)),
      x(heldIn(window, annotation.endsAt ?? annotation.at)),
    ];
    const placePx = places[index] ?? fromPx;
    const stretch = ({ topPx, heightPx }: Panel) =>
      toPx > fromPx + 1
        ? html`<rect
            class="stretch"
            x="${fromPx}"
            y="${topPx}"
            width="${rounded(toPx - fromPx)}"
            height="${heightPx}"
          />`
        : undefined;
    const poles = panels.map(
      (panel) => html`${stretch(panel)}<path class="mark" d="M${fromPx} ${panel.topPx}v${panel.heightPx}" />`,
    );
    return html`${poles}
      <path class="mark" d="M${fromPx} ${first.topPx}L${placePx} ${badgePx + 16}" />
      <rect
        class="badge"
        x="${rounded(placePx - BADGE_PX / 2)}"
        y="${badgePx}"
        width="${BADGE_PX}"
        height="16"
        rx="2"
      />
      <text class="badge-name" x="${placePx}" y="${badgePx + 12}" text-anchor="middle">${number}</text>`;
  });
  return html`${drawn}`;
}

/** The marks of a chart in words: the numbers stand on their lines. */
function markList(marks: readonly Mark[], zone: string): Html | undefined {
  if (marks.length === 0) return undefined;
  const items = marks.map(
    ({ number, annotation, title, verdict }) =>
      html`<li value="${number}">
        ${formatMoment(annotation.at, zone, LATER)}
        <b>${title}</b> ${verdict ? verdictHtml(verdict) : undefined}
      </li>`,
  );
  return html`<ol class="marks" aria-label="Marks of the chart">
    ${items}
  </ol>`;
}

function layersSvg(model: CompositionModel, window: TimeWindow, panel: Panel): Html {
  const [x, y] = [xOn(window), yOn(model.axis, panel)];
  const areas = model.layers.flatMap((layer, position) =>
    layer.visible
      ? runs(model, position).map((run) => {
          const upper = run.map(([timeMs, [, high]]) => [x(timeMs), y(high)] as const);
          const lower = run.map(([timeMs, [low]]) => [x(timeMs), y(low)] as const).reverse();
          return html`<path class="band" fill="var(--band-${layer.key})" d="M${lineTo([...upper, ...lower])}Z"
            ><title>${layer.label}</title></path
          >`;
        })
      : [],
  );
  const lines = stretches(model.rows, ({ timeMs, line }) =>
    line === null ? undefined : ([x(timeMs), y(line)] as const),
  ).map(
    (points) => html`<path class="halo" d="M${lineTo(points)}" /><path class="ink" d="M${lineTo(points)}" />`,
  );
  const zero =
    model.axis.low < 0 ? html`<path class="zero" d="M${LEFT_PX} ${y(0)}H${RIGHT_PX}" />` : undefined;
  return html`${areas}${zero}${lines}`;
}

/** Names of the thickest bands, over everything else. */
function chipsSvg(model: CompositionModel, window: TimeWindow, panel: Panel): Html {
  const chips = compositionChips(model, { widthPx: PLOT_PX, heightPx: panel.heightPx, ...window }).map(
    ({ xPx, yPx, widthPx, text }) =>
      html`<rect
          class="chip"
          x="${rounded(LEFT_PX + xPx - widthPx / 2)}"
          y="${rounded(panel.topPx + yPx - 8)}"
          width="${widthPx}"
          height="16"
          rx="2"
        /><text
          class="chip-name"
          x="${rounded(LEFT_PX + xPx)}"
          y="${rounded(panel.topPx + yPx + 4)}"
          text-anchor="middle"
          >${text}</text
        >`,
  );
  return html`${chips}`;
}

type Edge = readonly [number, readonly [number, number]];

function runs({ rows }: CompositionModel, position: number): Edge[][] {
  const found: Edge[][] = [[]];
  for (const { timeMs, extents } of rows) {
    const extent = extents[position];
    if (extent == null) found.push([]);
    else found.at(-1)?.push([timeMs, extent]);
  }
  return found.filter((run) => run.length > 0);
}

function laneSvg(lane: LaneModel, window: TimeWindow, panel: Panel): Html {
  const [x, y] = [xOn(window), yOn(lane.axis, panel)];
  const lines = lane.series.map((_, at) =>
    stretches(lane.rows, ({ timeMs, values }) => {
      const value = values[at];
      return value == null ? undefined : ([x(timeMs), y(value)] as const);
    }).map((points) => html`<path class="ink" d="M${lineTo(points)}" />`),
  );
  const title = lane.note === "" ? lane.title : `${lane.title}; ${lane.note}`;
  return html`${valueAxisSvg(lane.axis, panel, title)}${lines.flat()}`;
}

/** Plots one above the other, on one time axis; numbers of marks stand between the title of the first and its plot. */
function stackOf(heights: readonly number[], marks: readonly Mark[]): Panel[] {
  let nextPx = 0;
  return heights.map((heightPx, index) => {
    const titlePx = nextPx + 12;
    const topPx = nextPx + UNIT_PX + (index === 0 && marks.length > 0 ? MARKS_PX : 0);
    nextPx = topPx + heightPx + 10;
    return { titlePx, topPx, heightPx };
  });
}

function heightOf(panels: readonly Panel[]): number {
  return Math.max(...panels.map(({ topPx, heightPx }) => topPx + heightPx)) + LABELS_PX;
}

function compositionChart(
  reading: Extract<PinReading, { kind: "composition" }>,
  label: string,
): Html | undefined {
  const { node, composition, effects, mode } = reading;
  if (composition.totalKib.every((value) => value === null)) return undefined;
  const { window, zone } = node;
  const model = compositionModel(composition, mode ?? defaultMode(composition), { zone, nowMs: LATER });
  const lane = kernelMemoryLane(composition);
  const marks = marksOf(node.annotations, effects, window);
  const panels = stackOf([STACK_PX, ...(lane ? [LANE_PX] : [])], marks);
  const [stack, below] = panels;
  if (stack === undefined) return undefined;
  const title = [model.axis.unit, model.note].filter(Boolean).join("; ");
  return html`${drawing(heightOf(panels), label, [
    gapsSvg(window, composition.gaps, panels),
    timeAxisSvg(window, zone, panels),
    valueAxisSvg(model.axis, stack, title),
    layersSvg(model, window, stack),
    lane && below ? laneSvg(lane, window, below) : undefined,
    bootsSvg(window, composition.reboots, panels),
    marksSvg(marks, window, panels),
    chipsSvg(model, window, stack),
  ])}${legend(model)}${markList(marks, zone)}`;
}

/** Colours of the bands that can be seen, top of the stack first. */
function legend(model: CompositionModel): Html {
  const keys = visibleBands(model).map(
    ({ key, label }) =>
      html`<li>
        <svg width="10" height="10" aria-hidden="true">
          <rect class="swatch" width="10" height="10" fill="var(--band-${key})" />
        </svg>
        ${label}
      </li>`,
  );
  return html`<ul class="keys" aria-label="Bands, top of the stack first">
    ${keys}
    <li>
      <svg width="16" height="10" aria-hidden="true"><path class="ink" d="M0 5h16" /></svg> ${model.lineName}
    </li>
  </ul>`;
}

function cachesChart(
  { node, series, caches }: Extract<PinReading, { kind: "caches" }>,
  label: string,
): Html | undefined {
  const { window, zone } = node;
  const lanes = slabLanes(series, caches);
  if (lanes.length === 0) return undefined;
  const marks = marksOf(node.annotations, [], window);
  const panels = stackOf(
    lanes.map(() => LANE_PX),
    marks,
  );
  return html`${drawing(heightOf(panels), label, [
    gapsSvg(window, series.gaps, panels),
    timeAxisSvg(window, zone, panels),
    ...lanes.map((lane, index) => laneSvg(lane, window, panels[index] ?? WIDE)),
    bootsSvg(window, series.reboots, panels),
    marksSvg(marks, window, panels),
  ])}${markList(marks, zone)}`;
}

function scatterChart(model: CorrelationModel, label: string): Html | undefined {
  const { rateAxis, growthAxis, line, points } = model;
  if (points.length === 0) return undefined;
  const y = yOn(growthAxis, WIDE);
  const x = (rate: number) => xOn({ fromMs: rateAxis.low, toMs: rateAxis.high })(rate);
  const bottomPx = WIDE.topPx + WIDE.heightPx;
  const inside = (value: number) => Math.min(bottomPx, Math.max(WIDE.topPx, value));
  const upper = line.map(
    ({ containersPerHour, band }) => [x(containersPerHour), inside(y(band[1]))] as const,
  );
  const lower = line.map(
    ({ containersPerHour, band }) => [x(containersPerHour), inside(y(band[0]))] as const,
  );
  const middle = line.map((row) => [x(row.containersPerHour), inside(y(row.slopePerHour))] as const);
  return drawing(bottomPx + LABELS_PX * 2, label, [
    valueAxisSvg(
      growthAxis,
      WIDE,
      `growth, ${growthAxis.unit}/h${line.length > 0 ? "; line with its 95 % band" : ""}`,
    ),
    html`${rateAxis.ticks.map((tick, index) => html`<path class="grid" d="M${x(tick)} ${WIDE.topPx}v${WIDE.heightPx}" /><text x="${x(tick)}" y="${bottomPx + 16}" text-anchor="${index === rateAxis.ticks.length - 1 ? "end" : "middle"}">${rateAxis.labels[index] ?? ""}</text>`)}`,
    html`<path class="zero" d="M${LEFT_PX} ${y(0)}H${RIGHT_PX}" />`,
    line.length > 0
      ? html`<path class="interval" d="M${lineTo([...upper, ...lower.reverse()])}Z" /><path
            class="estimate"
            d="M${lineTo(middle)}"
          />`
      : undefined,
    html`${points.map((point) => html`<circle class="dot" cx="${x(point.containersPerHour)}" cy="${y(point.slopePerHour)}" r="3.5"><title>${point.label}</title></circle>`)}`,
    html`<text x="${RIGHT_PX}" y="${bottomPx + 34}" text-anchor="end">${rateAxis.unit}</text>`,
  ]);
}

function comparisonChart(lines: CompareLines, label: string): Html | undefined {
  if (lines.empty) return undefined;
  const { axis, fromMs, toMs, reboots } = lines;
  const [x, y] = [xOn({ fromMs, toMs }), yOn(axis, WIDE)];
  const bottomPx = WIDE.topPx + WIDE.heightPx;
  const note = axis.low > 0 ? "; axis does not start at 0" : "";
  const drawn = (["a", "b"] as const).flatMap((side) =>
    lines[side].map((points) => {
      const at = points.map(([timeMs, value]) => [x(timeMs), y(value)] as const);
      const [first] = at;
      return at.length === 1 && first
        ? html`<circle class="side-${side} alone" cx="${first[0]}" cy="${first[1]}" r="2" />`
        : html`<path class="side-${side}" d="M${lineTo(at)}" />`;
    }),
  );
  const ticks = clockTicks(fromMs, toMs, PLOT_PX).map(
    ({ atMs, label: text }) =>
      html`<path class="grid" d="M${x(atMs)} ${WIDE.topPx}v${WIDE.heightPx}" /><text
          x="${x(atMs)}"
          y="${bottomPx + 16}"
          text-anchor="${x(atMs) > RIGHT_PX - 24 ? "end" : "middle"}"
          >${text}</text
        >`,
  );
  const poles = reboots.map(
    ({ side, atMs }) =>
      html`<path class="boot" d="M${x(atMs)} ${WIDE.topPx}v${WIDE.heightPx}"
        ><title>${side.toUpperCase()} reboots</title></path
      >`,
  );
  return html`${drawing(bottomPx + LABELS_PX, label, [
      valueAxisSvg(axis, WIDE, `${lines.label}, ${axis.unit}${note}`),
      html`${ticks}${poles}${drawn}`,
    ])}
    <ul class="keys">
      <li>
        <svg width="20" height="10" aria-hidden="true"><path class="side-a" d="M0 5h20" /></svg> A
      </li>
      <li>
        <svg width="20" height="10" aria-hidden="true"><path class="side-b" d="M0 5h20" /></svg> B
      </li>
    </ul>`;
}

const STRIP_PX = 34;
const NAMES_PX = 220;

function cohortChart({ chosen }: CohortModel, label: string): Html | undefined {
  if (chosen === undefined || chosen.rows.every(({ dots }) => dots.length === 0)) return undefined;
  const x = (at: number) => rounded(NAMES_PX + at * (RIGHT_PX - NAMES_PX));
  const bottomPx = UNIT_PX + chosen.rows.length * STRIP_PX;
  const ticks = chosen.ticks.map(
    ({ at, text }) =>
      html`<path class="${text === "0" ? "zero" : "grid"}" d="M${x(at)} ${UNIT_PX}V${bottomPx}" /><text
          x="${x(at)}"
          y="${bottomPx + 16}"
          text-anchor="middle"
          >${text}</text
        >`,
  );
  const strips = chosen.rows.map(({ label: name, nodes, dots, box }, index) => {
    const middlePx = UNIT_PX + (index + 0.5) * STRIP_PX;
    const quartiles =
      box &&
      html`<rect
          class="quartiles"
          x="${x(box[0])}"
          y="${middlePx - 12}"
          width="${rounded(Math.max(2, x(box[2]) - x(box[0])))}"
          height="24"
        /><path class="ink" d="M${x(box[1])} ${middlePx - 13}v26" />`;
    const each = dots.map(
      ({ at, offPx, kind, title }) =>
        html`<circle class="node ${kind}" cx="${x(at)}" cy="${rounded(middlePx + offPx)}" r="3"
          ><title>${title}</title></circle
        >`,
    );
    const short = name.length > 26 ? `${name.slice(0, 25)}\u2026` : name;
    return html`<text class="name" x="0" y="${middlePx + 4}">${short} (${nodes})<title>${name}</title></text
      >${quartiles}${each}`;
  });
  return drawing(bottomPx + LABELS_PX, label, [
    html`<text x="0" y="12"
      >${chosen.label} (nodes); growth, ${chosen.unit}; filled: leaking, hollow: healthy</text
    >`,
    html`${ticks}${strips}`,
  ]);
}

/** The drawing of a pinned view; undefined where it has none. `label` says what it shows, for those who do not see it. */
export function chartHtml(reading: PinReading, label: string): Html | undefined {
  switch (reading.kind) {
    case "composition":
      return compositionChart(reading, label);
    case "caches":
      return cachesChart(reading, label);
    case "scatter":
      return scatterChart(correlationModel(reading.correlation, { zone: reading.zone, nowMs: LATER }), label);
    case "comparison": {
      const { differences } = reading.comparison;
      const metric = differences.find((each) => each.metric === reading.band) ?? differences[0];
      return comparisonChart(compareLines(reading.comparison, metric?.metric ?? ""), label);
    }
    case "cohorts":
      return cohortChart(reading.model, label);
    default:
      return undefined;
  }
}
