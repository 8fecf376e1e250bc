import { layoutFlags, layoutNumbers, layoutSpans } from "#lib/charts/annotation-layout.ts";
import type { FlagPlace, NumberPlace, Span } from "#lib/charts/annotation-layout.ts";
import { flagText, flagWidthPx } from "#lib/charts/marks-model.ts";
import type { Mark } from "#lib/charts/marks-model.ts";
import { timeToPx } from "#lib/charts/time-axis.ts";
import type { TimeScale } from "#lib/charts/time-axis.ts";
import type { PlotGeometry } from "./plot.ts";

/** Heights of the parts of a stack of charts, pixels. A row is as high as what can be reached of a flag: rows must not overlap. */
const FLAG_ROW_PX = 24;
const FLAG_PX = 18;
const AXIS_PX = 20;
const LANE_TITLE_PX = 20;
const RANGE_PX = 4;
const RANGE_ROW_PX = RANGE_PX + 2;
/** Rows of bars above the plot; stretches deeper than that are shaded and in the table, without a bar. */
const MOST_RANGE_ROWS = 8;

/** One plot of the stack: where it lies within the column. */
export interface Panel {
  readonly key: string;
  readonly topPx: number;
  readonly heightPx: number;
}

/** Where everything in the column of charts lies. */
export interface StackLayout {
  /** Undefined where the stack has lanes alone. */
  readonly composition: Panel | undefined;
  readonly lanes: readonly Panel[];
  /** Upper edge of the first plot and lower edge of the last. */
  readonly topPx: number;
  readonly bottomPx: number;
  /** Baselines of the rows of time labels: below the composition, and below the lanes. */
  readonly axisTopsPx: readonly number[];
  readonly totalPx: number;
  readonly flags: readonly PlacedFlag[] | undefined;
  readonly numbers: readonly NumberPlace[];
  /** Marks that are a stretch of time, as far as it lies in the window. */
  readonly ranges: readonly PlacedRange[];
}

/** A stretch of time: its ends on the column, and the bar above the plot where it has one. */
export interface PlacedRange extends Span {
  readonly mark: Mark;
  readonly bar: { readonly topPx: number; readonly heightPx: number } | undefined;
}

/** A mark with its place on the column. */
export interface PlacedFlag extends FlagPlace {
  readonly mark: Mark;
  readonly xPx: number;
  readonly topPx: number;
  readonly heightPx: number;
}

/** Pixel of a mark's pole; marks that began before the window stand at its edge. */
export function poleX(mark: Mark, scale: TimeScale): number {
  const x = timeToPx(scale, Math.max(mark.annotation.at, scale.fromMs));
  return Math.min(scale.rightPx, Math.max(scale.leftPx, Math.round(x) + 0.5));
}

/** Lays out the column: flags or numbers on top, the composition where there is one, the lanes, time labels below both. */
export function stackLayout(
  marks: readonly Mark[],
  scale: TimeScale,
  plot: PlotGeometry,
  lanes: readonly { readonly key: string; readonly heightPx: number }[],
  zone: string,
  composed: boolean,
): StackLayout {
  const poles = marks.map((mark) => poleX(mark, scale));
  const inputs = marks.map((mark, index) => ({
    xPx: poles[index] ?? 0,
    widthPx: flagWidthPx(flagText(mark, zone)),
  }));
  const places = plot.narrow ? undefined : layoutFlags(inputs, plot.leftPx - 40, plot.rightPx + 8);
  const rows = places ? Math.max(0, ...places.map((place) => place.row + 1)) : 1;
  const stretches = marks.flatMap((mark) => {
    const { at, endsAt } = mark.annotation;
    if (endsAt === null) return [];
    const clip = (atMs: number) => Math.min(plot.rightPx, Math.max(plot.leftPx, timeToPx(scale, atMs)));
    return [{ mark, fromPx: clip(at), toPx: Math.max(clip(endsAt), clip(at) + 2) }];
  });
  const barRows = layoutSpans(stretches);
  const barCount = Math.min(MOST_RANGE_ROWS, Math.max(0, ...barRows.map((row) => row + 1)));
  const headPx = marks.length === 0 ? 18 : rows * FLAG_ROW_PX + 16 + Math.max(0, barCount - 1) * RANGE_ROW_PX;
  const ranges = stretches.map((stretch, index): PlacedRange => {
    const row = barRows[index] ?? 0;
    const bar =
      row < MOST_RANGE_ROWS
        ? { topPx: headPx - RANGE_PX - 1 - row * RANGE_ROW_PX, heightPx: RANGE_PX }
        : undefined;
    return { ...stretch, bar };
  });
  const flags = places?.map((place, index): PlacedFlag => {
    const mark = marks[index];
    if (!mark) throw new RangeError("a flag without its mark");
    return {
      ...place,
      mark,
      xPx: poles[index] ?? 0,
      topPx: (rows - 1 - place.row) * FLAG_ROW_PX + 1,
      heightPx: FLAG_PX,
    };
  });
  const composition: Panel | undefined = composed
    ? { key: "composition", topPx: headPx, heightPx: plot.narrow ? 250 : 330 }
    : undefined;
  const axisTopsPx = composition ? [composition.topPx + composition.heightPx + 14] : [];
  let topPx = composition
    ? composition.topPx + composition.heightPx + AXIS_PX + 4
    : Math.max(0, headPx - LANE_TITLE_PX);
  const placedLanes = lanes.map(({ key, heightPx }): Panel => {
    const lane = { key, topPx: topPx + LANE_TITLE_PX, heightPx };
    topPx += LANE_TITLE_PX + heightPx + 8;
    return lane;
  });
  if (lanes.length > 0) axisTopsPx.push(topPx + 6);
  const panels = [...(composition ? [composition] : []), ...placedLanes];
  const last = panels.at(-1);
  return {
    composition,
    topPx: panels[0]?.topPx ?? 0,
    bottomPx: last ? last.topPx + last.heightPx : 0,
    lanes: placedLanes,
    axisTopsPx,
    totalPx: topPx + (lanes.length > 0 ? AXIS_PX - 6 : 0),
    flags,
    numbers: flags ? [] : layoutNumbers(poles),
    ranges,
  };
}
