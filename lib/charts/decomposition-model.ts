import type { DecomposedWhole, Decomposition } from "#lib/contracts/decomposition.ts";
import type { PlainTable } from "#lib/contracts/csv.ts";
import { DASH, formatNumber } from "./format.ts";
import { formatEstimate, growthUnit } from "#lib/domain/memory/quantity.ts";

/** One bar of the panel. */
export interface ShareRow {
  readonly key: string;
  readonly label: string;
  /** "72 %", or a dash where there are no shares. */
  readonly share: string;
  /** Interval of the share: "68–76". */
  readonly shareInterval: string;
  readonly slope: string;
  readonly slopeInterval: string;
  /** Ends of the bar as parts of the axis, 0 to 1; equal where there is nothing to draw. */
  readonly bar: readonly [number, number];
}

/** A whole with its parts as bars on one axis. */
export interface ShareModel {
  /** Where the axis is zero, 0 to 1. */
  readonly zero: number;
  /** Of the slopes, one for all rows so that they compare: that of the largest. */
  readonly unit: string;
  readonly rows: readonly ShareRow[];
  /** Parts too small to be worth a bar. */
  readonly small: readonly string[];
}

/** Parts below this share are named, not drawn. */
const LEAST_SHARE = 0.005;

/** Prepares bars: shares on an axis that holds zero, slopes in the unit of the largest. */
export function shareModel(whole: DecomposedWhole): ShareModel {
  const drawn = whole.parts.filter(({ share }) => share === null || Math.abs(share) >= LEAST_SHARE);
  const unit = growthUnit(drawn.reduce((most, each) => Math.max(most, Math.abs(each.slopeKibPerHour)), 0));
  const shares = drawn.map(({ share }) => share ?? 0);
  const low = Math.min(0, ...shares);
  const high = Math.max(0, ...shares, low + 1e-9);
  const place = (value: number) => (value - low) / (high - low);
  return {
    zero: place(0),
    unit: unit.label,
    rows: drawn.map(({ key, label, share, shareCi95, slopeKibPerHour, ci95 }) => {
      const slope = formatEstimate(slopeKibPerHour, ci95, unit);
      const of =
        share === null || shareCi95 === null
          ? undefined
          : formatEstimate(100 * share, [100 * shareCi95[0], 100 * shareCi95[1]], { label: "%", size: 1 });
      const ends = [place(0), place(share ?? 0)].sort((a, b) => a - b);
      return {
        key,
        label,
        share: of === undefined ? DASH : `${of.value}\u202f%`,
        shareInterval: of?.interval ?? "",
        slope: slope.value,
        slopeInterval: slope.interval,
        bar: [ends[0] ?? 0, ends[1] ?? 0],
      };
    }),
    small: whole.parts.filter((part) => !drawn.includes(part)).map(({ label }) => label),
  };
}

/** The decomposition as a table: one row a part, KiB per hour and percent. */
export function decompositionTable({ bands, slab }: Decomposition): PlainTable {
  const rowsOf = (of: string, whole: DecomposedWhole | null) =>
    (whole?.parts ?? []).map((part) => [
      of,
      part.label,
      round(part.slopeKibPerHour),
      round(part.ci95[0]),
      round(part.ci95[1]),
      percent(part.share),
      percent(part.shareCi95?.[0]),
      percent(part.shareCi95?.[1]),
    ]);
  return {
    columns: [
      "of",
      "part",
      "growth (KiB/h)",
      "growth low",
      "growth high",
      "share (%)",
      "share low",
      "share high",
    ],
    rows: [...rowsOf("unreclaimable kernel memory", bands), ...rowsOf("unreclaimable slab", slab)],
  };
}

function round(value: number): number {
  return Number(value.toFixed(1));
}

function percent(share: number | null | undefined): number | null {
  return share == null ? null : Number((100 * share).toFixed(1));
}

/** What small parts there are besides, for the end of a panel. */
export function smallPartsText(small: readonly string[]): string {
  if (small.length === 0) return "";
  return `Under ${formatNumber(100 * LEAST_SHARE, 1)} % each: ${small.join(", ")}.`;
}
