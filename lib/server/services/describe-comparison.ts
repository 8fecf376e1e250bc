import type { CompareQuery, ComparedSide, Comparison } from "#lib/contracts/compare.ts";
import { WARM_UP_MS } from "#lib/domain/analysis/boot-segments.ts";
import { compareSentence } from "#lib/domain/analysis/compare-sentence.ts";
import {
  commonStretch,
  compareMetric,
  type CompareDesign,
  type Contrast,
  type ComparedNode,
  type DifferenceInsufficient,
  type MetricDifference,
  type Stretch,
} from "#lib/domain/analysis/compare.ts";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import { lackingText } from "#lib/domain/analysis/lacking-text.ts";
import { formatDuration, formatNumber } from "#lib/domain/memory/quantity.ts";
import { isSimulated } from "#lib/domain/scenarios/simulated-label.ts";
import { isInsufficient, type Insufficient } from "#lib/domain/statistics/insufficient.ts";
import { scaledEnds } from "./analyse-metric.ts";
import type { ChosenSide, SideName } from "./choose-side.ts";
import { METRICS, NAMED_BANDS, TOTAL } from "./compared-metrics.ts";
import type { ReadNode, ReadSide } from "./read-compared-side.ts";

type Result = MetricDifference | DifferenceInsufficient | Insufficient;

/** Two sides that were read, as the contract has them. Pure. */
export function describeComparison(
  input: CompareQuery,
  chosen: Record<SideName, ChosenSide>,
  read: Record<SideName, ReadSide>,
): Comparison {
  const sidesOf = (key: string) => ({ a: metricOf(read.a, key), b: metricOf(read.b, key) });
  const fromMs = input.align === "mark" ? 0 : -Infinity;
  const compareWith = (warmUpMs: number) => {
    const stretch = commonStretch(sidesOf(TOTAL.key), { fromMs, warmUpMs });
    const results = METRICS.map(({ key }): Result =>
      isInsufficient(stretch) ? stretch : compareMetric(sidesOf(key), stretch, { warmUpMs }),
    );
    return { stretch, results };
  };
  const settled = compareWith(WARM_UP_MS);
  // Two boots of the same age warm up alike: then, and only then, the first hours may count where nothing else is there.
  const tooYoung =
    input.align === "boot" && settled.results[0] !== undefined && isInsufficient(settled.results[0]);
  const { stretch, results } = tooYoung ? compareWith(0) : settled;
  const common: Stretch | undefined = isInsufficient(stretch) ? undefined : stretch;
  const [total, ...bands] = METRICS.map(({ key, name }, index) => ({
    key,
    name,
    result: results[index] as Result,
  }));
  const bucketMs = bucketOf(read, input.points);
  return {
    align: input.align,
    a: describeSide("a", input.a, chosen.a, read.a, total?.result, bucketMs),
    b: describeSide("b", input.b, chosen.b, read.b, total?.result, bucketMs),
    bucketSeconds: bucketMs / 1000,
    common: common ?? null,
    differences: METRICS.map(({ key, label }, index) => ({
      metric: key,
      label,
      unit: "KiB" as const,
      ...describeResult(results[index] as Result),
    })),
    method: methodOf(total?.result),
    text:
      total === undefined
        ? ""
        : compareSentence(
            total,
            bands.filter(({ key }) => NAMED_BANDS.has(key)),
            input.align,
          ),
    notes: notesOf(chosen, read, { total: total?.result, tooYoung }),
  };
}

function metricOf({ nodes }: ReadSide, key: string): ComparedNode[] {
  return nodes.map(({ node, zeroMs, boots }) => ({
    nodeId: node.nodeId,
    originMs: zeroMs,
    boots: boots.get(key) ?? [],
  }));
}

/** One width for both sides: the widest that was read, widened until the longer side has no more than `points`. */
function bucketOf({ a, b }: Record<SideName, ReadSide>, points: number): number {
  const nodes = [...a.nodes, ...b.nodes];
  const widest = Math.max(1000, ...nodes.map(({ widthMs }) => widthMs));
  const starts = nodes.flatMap(({ startsMs }) => [startsMs[0] ?? 0, startsMs.at(-1) ?? 0]);
  const spanMs = starts.length === 0 ? 0 : Math.max(...starts) - Math.min(...starts);
  return widest * Math.max(1, Math.ceil(spanMs / widest / points));
}

function describeSide(
  side: SideName,
  terms: readonly string[],
  { label, matched }: ChosenSide,
  { nodes, leftOut }: ReadSide,
  total: Result | undefined,
  bucketMs: number,
): ComparedSide {
  const lacking = new Map(
    total !== undefined && "leftOut" in total
      ? total.leftOut.filter((each) => each.side === side).map(({ nodeId, why }) => [nodeId, why])
      : [],
  );
  const shown = nodes.filter(({ node }) => nodes.length === 1 || !lacking.has(node.nodeId));
  return {
    label,
    terms: [...terms],
    matched,
    nodes: shown.map(({ node, zeroMs, fromMs, toMs, rebootsMs }) => ({
      nodeId: node.nodeId,
      name: node.name,
      cluster: node.cluster,
      simulated: isSimulated(node),
      zeroAt: Math.round(zeroMs),
      from: Math.round(fromMs),
      to: Math.round(toMs),
      rebootsMs: rebootsMs.map(Math.round),
    })),
    leftOut: [
      ...leftOut,
      ...nodes.flatMap(({ node }) => {
        const why = lacking.get(node.nodeId);
        return why === undefined ? [] : [{ nodeId: node.nodeId, name: node.name, reason: lackingText(why) }];
      }),
    ],
    ...columnsOf(shown, bucketMs),
  };
}

/** Means over the nodes on a grid of the relative clock: first of each node's points in a bucket, then over nodes. */
function columnsOf(
  nodes: readonly ReadNode[],
  bucketMs: number,
): Pick<ComparedSide, "timesMs" | "counts" | "series"> {
  const placed = nodes.map(({ startsMs, widthMs }) =>
    startsMs.map((startMs) => Math.floor((startMs + widthMs / 2) / bucketMs)),
  );
  const buckets = [...new Set(placed.flat())].sort((x, y) => x - y);
  const meansOf = (key: string) => {
    const sums = new Map<number, { sum: number; nodes: number }>();
    nodes.forEach(({ values }, index) => {
      const own = new Map<number, { sum: number; points: number }>();
      values.get(key)?.forEach((value, point) => {
        const bucket = placed[index]?.[point];
        if (value === null || bucket === undefined) return;
        const { sum = 0, points = 0 } = own.get(bucket) ?? {};
        own.set(bucket, { sum: sum + value, points: points + 1 });
      });
      for (const [bucket, { sum, points }] of own) {
        const before = sums.get(bucket) ?? { sum: 0, nodes: 0 };
        sums.set(bucket, { sum: before.sum + sum / points, nodes: before.nodes + 1 });
      }
    });
    return buckets.map((bucket) => sums.get(bucket));
  };
  return {
    timesMs: buckets.map((bucket) => (bucket + 0.5) * bucketMs),
    counts: meansOf(TOTAL.key).map((each) => each?.nodes ?? 0),
    series: METRICS.map(({ key }) => ({
      metric: key,
      valuesKib: meansOf(key).map((each) => (each === undefined ? null : each.sum / each.nodes)),
    })),
  };
}

function describeResult(
  result: Result,
): Pick<Comparison["differences"][number], "level" | "slopePerHour" | "reason"> {
  if (isInsufficient(result)) {
    const side = "side" in result ? ` on side ${result.side.toUpperCase()}` : "";
    return { level: null, slopePerHour: null, reason: lackingText(result, side) };
  }
  return {
    level: describeContrast(result.level),
    slopePerHour: describeContrast(result.slopePerHour),
    reason: null,
  };
}

function describeContrast({ a, b, value, ci95 }: Contrast) {
  return {
    a: { ...a, ci95: scaledEnds(a.ci95) },
    b: { ...b, ci95: scaledEnds(b.ci95) },
    value,
    ci95: scaledEnds(ci95),
  };
}

const METHODS: Readonly<Record<CompareDesign, string>> = {
  nodes:
    "a line with AR(1) errors on each side (Prais-Winsten), Welch's t with the effective number of observations",
  pairs: "the difference of each node with itself, t for the number of nodes less one",
  cohorts: "each node is one observation, Welch's t over nodes",
  "shared-spread": "each node is one observation, both sides taken to spread alike, t over nodes",
};

function methodOf(total: Result | undefined): string {
  return total === undefined || isInsufficient(total) ? "" : METHODS[total.design];
}

function notesOf(
  chosen: Record<SideName, ChosenSide>,
  read: Record<SideName, ReadSide>,
  { total, tooYoung }: { total: Result | undefined; tooYoung: boolean },
): string[] {
  const notes = (["a", "b"] as const).flatMap((side) => {
    const { matched, used } = chosen[side];
    return matched > used.length
      ? [
          `Side ${side.toUpperCase()}: ${formatNumber(used.length, 0)} of ${formatNumber(matched, 0)} nodes ${used.length === 1 ? "was" : "were"} read, evenly spread by name.`,
        ]
      : [];
  });
  if (tooYoung && total !== undefined && !isInsufficient(total)) {
    notes.push(
      "The first 2 h after boot count here, because there is little else: both sides are of the same age.",
    );
  }
  for (const side of ["a", "b"] as const) {
    for (const [end, begins] of [
      ["startedAt", true],
      ["stoppedAt", false],
    ] as const) {
      const [first, ...others] = read[side].nodes.flatMap((each) =>
        each[end] === undefined ? [] : [{ name: each.node.name, ...each[end] }],
      );
      if (first === undefined) continue;
      const away = `${formatDuration(first.awayMs)} ${begins ? "before" : "after"} the mark, at its ${begins ? "mark before" : "next mark"}`;
      const more =
        others.length === 0
          ? ""
          : ` (and so ${formatNumber(others.length, 0)} more of its nodes, each at its own)`;
      notes.push(
        `Side ${side.toUpperCase()}: the window of ${isolatedText(first.name)} ${begins ? "begins" : "stops"} ${away} “${isolatedText(first.title)}”${more}; ${begins ? "before=6h in the address looks back farther" : "after=6h in the address looks on"}.`,
      );
    }
  }
  const overlapMs = Math.max(
    0,
    ...read.a.nodes.map((mine) => {
      const other = read.b.nodes.find(({ node }) => node.nodeId === mine.node.nodeId);
      return other === undefined ? 0 : Math.min(mine.toMs, other.toMs) - Math.max(mine.fromMs, other.fromMs);
    }),
  );
  if (overlapMs > 0) {
    notes.push(
      `The two windows of a node share ${formatDuration(overlapMs)}: the same samples stand on both sides, and intervals are too wide.`,
    );
  }
  if (total !== undefined && !isInsufficient(total) && total.design === "shared-spread") {
    notes.push(
      "One side has too few nodes to tell how much they differ; the other's spread stands for both.",
    );
  }
  return notes;
}
