import type { DirectoryGrowth } from "#lib/contracts/directory.ts";
import type { MetricSeries } from "#lib/contracts/series.ts";
import type { PlainTable } from "#lib/contracts/csv.ts";
import type { Trend } from "#lib/contracts/trend.ts";
import { DASH, formatCountGrowth, formatGrowth, formatKib, formatNumber, formatShare } from "./format.ts";
import type { EstimateText } from "./format.ts";
import { endsSoon, leftText } from "./forecast-model.ts";
import type { Part } from "./node-data.ts";
import type { NodePageData } from "./node-page.ts";
import type { ChartedPlaces } from "./object-lanes.ts";
import { trendVerdictText } from "./verdict.ts";
import type { VerdictText } from "./verdict.ts";

/** What the page of directories and tmpfs mounts shows of a window. */
export interface DirectoryPageData extends NodePageData {
  readonly growth: Part<DirectoryGrowth>;
  readonly series: Part<MetricSeries>;
}

const CHARTED_DIRECTORIES = 5;
const CHARTED_MOUNTS = 3;

/** The directories and mounts that are charted: the fullest. */
export function chartedPlaces(growth: DirectoryGrowth | undefined): ChartedPlaces {
  const mounts = growth?.tmpfs ?? [];
  // One inode is that of the mount itself.
  const filled = mounts.filter(({ usedKib, inodesUsed }) => (usedKib ?? 0) > 0 || (inodesUsed ?? 0) > 1);
  return {
    directories: (growth?.watch ?? []).slice(0, CHARTED_DIRECTORIES).map(({ path }) => path),
    mounts: (filled.length > 0 ? filled : mounts).slice(0, CHARTED_MOUNTS),
  };
}

/** A growth as the table prints it. */
export interface GrowthText extends Partial<EstimateText> {
  readonly verdict: VerdictText;
}

function growthText(trend: Trend): GrowthText {
  const verdict = trendVerdictText(trend.verdict);
  const { slopePerHour, ci95 } = trend;
  if (slopePerHour === null || ci95 === null) return { verdict };
  const memory = trend.unit === "KiB";
  return { verdict, ...(memory ? formatGrowth(slopePerHour, ci95) : formatCountGrowth(slopePerHour, ci95)) };
}

/** One watched directory, in texts. */
export interface DirectoryRow {
  readonly path: string;
  readonly files: string;
  readonly growth: GrowthText;
  readonly text: string;
}

/** Watched directories, the fullest first. */
export function directoryRows(growth: DirectoryGrowth): DirectoryRow[] {
  return growth.watch.map(({ path, files, atLeast, growth: trend }) => ({
    path,
    files: files === null ? "not read" : `${atLeast ? "at least " : ""}${formatNumber(files)}`,
    growth: growthText(trend),
    text: trend.text,
  }));
}

/** One tmpfs mount, in texts. */
export interface MountRow {
  readonly mount: string;
  readonly used: string;
  readonly ofSize: string;
  readonly usedGrowth: GrowthText;
  readonly inodes: string;
  readonly ofInodes: string;
  readonly inodeGrowth: GrowthText;
  /** Until its inodes run out. */
  readonly left: string;
}

/** Tmpfs mounts, the fullest first. */
export function mountRows(growth: DirectoryGrowth, nowMs: number): MountRow[] {
  const share = (used: number | null, limit: number | null) =>
    used !== null && limit !== null && limit > 0 ? formatShare(used / limit) : "no limit";
  return growth.tmpfs.map((each) => {
    const end = each.inodeGrowth.exhaustion;
    return {
      mount: each.mount,
      used: each.usedKib === null ? "not read" : formatKib(each.usedKib),
      ofSize: share(each.usedKib, each.sizeKib),
      usedGrowth: growthText(each.usedGrowth),
      inodes: each.inodesUsed === null ? DASH : formatNumber(each.inodesUsed),
      ofInodes: share(each.inodesUsed, each.inodes),
      inodeGrowth: growthText(each.inodeGrowth),
      left: end ? leftText(end, nowMs) : DASH,
    };
  });
}

/** What runs full, in one sentence: first what does so within a month, else what grows and how long it lasts. */
export function directoryFinding(growth: DirectoryGrowth, nowMs: number): string {
  const ending = growth.tmpfs
    .flatMap((each) => (each.inodeGrowth.exhaustion ? [{ each, end: each.inodeGrowth.exhaustion }] : []))
    .toSorted((a, b) => a.end.at - b.end.at)[0];
  const endText =
    ending && `of ${ending.each.mount} run out in ${leftText(ending.end, nowMs)} if growth goes on`;
  if (ending && endsSoon(ending.end, nowMs)) return `Inodes ${endText}.`;
  const grown = growth.watch.filter(
    ({ growth: { verdict } }) => verdict === "leaking" || verdict === "growing",
  );
  const [most] = grown.toSorted((a, b) => (b.growth.ci95?.[0] ?? 0) - (a.growth.ci95?.[0] ?? 0));
  if (most?.growth.ci95 && most.growth.slopePerHour !== null) {
    const { value, interval } = formatCountGrowth(most.growth.slopePerHour, most.growth.ci95);
    const later = endText === undefined ? "" : `; inodes ${endText}`;
    return `${most.path} gains ${value} files an hour (95 %: ${interval})${grown.length > 1 ? `; ${formatNumber(grown.length - 1)} more ${grown.length === 2 ? "grows" : "grow"}` : ""}${later}.`;
  }
  if (endText !== undefined) return `Inodes ${endText}.`;
  if (growth.watch.length === 0 && growth.tmpfs.length === 0)
    return "Neither a watched directory nor a tmpfs mount in this window.";
  const trends = [
    ...growth.watch.map((each) => each.growth),
    ...growth.tmpfs.flatMap((each) => [each.usedGrowth, each.inodeGrowth]),
  ];
  if (trends.every(({ verdict }) => verdict === "insufficient"))
    return "Too few samples in this window to say whether a watched directory or a tmpfs mount fills.";
  return "No watched directory and no tmpfs mount fills in this window.";
}

/** Both tables as one, for a spreadsheet. */
export function directoryCsv(growth: DirectoryGrowth): PlainTable {
  const slope = ({ slopePerHour, ci95, verdict }: Trend) => [
    slopePerHour,
    ci95?.[0] ?? null,
    ci95?.[1] ?? null,
    verdict,
  ];
  return {
    columns: [
      "what",
      "path",
      "value",
      "limit",
      "growth an hour",
      "lower end of 95 %",
      "upper end of 95 %",
      "verdict",
    ],
    rows: [
      ...growth.watch.map((each) => ["files", each.path, each.files, null, ...slope(each.growth)]),
      ...growth.tmpfs.flatMap((each) => [
        ["used (KiB)", each.mount, each.usedKib, each.sizeKib, ...slope(each.usedGrowth)],
        ["inodes", each.mount, each.inodesUsed, each.inodes, ...slope(each.inodeGrowth)],
      ]),
    ],
  };
}
