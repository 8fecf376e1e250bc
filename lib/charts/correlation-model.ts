import type { Correlation } from "#lib/contracts/correlation.ts";
import { DEFAULT_DRIVER } from "#lib/domain/memory/metrics.ts";
import { formatEstimate } from "#lib/domain/memory/quantity.ts";
import type { PlainTable } from "#lib/contracts/csv.ts";
import { DASH, KIB_PER_MIB, formatDuration, formatNumber } from "./format.ts";
import { formatIso, formatMoment } from "./format-time.ts";
import type { ValueAxis } from "./value-axis.ts";
import { countAxis, memoryAxis } from "./value-axis.ts";
import type { VerdictText } from "./verdict.ts";

/** One window of the scatter. */
export interface ScatterPoint {
  readonly containersPerHour: number;
  readonly slopePerHour: number;
  /** What is read out for it. */
  readonly label: string;
}

/** A place of the line with its band. */
export interface BandRow {
  readonly containersPerHour: number;
  readonly slopePerHour: number;
  readonly band: readonly [number, number];
}

/** A number that stands beside the picture. */
export interface CorrelationFact {
  readonly label: string;
  readonly value: string;
}

/** Growth against container creation, ready to be drawn. */
export interface CorrelationModel {
  readonly verdict: VerdictText;
  readonly text: string;
  /** KiB per container; undefined where it cannot be said. It leads only where memory is left behind: else the verdict does. */
  readonly headline:
    | {
        readonly value: string;
        readonly unit: string;
        readonly interval: string;
        readonly leads: boolean;
      }
    | undefined;
  readonly facts: readonly CorrelationFact[];
  readonly points: readonly ScatterPoint[];
  readonly line: readonly BandRow[];
  readonly rateAxis: ValueAxis;
  readonly growthAxis: ValueAxis;
  /** What the picture shows, for its head and for those who do not see it. */
  readonly note: string;
  /** "per container", or what else growth is held against. */
  readonly each: string;
}

/** What keeps growth from being held against anything: no value of the metric, of what it is held against, or too few. */
export type CorrelationLack = "nothing" | "driver" | "uncounted" | "little";

/** What an answer without numbers lacks. Where the metric itself has no value, nothing is known of containers either. */
export function correlationLack({ missing = [], metric, driver }: Correlation): CorrelationLack {
  if (missing.includes(metric)) return "nothing";
  if (!missing.includes(driver)) return "little";
  return driver === DEFAULT_DRIVER ? "uncounted" : "driver";
}

/** What growth is held against, in the words of the panel. */
const HELD_AGAINST = {
  containers: { noun: "containers", each: "per container", came: "containers created" },
  files: { noun: "files", each: "for each file", came: "files added" },
} as const;

/** The directory whose files growth is held against; `undefined` where it is containers. */
export function watchedDirectory(driver: string): string | undefined {
  return /^watch\.(.+)\.files$/.exec(driver)?.[1];
}

/** What growth can be held against, as values and names: all containers, the files of each directory, and what is chosen. */
export function driverChoices(
  directories: readonly string[],
  chosen: string,
): readonly (readonly [value: string, name: string])[] {
  const choices = [
    [DEFAULT_DRIVER, "all containers"] as const,
    ...directories.map((each) => [`watch.${each}.files`, `files in ${each}`] as const),
  ];
  if (choices.some(([value]) => value === chosen)) return choices;
  const directory = watchedDirectory(chosen);
  return [
    ...choices,
    [chosen, directory === undefined ? "containers of one creator" : `files in ${directory}`],
  ];
}

const VERDICTS: Readonly<Record<Correlation["verdict"], VerdictText>> = {
  "leaves-behind": { word: "leaves memory behind", tone: "leaking" },
  "in-use": { word: "in use, nothing left behind", tone: "flat" },
  unrelated: { word: "unrelated", tone: "flat" },
  "cannot-separate": { word: "cannot separate", tone: "unknown" },
  insufficient: { word: "cannot say yet", tone: "unknown" },
};

/** Prepares an answer for a metric that is memory, in KiB. */
export function correlationModel(
  answer: Correlation,
  view: { readonly zone: string; readonly nowMs: number },
): CorrelationModel {
  const { kibPerContainer, ci95, line, windowMs } = answer;
  const directory = watchedDirectory(answer.driver);
  const words = HELD_AGAINST[directory === undefined ? "containers" : "files"];
  const rows = (line?.points ?? []).map(([containersPerHour, slopePerHour, lower, upper]) => ({
    containersPerHour,
    slopePerHour,
    band: [lower, upper] as const,
  }));
  const points = answer.points.map(([containersPerHour, slopePerHour, timeMs]) => ({
    containersPerHour,
    slopePerHour,
    label: `${formatMoment(timeMs, view.zone, view.nowMs)}: ${formatNumber(containersPerHour)} ${words.noun}/h, ${formatNumber(slopePerHour / KIB_PER_MIB, 1)} MiB/h`,
  }));
  const rates = points.map(({ containersPerHour }) => containersPerHour);
  const slopes = [0, ...points.map((point) => point.slopePerHour), ...rows.map((row) => row.slopePerHour)];
  const room = 0.06 * Math.max(KIB_PER_MIB, Math.max(...slopes) - Math.min(...slopes));
  const spoken = kibPerContainer === null || ci95 === null ? undefined : kibText(kibPerContainer, ci95);
  return {
    verdict: VERDICTS[answer.verdict],
    text: answer.text,
    headline: spoken && {
      value: spoken.value,
      unit: spoken.unit,
      interval: spoken.interval,
      leads: answer.verdict === "leaves-behind",
    },
    facts: factsOf(answer, words.came),
    points,
    line: rows,
    rateAxis: countAxis(Math.max(1, ...rates), `${words.noun}/h`, { ticks: 5 }),
    growthAxis: memoryAxis(Math.min(...slopes) - room, Math.max(...slopes) + room, { ticks: 4 }),
    note:
      windowMs === null
        ? ""
        : `each point ${formatDuration(windowMs)}: growth of unreclaimable kernel memory against ${words.came}${directory === undefined ? "" : ` in ${directory}`}`,
    each: words.each,
  };
}

function kibText(value: number, ci95: readonly [number, number]) {
  const large = Math.max(Math.abs(ci95[0]), Math.abs(ci95[1])) >= 10 * KIB_PER_MIB;
  return formatEstimate(value, ci95, large ? { label: "MiB", size: KIB_PER_MIB } : { label: "KiB", size: 1 });
}

function factsOf(answer: Correlation, came: string): CorrelationFact[] {
  const { kibPerLiveContainer: live, backgroundKibPerHour: background, bestLag } = answer;
  const growth =
    background === null
      ? undefined
      : formatEstimate(background.value, background.ci95, { label: "MiB/h", size: KIB_PER_MIB });
  const held = live === null ? undefined : kibText(live.value, live.ci95);
  const coefficient = (value: number | null) => (value === null ? DASH : formatNumber(value, 2));
  return [
    {
      label: "held by a container alive",
      value: held === undefined ? "cannot say" : `${held.value} ${held.unit} (${held.interval})`,
    },
    {
      label: "growth beside",
      value: growth === undefined ? "cannot say" : `${growth.value} ${growth.unit} (${growth.interval})`,
    },
    {
      label: came,
      value:
        answer.containersPerHour === null
          ? DASH
          : `${formatNumber(answer.containersPerHour)} an hour, over ${formatDuration(answer.to - answer.from)}`,
    },
    {
      label: "Pearson, Spearman",
      value: `${coefficient(answer.pearson)}, ${coefficient(answer.spearman)}`,
    },
    { label: "lag of growth", value: lagText(bestLag) },
  ];
}

function lagText(lag: Correlation["bestLag"]): string {
  if (lag === null) return "none better than another";
  if (lag.ms === 0) return "none, at once";
  return `${formatDuration(Math.abs(lag.ms))} ${lag.ms > 0 ? "after" : "before"} creation`;
}

/** The scatter as a table, one row a window, times ISO 8601 in UTC. */
export function correlationTable(answer: Correlation): PlainTable {
  const rounded = (value: number) => Math.round(value * 100) / 100;
  return {
    columns: [
      "time",
      `${watchedDirectory(answer.driver) === undefined ? "containers" : "files"}/h`,
      `growth ${answer.unit}/h`,
    ],
    rows: answer.points.map(([containersPerHour, slopePerHour, timeMs]) => [
      formatIso(timeMs),
      rounded(containersPerHour),
      rounded(slopePerHour),
    ]),
  };
}
