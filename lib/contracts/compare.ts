import { z } from "zod";
import { describeAttribute } from "#lib/domain/analysis/node-attributes.ts";
import { interval, epochMs, rowId } from "./common.ts";
import { parseDurationMs, parseTime, resolveTimezone, MAX_RANGE_MS } from "./time-range.ts";

/** What the clock of both sides begins with. */
const alignment = z.enum(["time", "boot", "mark"]);

const term = z.string().min(1).max(800);
const bound = z.string().max(64).optional();

/** One node by its id, or a cohort: `kernelRelease=…`, `cluster=…`, `cgroupMode=…`, `version.<program>=…`, `label.<key>=…`. */
const side = z
  .union([term, z.array(term).min(1).max(40)], {
    error: "expected the id of a node, or attribute=value such as cluster=east",
  })
  .transform((each) => (Array.isArray(each) ? each : [each]))
  .meta({
    description:
      "Node id, repeated for several nodes (a=12&a=15); or attribute=value, repeated to narrow " +
      "(a=label.role%3Dworker&a=cluster%3Deast), with an attribute of cluster, kernelRelease, cgroupMode, " +
      "version.<program>, label.<key>, module.<name> (loaded or not loaded).",
  });

/**
 * Two sides and their clock. With `align=time` each side has a window, `from` to `to` or its own; with `boot` the newest boot
 * that began before `to`, for as long as `after` (24 h); with `mark` the time around `mark`, `before` and `after` it (6 h each, no
 * farther than the neighbouring deeds on the node, unless `before` or `after` says how far).
 */
export const compareQuery = z.object({
  a: side,
  b: side,
  align: alignment.default("time"),
  from: bound,
  to: bound,
  "a.from": bound,
  "a.to": bound,
  "b.from": bound,
  "b.to": bound,
  mark: rowId.optional(),
  "a.mark": rowId.optional(),
  "b.mark": rowId.optional(),
  before: z.string().max(20).optional(),
  after: z.string().max(20).optional(),
  timezone: z.string().max(64).optional(),
  points: z.coerce.number().int().min(2).max(600).default(300),
});

const estimate = z.strictObject({ value: z.number(), ci95: interval });

const contrast = z.strictObject({
  /** Of each side: its node's own, or the mean over its nodes with their spread. */
  a: estimate.extend({ nodes: z.int() }),
  b: estimate.extend({ nodes: z.int() }),
  /** Side B less side A. */
  value: z.number(),
  ci95: interval,
});

/** How one metric differs; level is the mean over the common stretch in `unit`, slope in `unit` per hour. */
const metricDifference = z.strictObject({
  metric: z.string(),
  label: z.string(),
  unit: z.literal("KiB"),
  level: contrast.nullable(),
  slopePerHour: contrast.nullable(),
  /** What is missing where nothing can be said. */
  reason: z.string().nullable(),
});

const comparedSide = z.strictObject({
  /** What is compared, in words: the node, the nodes, or the cohort. */
  label: z.string(),
  terms: z.array(z.string()),
  /** Nodes that fit; more than `nodes` and `leftOut` hold only beyond the most that are read. */
  matched: z.int(),
  nodes: z.array(
    z.strictObject({
      nodeId: z.int(),
      name: z.string(),
      cluster: z.string(),
      simulated: z.boolean(),
      /** Moment that the relative clock calls zero. */
      zeroAt: epochMs,
      from: epochMs,
      to: epochMs,
      /** Boots that begin inside, ms of the relative clock. */
      rebootsMs: z.array(z.number()),
    }),
  ),
  leftOut: z.array(z.strictObject({ nodeId: z.int(), name: z.string(), reason: z.string() })),
  /** Milliseconds after the zero of the relative clock, ascending. */
  timesMs: z.array(z.number()),
  /** How many nodes each mean is over. */
  counts: z.array(z.int()),
  series: z.array(z.strictObject({ metric: z.string(), valuesKib: z.array(z.number().nullable()) })),
});

/** Two sides on one relative clock, and how they differ. */
export const comparison = z.strictObject({
  align: alignment,
  a: comparedSide,
  b: comparedSide,
  /** Width of one point of the series. */
  bucketSeconds: z.number().positive(),
  /** Stretch of the relative clock that the differences are of; null when there is none. */
  common: z.strictObject({ fromMs: z.number(), toMs: z.number() }).nullable(),
  /** Unreclaimable kernel memory first, then the bands. */
  differences: z.array(metricDifference),
  method: z.string(),
  /** The sentence, with numbers. */
  text: z.string(),
  /** What a reader must know: nodes not read, windows that overlap, a warm-up that counts. */
  notes: z.array(z.string()),
});

export type CompareQuery = z.infer<typeof compareQuery>;
export type Comparison = z.infer<typeof comparison>;
export type ComparedSide = z.infer<typeof comparedSide>;

/** What a side asks for. */
export type SideChoice =
  | { readonly kind: "nodes"; readonly nodeIds: readonly number[] }
  | {
      readonly kind: "cohort";
      readonly attributes: readonly { readonly key: string; readonly value: string }[];
    };

/** A value, or which parameter is wrong and what was expected. */
type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly path: string; readonly message: string };

/** Most nodes that one side reads. */
export const MOST_NODES_OF_A_SIDE = 20;

/** Reads what a side names: ids or attributes, never both. `name` is the parameter. */
export function readSide(name: string, terms: readonly string[]): Read<SideChoice> {
  const wrong = (message: string) => ({ ok: false, path: name, message }) as const;
  const ids = terms.filter((each) => /^\d+$/.test(each));
  if (ids.length === terms.length) {
    const nodeIds = [...new Set(ids.map(Number))];
    if (!nodeIds.every((each) => rowId.safeParse(each).success)) return wrong("expected the id of a node");
    return nodeIds.length > MOST_NODES_OF_A_SIDE
      ? wrong(`expected at most ${MOST_NODES_OF_A_SIDE} nodes; name more of them by an attribute`)
      : { ok: true, value: { kind: "nodes", nodeIds } };
  }
  if (ids.length > 0) return wrong("expected node ids or attributes, not both");
  const attributes = terms.map((each) => {
    const at = each.indexOf("=");
    return { key: each.slice(0, Math.max(0, at)), value: each.slice(at + 1) };
  });
  return attributes.every(({ key }) => describeAttribute(key) !== undefined)
    ? { ok: true, value: { kind: "cohort", attributes } }
    : wrong(
        "expected a node id, or attribute=value with cluster, kernelRelease, cgroupMode, version.<program>, label.<key> or module.<name>",
      );
}

/** Where the data of one side lie, as the address says it. */
export type SideReach =
  | { readonly align: "time"; readonly fromMs: number; readonly toMs: number }
  | { readonly align: "boot"; readonly toMs: number; readonly afterMs: number }
  | {
      readonly align: "mark";
      readonly markId: number;
      readonly beforeMs: number;
      readonly afterMs: number;
      /** Nobody said how far to look back: the mark before on a node begins its window. */
      readonly startsAtPrevious: boolean;
      /** Nobody said how far to look: the next mark of a node ends its window. */
      readonly stopsAtNext: boolean;
    };

type ReachQuery = Omit<CompareQuery, "a" | "b" | "points">;

const WINDOW = { from: "now-6h", to: "now" } as const;
const AFTER_BOOT = "24h";
const AROUND_MARK = "6h";

/**
 * Reads the reach of both sides. A parameter that the alignment has no use for is refused, so that nobody believes in a window
 * that is not there.
 */
export function readReach(query: ReachQuery, nowMs: number): Read<{ a: SideReach; b: SideReach }> {
  const zone = resolveTimezone(query.timezone);
  if (zone === undefined) {
    return {
      ok: false,
      path: "timezone",
      message: "expected utc, browser or an IANA name such as Europe/Berlin",
    };
  }
  const useless = uselessParameter(query);
  if (useless !== undefined) return useless;
  const a = reachOf("a", query, { nowMs, zone });
  if (!a.ok) return a;
  const b = reachOf("b", query, { nowMs, zone });
  return b.ok ? { ok: true, value: { a: a.value, b: b.value } } : b;
}

const USED: Readonly<Record<ReachQuery["align"], readonly (keyof ReachQuery)[]>> = {
  time: ["from", "to", "a.from", "a.to", "b.from", "b.to"],
  boot: ["to", "a.to", "b.to", "after"],
  mark: ["mark", "a.mark", "b.mark", "before", "after"],
};

function uselessParameter(query: ReachQuery): { ok: false; path: string; message: string } | undefined {
  const used = USED[query.align];
  const all = [...new Set(Object.values(USED).flat())];
  const path = all.find((name) => query[name] !== undefined && !used.includes(name));
  return path === undefined
    ? undefined
    : {
        ok: false,
        path,
        message: `has no meaning with align=${query.align}, which takes ${used.join(", ")}`,
      };
}

function reachOf(
  name: "a" | "b",
  query: ReachQuery,
  clock: { nowMs: number; zone: string },
): Read<SideReach> {
  if (query.align === "mark") {
    const markId = query[`${name}.mark`] ?? query.mark;
    if (markId === undefined) return { ok: false, path: "mark", message: "expected the id of a mark" };
    const before = durationOf("before", query.before ?? AROUND_MARK);
    const after = durationOf("after", query.after ?? AROUND_MARK);
    if (!before.ok) return before;
    if (!after.ok) return after;
    return {
      ok: true,
      value: {
        align: "mark",
        markId,
        beforeMs: before.value,
        afterMs: after.value,
        startsAtPrevious: query.before === undefined,
        stopsAtNext: query.after === undefined,
      },
    };
  }
  const to = boundOf(name, "to", query, clock);
  if (!to.ok) return to;
  if (query.align === "boot") {
    const after = durationOf("after", query.after ?? AFTER_BOOT);
    return after.ok ? { ok: true, value: { align: "boot", toMs: to.value, afterMs: after.value } } : after;
  }
  const from = boundOf(name, "from", query, clock);
  if (!from.ok) return from;
  const own = query[`${name}.to`] ?? query[`${name}.from`];
  const path = own === undefined ? "to" : `${name}.to`;
  if (to.value <= from.value) return { ok: false, path, message: "expected a time after from" };
  return to.value - from.value > MAX_RANGE_MS
    ? { ok: false, path, message: "expected a window of at most ten years" }
    : { ok: true, value: { align: "time", fromMs: from.value, toMs: to.value } };
}

function boundOf(
  name: "a" | "b",
  end: "from" | "to",
  query: ReachQuery,
  { nowMs, zone }: { nowMs: number; zone: string },
): Read<number> {
  const own = query[`${name}.${end}`];
  const time = parseTime(own ?? query[end] ?? WINDOW[end], { nowMs, zone, roundUp: end === "to" });
  return time.ok
    ? { ok: true, value: time.timeMs }
    : { ok: false, path: own === undefined ? end : `${name}.${end}`, message: time.message };
}

function durationOf(path: string, text: string): Read<number> {
  const value = parseDurationMs(text);
  return value === undefined
    ? { ok: false, path, message: "expected a length of time such as 90m, 6h, 7d" }
    : { ok: true, value };
}
