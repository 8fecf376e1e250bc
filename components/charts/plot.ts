/** Pixels that all charts of a page share, so that their time axes agree to the pixel. */
export interface PlotGeometry {
  readonly widthPx: number;
  /** Where the plot begins, right of the value labels. */
  readonly leftPx: number;
  /** Where the plot ends. */
  readonly rightPx: number;
  readonly narrow: boolean;
}

/** Below this width flags become numbers and labels on the chart are left out. */
const NARROW_PX = 620;

/** Geometry of a column of charts of this width. */
export function plotGeometry(widthPx: number): PlotGeometry {
  const narrow = widthPx < NARROW_PX;
  return { widthPx, leftPx: narrow ? 36 : 48, rightPx: widthPx - 8, narrow };
}
