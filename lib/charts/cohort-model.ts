import type { CohortComparison } from "#lib/contracts/cohort.ts";
import { countGrowthUnit, formatCount, formatEstimate } from "#lib/domain/memory/quantity.ts";
import type { DisplayUnit } from "#lib/domain/memory/quantity.ts";
import { HEADLINE_METRICS, TREND_WINDOW_SHAPE, TREND_WINDOWS } from "#lib/domain/analysis/trend-windows.ts";
import type { TrendWindow } from "#lib/domain/analysis/trend-windows.ts";
import { DEFAULT_METRIC, METRICS } from "#lib/domain/memory/metrics.ts";
import type { PlainTable } from "#lib/contracts/csv.ts";
import { DASH, formatInterval, formatNumber, formatSigned, KIB_PER_MIB } from "./format.ts";
import { formatMomentFull } from "./format-time.ts";
import { growthDomain, growthPosition, growthTicks } from "./growth-axis.ts";
import type { TrendVerdict, VerdictText } from "./verdict.ts";
import { trendVerdictText } from "./verdict.ts";
import type { TimeWindow } from "./view-address.ts";

/** What the cohort page looks at; everything that its address holds. */
export interface CohortAddress {
  readonly attribute: string | undefined;
  readonly metric: string;
  readonly window: string;
  readonly cluster: string | undefined;
}

/** What an address without parameters means. */
export const DEFAULT_COHORT_ADDRESS: CohortAddress = {
  attribute: undefined,
  metric: DEFAULT_METRIC,
  window: "24h",
  cluster: undefined,
};

/** Reads the address of the cohort page; what it does not say is as in {@link DEFAULT_COHORT_ADDRESS}. */
export function readCohortAddress(parameter: (name: string) => string | undefined): CohortAddress {
  return {
    attribute: parameter("attribute"),
    metric: parameter("metric") ?? DEFAULT_COHORT_ADDRESS.metric,
    window: parameter("window") ?? DEFAULT_COHORT_ADDRESS.window,
    cluster: parameter("cluster"),
  };
}

/** Path of the cohort page for a view; what is as by default is left out. */
export function cohortPath(address: CohortAddress): string {
  const query = new URLSearchParams();
  for (const name of ["attribute", "metric", "window", "cluster"] as const) {
    const value = address[name];
    if (value !== undefined && value !== DEFAULT_COHORT_ADDRESS[name]) query.set(name, value);
  }
  const text = query.toString();
  return text === "" ? "/cohorts" : `/cohorts?${text}`;
}

/** Path of the list of nodes that have a value, or that do not report the attribute. */
export function fleetPathOf(attribute: string, value: string | null): string {
  const query = new URLSearchParams({ attribute, ...(value !== null && { value }) });
  return `/?${query.toString()}`;
}

/** Windows that can be chosen. */
export const COHORT_WINDOWS: readonly { readonly value: TrendWindow; readonly label: string }[] =
  TREND_WINDOWS.map((value) => ({ value, label: value.replace(/(\d+)/, "$1\u00a0") }));

/** The window next to one: shorter for a factor below 1, longer above; the same at either end. */
export function zoomedCohortWindow(window: string, factor: number): string {
  const at = COHORT_WINDOWS.findIndex(({ value }) => value === window);
  return COHORT_WINDOWS[at + (factor < 1 ? -1 : 1)]?.value ?? window;
}

/** The window that is nearest in length to a range. */
export function cohortWindowOf({ fromMs, toMs }: TimeWindow): TrendWindow {
  const apart = (window: TrendWindow) =>
    Math.abs(Math.log(TREND_WINDOW_SHAPE[window].spanMs / (toMs - fromMs)));
  return [...TREND_WINDOWS].sort((x, y) => apart(x) - apart(y))[0] ?? "24h";
}

/** Metrics that can be chosen. */
export const COHORT_METRICS: readonly { readonly value: string; readonly label: string }[] =
  HEADLINE_METRICS.map((value) => ({
    value,
    label: METRICS.find(({ key }) => key === value)?.label ?? value,
  }));

/** One line of the ranking of attributes. */
export interface AttributeRow {
  readonly attribute: string;
  readonly label: string;
  readonly verdict: VerdictText;
  readonly separation: string;
  readonly pValue: string;
  readonly values: string;
  readonly text: string;
  readonly chosen: boolean;
  readonly path: string;
}

/** How a dot is drawn: filled for leaking, half for undecided, hollow for healthy. */
export type CohortDotKind = "leaking" | "undecided" | "healthy";

/** One node of a strip. */
export interface CohortDot {
  readonly nodeId: number;
  readonly title: string;
  readonly kind: CohortDotKind;
  /** Place on the axis, 0 to 1. */
  readonly at: number;
  /** Pixels above or below the middle, so that nodes of one slope lie side by side. */
  readonly offPx: number;
}

/** One value of the chosen attribute. */
export interface CohortRow {
  readonly value: string | null;
  readonly label: string;
  readonly fleetPath: string;
  readonly nodes: string;
  /** "14 of 15", of leaking and healthy nodes; undefined where there is neither. */
  readonly leaking: string | undefined;
  /** What stands on neither side: "1 undecided, 3 cannot say"; empty when nothing does. */
  readonly aside: string;
  readonly dots: readonly CohortDot[];
  /** Quartiles as places on the axis. */
  readonly box: readonly [number, number, number] | undefined;
  readonly median: string;
  /** Difference of the shares that leak, in percentage points. */
  readonly difference: EffectText | undefined;
  /** Shift of the slopes, in the unit of the axis. */
  readonly shift: EffectText | undefined;
  readonly superiority: EffectText | undefined;
}

/** An effect against all other values, with its interval and corrected p value. */
export interface EffectText {
  readonly value: string;
  readonly interval: string;
  readonly pValue: string;
}

/** The cohort page, ready to be drawn. */
export interface CohortModel {
  readonly sentence: string;
  readonly below: string;
  readonly counts: CohortComparison["counts"];
  readonly attributes: readonly AttributeRow[];
  readonly chosen:
    | {
        readonly attribute: string;
        readonly label: string;
        readonly text: string;
        readonly unit: string;
        readonly ticks: readonly { readonly text: string; readonly at: number }[];
        readonly rows: readonly CohortRow[];
        readonly table: PlainTable;
      }
    | undefined;
}

/** Widest distance between two ticks and between two dots that do not touch, parts of the axis. */
const TICKS_APART = 0.12;
const DOTS_APART = 0.012;
/** Rows of dots about the middle line, nearest first. */
const DOT_ROWS_PX = [0, -5, 5, -9, 9];

const VERDICTS: Readonly<Record<CohortComparison["attributes"][number]["verdict"], VerdictText>> = {
  separates: { word: "separates", tone: "leaking" },
  "no-difference": { word: "no difference", tone: "flat" },
  "cannot-say": { word: "cannot say", tone: "unknown" },
};

function growthUnitOf(unit: string): DisplayUnit {
  return unit === "KiB" ? { label: "MiB/h", size: KIB_PER_MIB } : countGrowthUnit(unit);
}

/** `< 0.001`, `0.012`, `1`. */
export function pValueText(pValue: number): string {
  if (pValue < 0.001) return "<\u00a00.001";
  return pValue >= 0.9995 ? "1" : formatNumber(pValue, 3);
}

/** That numbers are made up is said wherever they stand. */
function simulatedText({ simulated, counts: { nodes } }: CohortComparison): string {
  if (simulated === 0) return "";
  return simulated === nodes
    ? "all nodes are simulated"
    : `${formatNumber(simulated)} of ${formatCount(nodes, "node")} ${simulated === 1 ? "is" : "are"} simulated`;
}

/** Prepares the cohort page. */
export function cohortModel(data: CohortComparison, address: CohortAddress): CohortModel {
  const { selected } = data;
  const unit = growthUnitOf(data.unit);
  return {
    sentence: data.text,
    below: [
      `${data.label} over ${data.window.replace(/(\d+)/, "$1\u00a0")}`,
      data.cluster === null ? "" : `cluster ${data.cluster}`,
      data.computedAt === null ? "no trends yet" : `trends of ${formatMomentFull(data.computedAt, "UTC")}`,
      simulatedText(data),
    ]
      .filter(Boolean)
      .join("; "),
    counts: data.counts,
    attributes: data.attributes.map((each) => ({
      attribute: each.attribute,
      label: each.label,
      verdict: VERDICTS[each.verdict],
      // Each node is left out once, so that what foretells nothing comes out below 0, down to -1.
      separation:
        each.separation === null ? DASH : each.separation > 0 ? formatNumber(each.separation, 2) : "none",
      pValue: each.pValue === null ? DASH : pValueText(each.pValue),
      values: formatNumber(each.values),
      text: each.text,
      chosen: each.attribute === selected?.attribute,
      path: cohortPath({ ...address, attribute: each.attribute }),
    })),
    chosen: selected ? chosenModel(selected, unit) : undefined,
  };
}

type Selected = NonNullable<CohortComparison["selected"]>;

function chosenModel(selected: Selected, unit: DisplayUnit): NonNullable<CohortModel["chosen"]> {
  const scaled = (perHour: number) => perHour / unit.size;
  const domain = growthDomain(
    selected.values.flatMap(({ nodes }) =>
      nodes.flatMap(({ slopePerHour }) => (slopePerHour === null ? [] : [scaled(slopePerHour)])),
    ),
  );
  const at = (perHour: number) => growthPosition(scaled(perHour), domain);
  return {
    attribute: selected.attribute,
    label: selected.label,
    text: selected.text,
    unit: unit.label,
    ticks: growthTicks(domain, TICKS_APART).map((tick) => ({
      text: formatNumber(tick),
      at: growthPosition(tick, domain),
    })),
    rows: selected.values.map((cohort) => rowOf(selected, cohort, unit, at)),
    table: tableOf(selected, unit),
  };
}

function rowOf(
  { attribute }: Selected,
  cohort: Selected["values"][number],
  unit: DisplayUnit,
  at: (perHour: number) => number,
): CohortRow {
  const { value, counts, leaking, slopes, quartilesPerHour: quartiles } = cohort;
  const aside = [
    counts.undecided > 0 ? `${formatNumber(counts.undecided)} undecided` : "",
    counts.unknown > 0 ? `${formatNumber(counts.unknown)} cannot say yet` : "",
  ];
  const points = (share: number) => 100 * share;
  const shift = slopes && formatEstimate(slopes.shiftPerHour, slopes.shiftCi95, unit, { signed: true });
  return {
    value,
    label: value ?? "not reported",
    fleetPath: fleetPathOf(attribute, value),
    nodes: formatNumber(counts.nodes),
    leaking:
      counts.leaking + counts.healthy === 0
        ? undefined
        : `${formatNumber(counts.leaking)} of ${formatNumber(counts.leaking + counts.healthy)}`,
    aside: aside.filter(Boolean).join(", "),
    dots: dotsOf(cohort, unit, at),
    box: quartiles ? [at(quartiles[0]), at(quartiles[1]), at(quartiles[2])] : undefined,
    median: quartiles ? growthText(quartiles[1], unit) : DASH,
    difference: leaking
      ? {
          value: formatSigned(points(leaking.difference)),
          interval: formatInterval([points(leaking.ci95[0]), points(leaking.ci95[1])]),
          pValue: pValueText(leaking.pValue),
        }
      : undefined,
    shift:
      slopes && shift
        ? { value: shift.value, interval: shift.interval, pValue: pValueText(slopes.pValue) }
        : undefined,
    superiority: slopes
      ? {
          value: formatNumber(slopes.superiority, 2),
          interval: formatInterval(slopes.superiorityCi95, 2),
          pValue: pValueText(slopes.pValue),
        }
      : undefined,
  };
}

function growthText(perHour: number, unit: DisplayUnit): string {
  const value = perHour / unit.size;
  return formatNumber(value, Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0);
}

function dotsOf(
  { nodes }: Selected["values"][number],
  unit: DisplayUnit,
  at: (perHour: number) => number,
): CohortDot[] {
  const sorted = nodes
    .flatMap((node) => (node.slopePerHour === null ? [] : [{ ...node, slopePerHour: node.slopePerHour }]))
    .sort((a, b) => a.slopePerHour - b.slopePerHour || a.nodeId - b.nodeId);
  // The last place that each row is taken up to.
  const taken = DOT_ROWS_PX.map(() => -Infinity);
  return sorted.map((node) => {
    const place = at(node.slopePerHour);
    const free = taken.findIndex((until) => place - until >= DOTS_APART);
    const row = free < 0 ? taken.indexOf(Math.min(...taken)) : free;
    taken[row] = place;
    return {
      nodeId: node.nodeId,
      title: `${node.name}: ${growthText(node.slopePerHour, unit)} ${unit.label}, ${trendVerdictText(node.verdict).word}`,
      kind: dotKind(node.verdict),
      at: place,
      offPx: DOT_ROWS_PX[row] ?? 0,
    };
  });
}

function dotKind(verdict: TrendVerdict | null): CohortDotKind {
  if (verdict === "leaking") return "leaking";
  return verdict === "flat" || verdict === "shrinking" ? "healthy" : "undecided";
}

function tableOf(selected: Selected, unit: DisplayUnit): PlainTable {
  return {
    columns: [
      selected.attribute,
      "nodes",
      "leaking",
      "healthy",
      "undecided",
      "cannot say",
      `median ${unit.label}`,
      "difference of shares",
      "difference low",
      "difference high",
      "p leaking, corrected",
      `shift ${unit.label}`,
      "shift low",
      "shift high",
      "superiority",
      "superiority low",
      "superiority high",
      "p slopes, corrected",
    ],
    rows: selected.values.map(({ value, counts, leaking, slopes, quartilesPerHour }) => {
      const scaled = (perHour: number | undefined) => (perHour === undefined ? null : perHour / unit.size);
      return [
        value ?? "",
        counts.nodes,
        counts.leaking,
        counts.healthy,
        counts.undecided,
        counts.unknown,
        scaled(quartilesPerHour?.[1]),
        leaking?.difference ?? null,
        leaking?.ci95[0] ?? null,
        leaking?.ci95[1] ?? null,
        leaking?.pValue ?? null,
        scaled(slopes?.shiftPerHour),
        scaled(slopes?.shiftCi95[0]),
        scaled(slopes?.shiftCi95[1]),
        slopes?.superiority ?? null,
        slopes?.superiorityCi95[0] ?? null,
        slopes?.superiorityCi95[1] ?? null,
        slopes?.pValue ?? null,
      ];
    }),
  };
}
