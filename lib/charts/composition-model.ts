import { BANDS, UNRECLAIMABLE_BANDS } from "#lib/domain/memory/bands.ts";
import type { BandKey } from "#lib/domain/memory/bands.ts";
import type { CompositionMode, CompositionSeries } from "#lib/contracts/series.ts";
import { formatKib, formatKibIn, formatNumber, formatShare, formatSigned, kibPer } from "./format.ts";
import type { MemoryUnit } from "./format.ts";
import { formatMoment } from "./format-time.ts";
import { bootBoundary, drawnRows, segmentsOf } from "./segments.ts";
import type { Segment } from "./segments.ts";
import { memoryAxis, shareAxis } from "./value-axis.ts";
import type { ValueAxis } from "./value-axis.ts";

/**
 * One layer of the stack. Each band has two: its values above zero, bottom of the stack first, then those below, so
 * that a band that changes sign never runs through its neighbours.
 */
export interface CompositionLayer {
  readonly key: BandKey;
  readonly label: string;
  readonly below: boolean;
  /** False where the layer is nowhere thick enough to be seen. */
  readonly visible: boolean;
}

/** One moment of the stack: lower and upper edge of each layer in the axis' unit, null where the line is broken. */
export interface CompositionRow {
  readonly timeMs: number;
  readonly extents: readonly (readonly [number, number] | null)[];
  /** Of non-cache kernel memory, in mode `kernel` of unreclaimable kernel memory. */
  readonly line: number | null;
}

/** A stacked composition ready to draw. Edges are KiB, in mode `share` parts of MemTotal. */
export interface CompositionModel {
  readonly mode: CompositionMode;
  readonly layers: readonly CompositionLayer[];
  readonly rows: readonly CompositionRow[];
  readonly axis: ValueAxis;
  readonly note: string;
  /** What the line over the stack is. */
  readonly lineName: string;
  /** MemTotal of the newest sample, KiB. */
  readonly totalKib: number | undefined;
}

/** Bands from the bottom of the stack upwards. */
const UPWARDS = [...BANDS].reverse();
const OF_KERNEL: ReadonlySet<BandKey> = new Set(UNRECLAIMABLE_BANDS);

function valuesByBand(series: CompositionSeries): Map<string, CompositionSeries["bands"][number]> {
  return new Map(series.bands.map((band) => [band.key, band]));
}

/** Segments of a composition: never across a reboot, a gap or a sample without MemTotal. */
export function compositionSegments(series: CompositionSeries): readonly Segment[] {
  return segmentsOf(series, (index) => series.totalKib[index] != null);
}

/**
 * For each sample the index that its change is counted from: the first sample of the window, and after a reboot the
 * first sample of that boot, because no difference is taken across a reboot.
 */
export function baselineIndexes(series: CompositionSeries): readonly number[] {
  const baselines: number[] = [];
  let baseline = series.totalKib.findIndex((value) => value != null);
  let reboot = 0;
  series.timesMs.forEach((atMs, index) => {
    for (
      let boot = series.reboots[reboot];
      boot && bootBoundary(boot) <= atMs;
      boot = series.reboots[reboot]
    ) {
      if (index > baseline) baseline = index;
      reboot++;
    }
    baselines.push(Math.max(0, baseline));
  });
  return baselines;
}

/** The mode that shows the most: change while nothing large moved, else absolute. */
export function defaultMode(series: CompositionSeries): CompositionMode {
  const total = series.totalKib.findLast((value) => value != null);
  const baselines = baselineIndexes(series);
  if (total == null || series.timesMs.length < 2) return "gib";
  const largest = series.kernelNoncacheKib.reduce<number>((most, value, index) => {
    const base = series.kernelNoncacheKib[baselines[index] ?? 0];
    return value == null || base == null ? most : Math.max(most, Math.abs(value - base));
  }, 0);
  return largest < total * 0.05 ? "change" : "gib";
}

function stacked(values: readonly number[]): (readonly [number, number])[] {
  let up = 0;
  let down = 0;
  const above = values.map((value) => {
    const from = up;
    up += Math.max(0, value);
    return [from, up] as const;
  });
  const below = values.map((value) => {
    const from = down;
    down += Math.min(0, value);
    return [down, from] as const;
  });
  return [...above, ...below];
}

function valueAt(values: readonly (number | null)[] | undefined, index: number): number {
  return values?.[index] ?? 0;
}

/**
 * Prepares the stacked composition of a node. Bands keep their order in every mode; growth stacks up from zero and
 * shrinkage down, and a negative remainder dips below zero, so that at each point the edges add up to MemTotal (to
 * zero in mode `change`, to the line in mode `kernel`).
 */
export function compositionModel(
  series: CompositionSeries,
  mode: CompositionMode,
  view: { zone: string; nowMs: number },
): CompositionModel {
  const byBand = valuesByBand(series);
  const baselines = baselineIndexes(series);
  const columns = UPWARDS.map(({ key }) =>
    mode === "kernel" && !OF_KERNEL.has(key) ? undefined : byBand.get(key)?.valuesKib,
  );
  const lineKib = mode === "kernel" ? series.kernelUnreclaimableKib : series.kernelNoncacheKib;

  const scaled = (index: number, column: readonly (number | null)[] | undefined): number => {
    const value = valueAt(column, index);
    if (mode === "gib") return value;
    if (mode === "share") return value / Math.max(1, series.totalKib[index] ?? 1);
    return value - valueAt(column, baselines[index] ?? 0);
  };
  const lineAt = (index: number): number | null => {
    const value = lineKib[index];
    if (value == null) return null;
    if (mode === "gib") return value;
    if (mode === "share") return value / Math.max(1, series.totalKib[index] ?? 1);
    const base = lineKib[baselines[index] ?? 0];
    return base == null ? null : value - base;
  };

  const empty = [...UPWARDS, ...UPWARDS].map(() => null);
  const rows: CompositionRow[] = drawnRows(series, compositionSegments(series)).map(({ timeMs, index }) =>
    index === undefined
      ? { timeMs, extents: empty, line: null }
      : {
          timeMs,
          extents: stacked(columns.map((column) => scaled(index, column))),
          line: lineAt(index),
        },
  );

  let low = 0;
  let high = 0;
  for (const row of rows) {
    for (const extent of row.extents) {
      if (!extent) continue;
      low = Math.min(low, extent[0]);
      high = Math.max(high, extent[1]);
    }
  }
  const totalKib = series.totalKib.findLast((value) => value != null) ?? undefined;
  const axis = axisFor(mode, low, Math.max(high, mode === "gib" ? (totalKib ?? 0) : 0));
  const visibleFrom = (axis.high - axis.low) / 2000;
  const layers = [false, true].flatMap((below) =>
    UPWARDS.map(({ key, label }, position): CompositionLayer => {
      const at = below ? UPWARDS.length + position : position;
      const visible = rows.some((row) => {
        const extent = row.extents[at];
        return extent != null && extent[1] - extent[0] >= visibleFrom;
      });
      return { key, label, below, visible };
    }),
  );
  const lineName = mode === "kernel" ? "unreclaimable kernel memory" : "non-cache kernel memory";
  return { mode, layers, rows, axis, note: noteFor(series, mode, totalKib, view), lineName, totalKib };
}

/** The bands that can be seen, top of the stack first; one that went up and down has a layer on either side. */
export function visibleBands({
  layers,
}: Pick<CompositionModel, "layers">): Pick<CompositionLayer, "key" | "label">[] {
  const seen = new Map(layers.filter(({ visible }) => visible).map((layer) => [layer.key, layer]));
  return [...seen.values()].toReversed();
}

function axisFor(mode: CompositionMode, low: number, high: number): ValueAxis {
  if (mode === "share") return shareAxis(low);
  if (mode === "gib") return memoryAxis(low, high, { exact: true, ticks: 4 });
  const room = Math.max(high - low, 1024) * 0.04;
  return memoryAxis(low - room, high + room, { signed: true, ticks: 5, least: 4096 });
}

function noteFor(
  series: CompositionSeries,
  mode: CompositionMode,
  totalKib: number | undefined,
  view: { zone: string; nowMs: number },
): string {
  if (mode === "share") return "% of MemTotal; line: non-cache kernel memory";
  if (mode === "gib") {
    const total = totalKib === undefined ? "MemTotal" : `MemTotal, ${formatKib(totalKib)},`;
    return `adds up to ${total} at every point; line: non-cache kernel memory`;
  }
  const first = series.timesMs[series.totalKib.findIndex((value) => value != null)];
  const since = first === undefined ? "the start" : formatMoment(first, view.zone, view.nowMs);
  const boots = series.reboots.length > 0 ? " and since each boot" : "";
  if (mode === "kernel")
    return `what the kernel cannot give back, change since ${since}${boots}; line: their sum, unreclaimable kernel memory`;
  return `change since ${since}${boots}, sums to zero; line: non-cache kernel memory`;
}

/** A label written on the chart itself. */
export interface Chip {
  readonly xPx: number;
  readonly yPx: number;
  readonly widthPx: number;
  readonly text: string;
}

const CHIP_HEIGHT_PX = 16;
const CHIP_CHAR_PX = 5.9;

/**
 * Names the thickest bands on the chart: each where it is thick over the whole width of its label, none over another.
 * Pixels are relative to the plot.
 */
export function compositionChips(
  model: CompositionModel,
  plot: { widthPx: number; heightPx: number; fromMs: number; toMs: number },
): Chip[] {
  const { axis, rows } = model;
  const yOf = (value: number) =>
    plot.heightPx - ((value - axis.low) / (axis.high - axis.low)) * plot.heightPx;
  const xOf = (timeMs: number) => ((timeMs - plot.fromMs) / (plot.toMs - plot.fromMs)) * plot.widthPx;
  const xs = rows.map((row) => xOf(row.timeMs));
  const candidates: (Chip & { weight: number })[] = [];
  model.layers.forEach((layer, position) => {
    if (!layer.visible) return;
    for (let slot = 1; slot < 24; slot++) {
      const xPx = (slot / 24) * plot.widthPx;
      const at = nearestTo(xs, xPx);
      const extent = rows[at]?.extents[position];
      if (!extent || Math.abs((xs[at] ?? Infinity) - xPx) > plot.widthPx / 24) continue;
      const text = chipText(model, layer, extent);
      const widthPx = Math.ceil(text.length * CHIP_CHAR_PX) + 10;
      if (xPx - widthPx / 2 < 4 || xPx + widthPx / 2 > plot.widthPx - 4) continue;
      // From the sample at or left of the label to that at or right of it: all of it must lie over data.
      const first = xs.findLastIndex((each) => each <= xPx - widthPx / 2);
      const last = xs.findIndex((each) => each >= xPx + widthPx / 2);
      if (first < 0 || last < 0) continue;
      const under = rows.slice(first, last + 1);
      const middle = (yOf(extent[0]) + yOf(extent[1])) / 2;
      const room = Math.min(
        ...under.map((row) => {
          const edges = row.extents[position];
          if (!edges) return 0;
          const top = yOf(edges[1]);
          const bottom = yOf(edges[0]);
          return Math.min(middle - top, bottom - middle) * 2;
        }),
      );
      if (room < CHIP_HEIGHT_PX + 3) continue;
      candidates.push({
        xPx,
        yPx: middle,
        widthPx,
        text,
        weight: Math.min(room, 120) - Math.abs(slot - 12) * 0.5,
      });
    }
  });
  candidates.sort((a, b) => b.weight - a.weight);
  const placed: Chip[] = [];
  const names = new Set<string>();
  for (const chip of candidates) {
    const name = chip.text.replace(/[\s\u00a0][+\u2212\d].*$/u, "");
    const clash = placed.some(
      (other) =>
        Math.abs(other.xPx - chip.xPx) < (other.widthPx + chip.widthPx) / 2 + 4 &&
        Math.abs(other.yPx - chip.yPx) < CHIP_HEIGHT_PX + 2,
    );
    if (clash || names.has(name) || placed.length >= 8) continue;
    names.add(name);
    placed.push({ xPx: chip.xPx, yPx: chip.yPx, widthPx: chip.widthPx, text: chip.text });
  }
  return placed;
}

function nearestTo(xs: readonly number[], xPx: number): number {
  let best = 0;
  let distance = Infinity;
  xs.forEach((each, index) => {
    const away = Math.abs(each - xPx);
    if (away < distance) [best, distance] = [index, away];
  });
  return best;
}

function chipText(
  model: CompositionModel,
  layer: CompositionLayer,
  extent: readonly [number, number],
): string {
  const size = extent[1] - extent[0];
  if (model.mode === "share") return `${layer.label} ${formatShare(size)}`;
  const signed = layer.below ? -size : size;
  const unit = model.axis.unit as MemoryUnit;
  const decimals = unit === "GiB" || unit === "TiB" ? 1 : 0;
  const value = signed / kibPer(unit);
  return `${layer.label} ${model.mode !== "gib" ? formatSigned(value, decimals) : formatNumber(value, decimals)}`;
}

/** One line of the readout beside the chart: legend, cursor values and table in one. */
export interface ReadoutRow {
  readonly key: BandKey;
  readonly label: string;
  readonly change: string;
  readonly value: string;
  /** True where the row is worth little attention: nothing there and nothing changed. */
  readonly quiet: boolean;
  /** False where the kernel did not report the band at this sample. */
  readonly reported: boolean;
}

/** The readout of one sample. */
export interface Readout {
  readonly atMs: number;
  /** Of the values. */
  readonly unit: MemoryUnit;
  readonly changeUnit: MemoryUnit;
  readonly rows: readonly ReadoutRow[];
  readonly total: { readonly change: string; readonly value: string };
  readonly noncache: { readonly change: string; readonly value: string };
  readonly unreclaimable: { readonly change: string; readonly value: string };
}

/** How a readout prints in a unit, and below how many KiB that is nothing. */
const PRINTED_IN = {
  GiB: { decimals: 2, leastKib: kibPer("GiB") / 200 },
  MiB: { decimals: 0, leastKib: kibPer("MiB") / 2 },
} as const;

/**
 * What the readout says of the sample at `index`; changes count from the start of the window or of the boot, in mode `kernel` in
 * MiB: what leaks there is small beside the machine.
 */
export function readoutAt(
  series: CompositionSeries,
  index: number,
  mode?: CompositionMode,
): Readout | undefined {
  const atMs = series.timesMs[index];
  const total = series.totalKib[index];
  if (atMs === undefined || total == null) return undefined;
  const base = baselineIndexes(series)[index] ?? 0;
  const unit = total >= 2 * kibPer("GiB") ? "GiB" : "MiB";
  const changeUnit = mode === "kernel" ? "MiB" : unit;
  const [ofValue, ofChange] = [PRINTED_IN[unit], PRINTED_IN[changeUnit]];
  const pair = (values: readonly (number | null)[]) => {
    const now = values[index];
    const then = values[base];
    return {
      value: now == null ? "not reported" : formatKibIn(now, unit, ofValue.decimals),
      change:
        now == null || then == null ? "" : formatSigned((now - then) / kibPer(changeUnit), ofChange.decimals),
    };
  };
  const byBand = valuesByBand(series);
  const rows = BANDS.map((band): ReadoutRow => {
    const column = byBand.get(band.key);
    const now = column?.valuesKib[index];
    const then = column?.valuesKib[base] ?? now;
    const texts = pair(column?.valuesKib ?? []);
    return {
      key: band.key,
      label: band.label,
      ...texts,
      quiet: Math.abs(now ?? 0) < ofValue.leastKib && Math.abs((now ?? 0) - (then ?? 0)) < ofChange.leastKib,
      reported: now != null,
    };
  });
  return {
    atMs,
    unit,
    changeUnit,
    rows,
    total: pair(series.totalKib),
    noncache: pair(series.kernelNoncacheKib),
    unreclaimable: pair(series.kernelUnreclaimableKib),
  };
}

/** The picture in one sentence, for readers who do not see it: what grew and what shrank most in the window. */
export function compositionFinding(series: CompositionSeries): string {
  const last = series.totalKib.findLastIndex((value) => value != null);
  if (last < 0) return "No sample in this window.";
  const base = baselineIndexes(series)[last] ?? 0;
  const changes = series.bands
    .map((band) => ({
      label: band.label,
      change: valueAt(band.valuesKib, last) - valueAt(band.valuesKib, base),
    }))
    .sort((a, b) => b.change - a.change);
  const grew = changes[0];
  const shrank = changes.at(-1);
  const part = (item: { label: string; change: number } | undefined, word: string) =>
    item && Math.abs(item.change) >= 1024
      ? `${item.label} ${word} ${formatKib(Math.abs(item.change))}`
      : undefined;
  const parts = [
    grew && grew.change > 0 ? part(grew, "grew") : undefined,
    shrank && shrank.change < 0 ? part(shrank, "shrank") : undefined,
  ].filter((each) => each !== undefined);
  const since = series.reboots.length > 0 ? "since the newest boot in the window" : "over the window";
  return parts.length > 0 ? `${parts.join(", ")} ${since}.` : `No band changed by 1 MiB or more ${since}.`;
}
