import type { FleetNode } from "#lib/contracts/node.ts";
import { HEADLINE_METRICS, TREND_WINDOWS, type TrendWindow } from "#lib/domain/analysis/trend-windows.ts";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import { compareLeaks, compareTimeLeft } from "#lib/domain/analysis/ranking.ts";
import type { RankedTrend } from "#lib/domain/analysis/ranking.ts";
import {
  DASH,
  KIB_PER_GIB,
  KIB_PER_MIB,
  formatCountGrowth,
  formatDuration,
  formatGrowth,
  formatNumber,
  formatShare,
} from "./format.ts";
import type { EstimateText } from "./format.ts";
import { formatCount, formatDurationEnds } from "#lib/domain/memory/quantity.ts";
import { comesByPrometheus } from "#lib/domain/prometheus/node-identity.ts";
import { findingBadge } from "./finding-model.ts";
import type { FindingBadge } from "./finding-model.ts";
import { sparkline } from "./sparkline.ts";
import type { Sparkline } from "./sparkline.ts";
import { LEAST_MEMORY_SPAN_KIB } from "./value-axis.ts";
import { trendVerdictText } from "./verdict.ts";
import { readWord } from "./view-address.ts";
import type { AddressFault } from "./view-address.ts";
import type { TrendVerdict, VerdictText } from "./verdict.ts";

/** What to do with a node, most urgent first. */
export type FleetGroup = "now" | "leaking" | "growing" | "unknown" | "calm";

/** Heads of the groups, in their order. */
export const FLEET_GROUPS: readonly { readonly key: FleetGroup; readonly title: string }[] = [
  { key: "now", title: "Out of a resource now, or within 24 h" },
  { key: "leaking", title: "Leaking, ranked by the lower end of the interval" },
  { key: "growing", title: "Growing, not yet certain" },
  { key: "unknown", title: "Cannot say" },
  { key: "calm", title: "Not leaking" },
];

/** A metric that the fleet can be ranked by. */
export interface FleetMetric {
  readonly key: string;
  readonly label: string;
  /** What a leaking node does, in a sentence: "leaks kernel memory"; what it does not: "leak kernel memory". */
  readonly leaks: string;
  readonly leak: string;
  /** Unit of its growth. */
  readonly unit: "MiB/h" | "an hour";
}

const METRIC_TEXTS: Readonly<Record<(typeof HEADLINE_METRICS)[number], readonly [string, string]>> = {
  "total.kernelUnreclaimable": ["kernel, unreclaimable", "kernel memory"],
  "total.kernelNoncache": ["kernel, non-cache (smem)", "non-cache kernel memory"],
  "band.sunrecl": ["slab, unreclaimable", "unreclaimable slab"],
  "band.percpu": ["percpu", "percpu memory"],
  "band.unacc": ["unaccounted", "unaccounted memory"],
  "band.shmem": ["shmem, tmpfs", "shared memory"],
  "cgroup.memory.count": ["memory cgroups", "memory cgroups"],
  "cgroup.memory.live": ["memory cgroups, live", "live memory cgroups"],
  "cgroup.memory.dying": ["memory cgroups, dying", "dying memory cgroups"],
};

/** The metrics to choose from, that of the page's own question first. */
export const FLEET_METRICS: readonly FleetMetric[] = HEADLINE_METRICS.map((key) => {
  const [label, what] = METRIC_TEXTS[key];
  return key.startsWith("cgroup.")
    ? { key, label, leaks: `has ever more ${what}`, leak: `have ever more ${what}`, unit: "an hour" }
    : { key, label, leaks: `leaks ${what}`, leak: `leak ${what}`, unit: "MiB/h" };
});

/** Which trends the fleet page shows. */
export interface FleetShown {
  readonly metric: FleetMetric;
  readonly window: TrendWindow;
}

/** Reads which trends an address asks for; what it does not say, or says wrongly, is kernel memory over 24 h. */
export function fleetShown(address: { metric?: unknown; window?: unknown } = {}): FleetShown {
  const [first] = FLEET_METRICS;
  if (first === undefined) throw new RangeError("there is no metric to rank by");
  return {
    metric: FLEET_METRICS.find(({ key }) => key === address.metric) ?? first,
    window: TREND_WINDOWS.find((window) => window === address.window) ?? "24h",
  };
}

/** What of an address of the fleet page cannot be shown; {@link fleetShown} and the order by urgency stand in for it. */
export function fleetAddressFaults(parameter: (name: string) => string | undefined): AddressFault[] {
  const faults: AddressFault[] = [];
  readWord(
    "metric",
    parameter("metric"),
    FLEET_METRICS.map(({ key }) => key),
    faults,
  );
  readWord("window", parameter("window"), TREND_WINDOWS, faults);
  readWord("sort", parameter("sort"), FLEET_SORTS, faults);
  readWord("order", parameter("order"), ["asc", "desc"], faults);
  return faults;
}

/** A node as the fleet page draws it: plain values to sort by and texts to print. Small enough to send by thousands. */
export interface FleetRow {
  readonly nodeId: number;
  readonly name: string;
  readonly cluster: string;
  readonly group: FleetGroup;
  readonly verdict: VerdictText;
  readonly trendVerdict: TrendVerdict | null;
  readonly growth: EstimateText | undefined;
  /** Estimate, lower and upper end: MiB/h, or a number an hour where the metric is a count. */
  readonly growthRate: readonly [number, number, number] | undefined;
  /** What runs out first, and in `all` everything that does. */
  readonly left:
    | { readonly text: string; readonly what: string; readonly interval: string; readonly all: string }
    | undefined;
  readonly leftMs: number | undefined;
  readonly spark: Sparkline;
  readonly kernelKib: number | undefined;
  readonly kernelGib: string;
  /** Parts of MemTotal, 0 to 1: what cannot be reclaimed by the kernel, what programs hold, what can be given back. */
  readonly memory: { readonly kernel: number; readonly programs: number; readonly cache: number };
  readonly memoryText: string;
  readonly memTotalKib: number;
  readonly containersPerHour: number | undefined;
  readonly containersText: string;
  readonly cgroups: {
    readonly live: string;
    readonly dying: string;
    /** Parts of the limit on ids, 0 to 1. */
    readonly liveShare: number;
    readonly dyingShare: number;
    /** All that the kernel counts, where nobody says which of them are dying; and its part of the limit on ids, if they hold them. */
    readonly counted: number | undefined;
    readonly countedShare: number;
    readonly near: boolean;
    readonly known: boolean;
    readonly holdsIds: boolean;
  };
  readonly cgroupCount: number | undefined;
  readonly kernel: string;
  readonly runtime: string;
  readonly blind: readonly string[];
  readonly silent: boolean;
  readonly conflict: boolean;
  readonly lastSeenAt: number;
  /** What the name is tagged with, where the node does not report itself. */
  readonly origin: string | undefined;
  /** Known leaks that were found on it; undefined when there are none. */
  readonly findings: FindingBadge | undefined;
  /** Lower case; what the filter searches. */
  readonly searchText: string;
}

/** Where the numbers of a node come from when it is not from a collector of its own: made up, or by way of Prometheus. */
export function originOf({ labels, simulated }: Pick<FleetNode, "labels" | "simulated">): string | undefined {
  if (simulated) return "simulated";
  return comesByPrometheus(labels) ? "Prometheus" : undefined;
}

/** Size of the sparkline of a fleet row, pixels. */
export const FLEET_SPARK = { widthPx: 72, heightPx: 20, least: LEAST_MEMORY_SPAN_KIB } as const;

const DAY_MS = 24 * 3_600_000;

const RUNTIMES = ["cri-o", "crio", "containerd", "docker", "dockerd", "podman"];

function runtimeOf(versions: Readonly<Record<string, string>>): string {
  const named = new Map(Object.entries(versions).map(([name, version]) => [name.toLowerCase(), version]));
  return [...RUNTIMES, "runc", "crun"]
    .filter((name) => named.has(name))
    .map((name) => `${name} ${named.get(name) ?? ""}`)
    .join(", ");
}

/** `13–15 h`, `41 h–2 d`, and `13 h or more` for an open end. */
function durationRange(fromMs: number, toMs: number | undefined): string {
  if (toMs === undefined) return `${formatDuration(Math.max(0, fromMs))} or more`;
  const [from, to] = formatDurationEnds(Math.max(0, fromMs), Math.max(0, toMs));
  const [fromUnit, toUnit] = [from, to].map((text) => /^[\d.,]+ (\S+)$/.exec(text)?.[1]);
  return fromUnit !== undefined && fromUnit === toUnit
    ? `${from.split(" ")[0]}${DASH}${to}`
    : `${from}${DASH}${to}`;
}

function groupOf(node: FleetNode, leftMs: number | undefined): FleetGroup {
  const verdict = node.trend?.verdict ?? "insufficient";
  const exhausted = (node.cgroups.idsHeld ?? 0) >= node.cgroups.idLimit;
  if (exhausted || (leftMs !== undefined && leftMs < DAY_MS)) return "now";
  if (verdict === "leaking") return "leaking";
  const fell = verdict === "stepped" && (node.trend?.slopePerHour ?? 0) <= 0;
  if (verdict === "growing" || (verdict === "stepped" && !fell) || verdict === "levelling-off")
    return "growing";
  return verdict === "insufficient" || node.silent ? "unknown" : "calm";
}

function memoryOf(node: FleetNode): FleetRow["memory"] {
  const total = Math.max(1, node.memTotalKib);
  const band = (key: string) => Math.max(0, node.bands[key] ?? 0);
  return {
    kernel: Math.max(0, node.kernelUnreclaimableKib ?? 0) / total,
    programs: (band("anon") + band("shmem") + band("hugetlb")) / total,
    cache: (band("file") + band("buffers") + band("srecl")) / total,
  };
}

function cgroupsOf(node: FleetNode): FleetRow["cgroups"] {
  const { live, dying, count, idsHeld, idLimit } = node.cgroups;
  // Without either the kernel's count is of live and dying together.
  const liveCount = live ?? (dying !== null && count !== null ? count - dying : null);
  const counted = liveCount === null && dying === null && count !== null ? count : undefined;
  const holdsIds = idsHeld !== null && liveCount !== null && idsHeld > liveCount;
  const dyingHeld = holdsIds ? idsHeld - liveCount : 0;
  return {
    live: liveCount === null ? "not read" : formatNumber(liveCount),
    dying: dying === null ? "not read" : formatNumber(dying),
    liveShare: Math.min(1, (liveCount ?? 0) / idLimit),
    dyingShare: Math.min(1, dyingHeld / idLimit),
    counted,
    countedShare: counted === undefined ? 0 : Math.min(1, (idsHeld ?? 0) / idLimit),
    near: (idsHeld ?? 0) > 50_000,
    known: liveCount !== null || dying !== null || counted !== undefined,
    holdsIds,
  };
}

/** Prepares one row of the fleet. `nowMs` is the clock of the server that read the list. */
export function fleetRow(node: FleetNode, nowMs: number): FleetRow {
  const { trend } = node;
  const ends = (node.timeLeft ?? []).map((end) => ({
    leftMs: end.at - nowMs,
    text: formatDuration(Math.max(0, end.at - nowMs)),
    what: end.what,
    interval: durationRange(end.ci95[0] - nowMs, end.ci95[1] === null ? undefined : end.ci95[1] - nowMs),
  }));
  const [end] = ends;
  const leftMs = end?.leftMs;
  const memoryLike = trend?.unit === "KiB";
  const scale = memoryLike ? KIB_PER_MIB : 1;
  const growthRate =
    trend && trend.slopePerHour !== null && trend.ci95
      ? ([trend.slopePerHour / scale, trend.ci95[0] / scale, trend.ci95[1] / scale] as const)
      : undefined;
  const memory = memoryOf(node);
  const runtime = runtimeOf(node.versions);
  const kernelKib = node.kernelUnreclaimableKib ?? undefined;
  const kernelGib = (kernelKib ?? 0) / KIB_PER_GIB;
  const exhausted = (node.cgroups.idsHeld ?? 0) >= node.cgroups.idLimit;
  return {
    nodeId: node.nodeId,
    name: node.name,
    cluster: node.cluster,
    group: groupOf(node, leftMs),
    verdict: exhausted
      ? { word: "out of cgroup ids", tone: "leaking" }
      : trendVerdictText(trend?.verdict ?? null),
    trendVerdict: trend?.verdict ?? null,
    growth:
      trend && trend.slopePerHour !== null && trend.ci95
        ? memoryLike
          ? formatGrowth(trend.slopePerHour, trend.ci95)
          : formatCountGrowth(trend.slopePerHour, trend.ci95)
        : undefined,
    growthRate,
    left: end && {
      text: end.text,
      what: end.what,
      interval: end.interval,
      all: ends.map(({ what, text, interval }) => `${what}: ${text} (${interval})`).join("; "),
    },
    leftMs,
    spark: sparkline(node.sparkline.timesMs, node.sparkline.valuesKib, FLEET_SPARK),
    kernelKib,
    kernelGib: kernelKib === undefined ? "not known" : formatNumber(kernelGib, kernelGib < 10 ? 2 : 1),
    memory,
    memoryText: `of ${formatNumber(node.memTotalKib / KIB_PER_GIB, 1)} GiB: kernel, unreclaimable ${formatShare(memory.kernel)}, programs ${formatShare(memory.programs)}, cache ${formatShare(memory.cache)}`,
    memTotalKib: node.memTotalKib,
    containersPerHour: node.containersPerHour ?? undefined,
    containersText:
      node.containersPerHour === null
        ? "not known"
        : formatNumber(node.containersPerHour, node.containersPerHour < 10 ? 1 : 0),
    cgroups: cgroupsOf(node),
    cgroupCount: node.cgroups.count ?? node.cgroups.live ?? undefined,
    kernel: node.kernelRelease,
    runtime,
    blind: node.blindSources,
    silent: node.silent,
    conflict: node.conflict,
    lastSeenAt: node.lastSeenAt,
    origin: originOf(node),
    findings: findingBadge(node.findings),
    searchText: [
      node.name,
      node.cluster,
      node.kernelRelease,
      runtime,
      trendVerdictText(trend?.verdict ?? null).word,
      ...node.findings.flatMap(({ signature, name }) => [signature, name]),
      ...node.blindSources.map((source) => `blind:${source}`),
      ...Object.entries(node.labels).map(([key, value]) => `${key}=${value}`),
    ]
      .join("\n")
      .toLowerCase(),
  };
}

/** Columns that the fleet can be sorted by; `urgency` keeps the groups. */
export const FLEET_SORTS = [
  "urgency",
  "name",
  "verdict",
  "growth",
  "left",
  "kernel",
  "memory",
  "cgroups",
  "containers",
  "release",
  "runtime",
  "blind",
  "seen",
] as const;
/** One of {@link FLEET_SORTS}. */
export type FleetSort = (typeof FLEET_SORTS)[number];

/** Column and direction. */
export interface FleetOrder {
  readonly sort: FleetSort;
  readonly descending: boolean;
}

/** The direction that a first press on a head asks for: largest growth first, names from A. */
export function firstDirection(sort: FleetSort): boolean {
  return !["urgency", "name", "verdict", "left", "release", "runtime", "seen"].includes(sort);
}

type Key = number | string | undefined;

function keyOf(row: FleetRow, sort: FleetSort): Key {
  switch (sort) {
    case "urgency":
      return FLEET_GROUPS.findIndex((each) => each.key === row.group);
    case "name":
      return row.name;
    case "verdict":
      return FLEET_GROUPS.findIndex((each) => each.key === row.group) * 10 + row.verdict.word.length / 100;
    case "growth":
      return row.growthRate?.[1];
    case "left":
      return row.leftMs;
    case "kernel":
      return row.kernelKib;
    case "memory":
      return row.memory.kernel + row.memory.programs;
    case "cgroups":
      return row.cgroupCount;
    case "containers":
      return row.containersPerHour;
    case "release":
      return row.kernel;
    case "runtime":
      return row.runtime === "" ? undefined : row.runtime;
    case "blind":
      return row.blind.length;
    case "seen":
      return -row.lastSeenAt;
  }
}

function compare(a: Key, b: Key): number {
  if (typeof a === "string" && typeof b === "string")
    return a.localeCompare(b, "en", { numeric: true, sensitivity: "base" });
  return typeof a === "number" && typeof b === "number" ? a - b : 0;
}

/** Rows that contain every word of the filter. */
export function filterFleet(rows: readonly FleetRow[], filter: string): readonly FleetRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0
    ? rows
    : rows.filter((row) => words.every((word) => row.searchText.includes(word)));
}

function rankedTrend({ trendVerdict, growthRate }: FleetRow): RankedTrend | null {
  if (trendVerdict === null) return null;
  const [slopePerHour, ...ci95] = growthRate ?? [null];
  return { verdict: trendVerdict, slopePerHour, ci95: ci95.length === 2 ? ci95 : null };
}

/** Rows in order. Unknown values come last in either direction; ties go by the certain growth, then by name. */
export function sortFleet(rows: readonly FleetRow[], order: FleetOrder): FleetRow[] {
  return rows.toSorted((a, b) => {
    const [left, right] = [keyOf(a, order.sort), keyOf(b, order.sort)];
    if (left === undefined || right === undefined) {
      if (left !== right) return left === undefined ? 1 : -1;
    } else {
      const difference = compare(left, right) * (order.descending ? -1 : 1);
      if (difference !== 0) return difference;
    }
    if (order.sort === "urgency") {
      const sooner = a.group === "now" ? compareTimeLeft(a.leftMs, b.leftMs) : 0;
      const surer = sooner || compareLeaks(rankedTrend(a), rankedTrend(b));
      if (surer !== 0) return surer;
    }
    const growth = (b.growthRate?.[1] ?? -Infinity) - (a.growthRate?.[1] ?? -Infinity);
    if (growth !== 0 && !Number.isNaN(growth)) return growth;
    return compare(a.name, b.name) || a.nodeId - b.nodeId;
  });
}

/** The answer of the fleet in one sentence, and what follows from it. */
export interface FleetAnswer {
  readonly sentence: string;
  readonly below: string;
  /** Some nodes leak and some do not, so that they can be compared. */
  readonly comparable: boolean;
  /** Nodes to drain first, soonest end first. */
  readonly first: readonly {
    readonly nodeId: number;
    readonly name: string;
    readonly left: string;
    readonly interval: string;
    readonly what: string;
  }[];
}

const isJudged = ({ trendVerdict }: FleetRow) => trendVerdict !== null && trendVerdict !== "insufficient";
const nodes = (count: number) => formatCount(count, "node");
const oneOf = (count: number, total: number) =>
  total === 1 ? "The only node" : `${formatNumber(count)} of ${formatNumber(total)} nodes`;

function leakingSentence(leaking: readonly FleetRow[], total: number, { metric }: FleetShown): string {
  const worst = leaking[0];
  if (!worst?.growthRate)
    return `${oneOf(leaking.length, total)} ${leaking.length === 1 ? "leaks" : "leak"}.`;
  const rate = `${worst.growth?.value} ${metric.unit} (95\u00a0%: ${worst.growth?.interval})`;
  const name = isolatedText(worst.name);
  if (total === 1)
    return `${name} ${metric === FLEET_METRICS[0] ? "leaks unreclaimable kernel memory" : metric.leaks}: ${rate}.`;
  return leaking.length === 1
    ? `1 of ${formatNumber(total)} nodes leaks: ${name} grows ${rate}.`
    : `${oneOf(leaking.length, total)} leak; ${name} grows fastest, ${rate}.`;
}

function tooEarlySentence(total: number, silent: number): string {
  if (silent === 0)
    return `${nodes(total)} ${total === 1 ? "reports" : "report"}; it is too early to say whether ${total === 1 ? "it leaks" : "any leaks"}.`;
  const whether = total === 1 ? "it leaks" : "any leaks";
  if (silent === total)
    return `${total === 1 ? "The only node is" : `All ${nodes(total)} are`} silent, and sent too little to say whether ${whether}.`;
  const reporting = total - silent;
  return `Of ${nodes(total)} ${formatNumber(reporting)} ${reporting === 1 ? "reports" : "report"} and ${formatNumber(silent)} ${silent === 1 ? "is" : "are"} silent; it is too early to say whether ${whether}.`;
}

/** `24 h`. */
export function windowText(window: TrendWindow): string {
  return `${window.slice(0, -1)}\u00a0${window.slice(-1)}`;
}

/** Says which nodes leak, how fast and what runs out first. Undefined for a fleet without nodes. */
export function fleetAnswer(
  rows: readonly FleetRow[],
  shown: FleetShown = fleetShown(),
): FleetAnswer | undefined {
  const { leaks, leak } = shown.metric;
  if (rows.length === 0) return undefined;
  const total = rows.length;
  const leaking = sortFleet(
    rows.filter((row) => row.trendVerdict === "leaking"),
    { sort: "growth", descending: true },
  );
  const first = rows
    // What is silent cannot be drained on what it said last.
    .filter((row) => row.left !== undefined && !row.silent)
    .toSorted((a, b) => compareTimeLeft(a.leftMs, b.leftMs))
    .slice(0, 5)
    .map((row) => ({
      nodeId: row.nodeId,
      name: row.name,
      left: row.left?.text ?? "",
      interval: row.left?.interval ?? "",
      what: row.left?.what ?? "",
    }));
  const growing = rows.filter((row) => row.group === "growing").length;
  // As the rows are grouped: what is silent and did not leak when last heard cannot be judged now.
  const notJudged = rows.filter((row) => row.group === "unknown");
  const unknown = notJudged.length;
  const heardCalm = notJudged.filter((row) => row.silent && isJudged(row)).length;
  const silent = rows.filter((row) => row.silent).length;
  const blind = rows.filter((row) => row.blind.length > 0).length;

  let sentence: string;
  const soonest = first[0];
  if (leaking.length > 0) {
    const soon =
      soonest && (rows.find((row) => row.nodeId === soonest.nodeId)?.leftMs ?? Infinity) < DAY_MS
        ? `${isolatedText(soonest.name)} runs out of ${soonest.what} in ${soonest.left} (${soonest.interval}). `
        : "";
    sentence = soon + leakingSentence(leaking, total, shown);
  } else if (unknown === total && heardCalm === 0) {
    sentence = tooEarlySentence(total, silent);
  } else if (total === 1) {
    const name = isolatedText(rows[0]?.name ?? "");
    sentence =
      silent === 1
        ? `${name} is silent; it did not ${leak} when last heard.`
        : growing === 1
          ? `${name} grows; it is not yet certain that it ${leaks}.`
          : `${name} does not ${leak}.`;
  } else if (growing > 0) {
    sentence = `${oneOf(growing, total)} ${growing === 1 ? "grows" : "grow"}; it is not yet certain that any leaks.`;
  } else if (unknown === total) {
    const heard =
      heardCalm === total
        ? `all are silent and did not when last heard`
        : `${formatNumber(heardCalm)} ${heardCalm === 1 ? "is" : "are"} silent and did not when last heard, ${formatNumber(total - heardCalm)} sent too little`;
    sentence = `Of ${formatNumber(total)} nodes, none can be judged to ${leak} or not: ${heard}.`;
  } else if (unknown === 0) {
    sentence = `None of ${formatNumber(total)} nodes ${leaks}.`;
  } else {
    sentence = `Of ${formatNumber(total)} nodes, ${formatNumber(total - unknown)} can be judged: none ${leaks}.`;
  }
  const asUsual = shown.metric === FLEET_METRICS[0] && shown.window === "24h";
  const parts = [
    asUsual ? "" : `Judged by ${shown.metric.label} over ${windowText(shown.window)}`,
    growing > 0 && leaking.length > 0
      ? `${nodes(growing)} ${growing === 1 ? "grows" : "grow"}, not yet certain`
      : "",
    unknown > 0 && unknown < total ? `${nodes(unknown)} cannot be judged${heardCalm > 0 ? "" : " yet"}` : "",
    silent > 0 && !/ silent[;, ]/.test(sentence)
      ? `${nodes(silent)} ${silent === 1 ? "is" : "are"} silent`
      : "",
    blind > 0 ? `${nodes(blind)} cannot read every source` : "",
  ].filter(Boolean);
  const comparable = leaking.length > 0 && leaking.length < total;
  return { sentence, comparable, below: parts.length > 0 ? `${parts.join("; ")}.` : "", first };
}
