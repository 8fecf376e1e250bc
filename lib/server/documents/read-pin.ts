import { findingVerdict, standingText } from "#lib/charts/finding-model.ts";
import { FLEET_SORTS, filterFleet, sortFleet } from "#lib/charts/fleet-model.ts";
import { formatMoment } from "#lib/charts/format-time.ts";
import { EFFECT_REACH_MS, POINTS } from "#lib/charts/node-data.ts";
import { effectFigure } from "#lib/charts/pin-reading.ts";
import type {
  CloserReading,
  EffectFigure,
  EffectReading,
  PinnedNode,
  PinReading,
} from "#lib/charts/pin-reading.ts";
import {
  MOST_CHARTED,
  chartedCaches,
  readSlabAddress,
  slabCsv,
  slabMetrics,
} from "#lib/charts/slab-model.ts";
import { zoneOf } from "#lib/charts/view-address.ts";
import type { TimeWindow } from "#lib/charts/view-address.ts";
import type { Pin } from "#lib/contracts/investigation.ts";
import { readPinAddress } from "#lib/contracts/pin-address.ts";
import { compositionMode } from "#lib/contracts/series.ts";
import type { MetricSeries } from "#lib/contracts/series.ts";
import type { SlabGrowth } from "#lib/contracts/slab.ts";
import { explainDump } from "#lib/domain/diagnosis/explain.ts";
import { DEFAULT_DRIVER, DEFAULT_METRIC } from "#lib/domain/memory/metrics.ts";
import { AppError } from "#lib/errors.ts";
import { logger } from "#lib/server/log.ts";
import type { Context } from "#lib/server/services/context.ts";
import { getComposition } from "#lib/server/services/get-composition.ts";
import { getCorrelation } from "#lib/server/services/get-correlation.ts";
import { getEffect } from "#lib/server/services/get-effect.ts";
import { getSeries } from "#lib/server/services/get-series.ts";
import { getSlabGrowth } from "#lib/server/services/get-slab-growth.ts";
import { getTrend } from "#lib/server/services/get-trend.ts";
import { listAnnotations } from "#lib/server/services/list-annotations.ts";
import { listEffects } from "#lib/server/services/list-effects.ts";
import { getNode } from "#lib/server/services/list-nodes.ts";
import { findVisibleAnnotation } from "#lib/server/services/find-editable-annotation.ts";
import { readCohorts } from "./read-cohorts.ts";
import { readComparison } from "./read-comparison.ts";
import { readExperiments } from "./read-experiments.ts";
import { readFindings } from "./read-findings.ts";
import { readFleet } from "./read-fleet.ts";

/** Rows of a list that a pin shows. */
const MOST_ROWS = 25;

/** Who reads and when, and after what time without a snapshot a node is silent. */
export interface Reader {
  readonly ctx: Context;
  readonly silentAfterMs: number;
  /** What times are said in relation to: those of the same day without the day, those of the same year without the year. */
  readonly nowMs: number;
}

/** Reads what a pinned view shows. Never throws: a view that cannot be read says why, and leaves the others alone. */
export function readPin(reader: Reader, pin: Pin): Promise<PinReading> {
  return orWhy(pinReading(reader, pin), "pin", (message) => ({ kind: "unreadable", message }));
}

/**
 * Reads the points of a pinned chart within a part of its window, as fine as they are kept. Nothing outside the pinned window is
 * read. Never throws.
 */
export function readCloser({ ctx }: Reader, pin: Pin, part: TimeWindow): Promise<CloserReading> {
  return orWhy(closerReading(ctx, pin, part), "closer", (message) => ({ kind: "unreadable", message }));
}

/** Reads what a mark did; on the node that is named, or on the first of `nodeIds` that it concerns. Never throws. */
export function readEffect(
  reader: Reader,
  annotationId: number,
  nodeId: number | undefined,
  nodeIds: readonly number[],
): Promise<EffectReading> {
  return orWhy(effectReading(reader, annotationId, nodeId, nodeIds, {}), "effect", (message) => ({
    message,
  }));
}

async function orWhy<Data, Fault>(
  reading: Promise<Data>,
  name: string,
  why: (message: string) => Fault,
): Promise<Data | Fault> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError) return why(error.message);
    logger("pages").error({ err: error, part: name }, "a pinned view failed");
    return why("It could not be read; the log of the server says why.");
  }
}

async function pinReading(reader: Reader, pin: Pin): Promise<PinReading> {
  if (pin.kind === "dump") return readDump(pin.content ?? "");
  const target = readPinAddress(pin.address);
  if (target === undefined) return { kind: "unreadable", message: "Its address is none of this product." };
  const { where, parameters } = target;
  const given = Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name)]));
  const { ctx } = reader;
  const parameter = (name: string) => given[name]?.[0];
  switch (where.page) {
    case "compare": {
      const result = await readComparison(ctx, firsts(given));
      if (result.kind === "compared")
        return { kind: "comparison", comparison: result.data, band: parameters.get("band") ?? undefined };
      return {
        kind: "unreadable",
        message: result.kind === "wrong" ? result.message : "Its address names no side.",
      };
    }
    case "cohorts": {
      const page = await readCohorts(ctx, parameter);
      return page.ok ? { kind: "cohorts", model: page.model } : { kind: "unreadable", message: page.message };
    }
    case "experiments":
      return experimentsReading(ctx, parameter);
    case "findings":
      return findingsReading(reader, parameter);
    case "fleet":
      return fleetReading(reader, parameter);
    case "slab":
      return slabReading(reader, pin, where.nodeId, parameters);
    case "node":
      return nodeReading(reader, pin, where.nodeId, parameters);
  }
}

/** A parameter that is given once is a text, as the pages have it. */
function firsts(given: Readonly<Record<string, string[]>>): Record<string, string | string[] | undefined> {
  return Object.fromEntries(
    Object.entries(given).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

function pinnedWindow(parameters: URLSearchParams): TimeWindow {
  return { fromMs: Number(parameters.get("from")), toMs: Number(parameters.get("to")) };
}

async function closerReading(ctx: Context, pin: Pin, part: TimeWindow): Promise<CloserReading> {
  const target = readPinAddress(pin.address);
  const page = target?.where.page;
  if (target === undefined || pin.kind !== "chart" || (page !== "node" && page !== "slab"))
    throw new AppError("invalid", "Only a chart of a node has finer points.");
  const { where, parameters } = target;
  const whole = pinnedWindow(parameters);
  const range = {
    nodeId: where.nodeId,
    fromMs: Math.max(part.fromMs, whole.fromMs),
    toMs: Math.min(part.toMs, whole.toMs),
  };
  // Also where a number is none.
  if (!(range.toMs > range.fromMs)) throw new AppError("invalid", "It lies outside the pinned window.");
  if (where.page === "node") {
    const composition = await getComposition({ ctx, input: { ...range, points: POINTS } });
    return { kind: "composition", composition };
  }
  const growth = await getSlabGrowth({ ctx, input: { ...range, ...whole } });
  return { kind: "caches", series: await cacheSeries(ctx, range, charted(parameters, growth)) };
}

async function openNode({ ctx, silentAfterMs, nowMs }: Reader, nodeId: number, parameters: URLSearchParams) {
  const node = await getNode({ ctx, input: { nodeId, silentAfterMs } });
  const window = pinnedWindow(parameters);
  const range = { nodeId, ...window };
  const { annotations } = await listAnnotations({ ctx, input: range });
  const pinned: PinnedNode = {
    nodeId,
    name: node.name,
    window,
    zone: zoneOf(parameters.get("timezone") ?? "utc", "UTC"),
    readAtMs: nowMs,
    annotations,
  };
  return { ctx, range, pinned };
}

async function nodeReading(
  reader: Reader,
  pin: Pin,
  nodeId: number,
  parameters: URLSearchParams,
): Promise<PinReading> {
  if (pin.kind === "effect")
    return {
      kind: "effect",
      figure: await effectReading(reader, Number(parameters.get("effect")), nodeId, [], {
        zone: zoneOf(parameters.get("timezone") ?? "utc", "UTC"),
        address: pin.address,
      }),
    };
  const { ctx, range, pinned } = await openNode(reader, nodeId, parameters);
  if (pin.kind === "scatter") {
    const driver = parameters.get("driver") ?? DEFAULT_DRIVER;
    const correlation = await getCorrelation({ ctx, input: { ...range, metric: DEFAULT_METRIC, driver } });
    const { name: nodeName, zone, readAtMs } = pinned;
    return { kind: "scatter", nodeName, correlation, zone, readAtMs };
  }
  const { effects } = await listEffects({
    ctx,
    input: {
      ...range,
      metric: DEFAULT_METRIC,
      beforeMs: EFFECT_REACH_MS,
      afterMs: EFFECT_REACH_MS,
      zone: pinned.zone,
      silentAfterMs: reader.silentAfterMs,
    },
  });
  if (pin.kind === "table") return { kind: "effects", node: pinned, effects };
  const [composition, trend] = await Promise.all([
    getComposition({ ctx, input: { ...range, points: POINTS } }),
    getTrend({ ctx, input: { ...range, metric: DEFAULT_METRIC } }),
  ]);
  const view = parameters.get("view");
  const at = Number(parameters.get("at") ?? NaN);
  return {
    kind: "composition",
    node: pinned,
    mode: compositionMode.options.find((each) => each === view),
    atMs: Number.isFinite(at) ? at : undefined,
    composition,
    effects,
    trend,
  };
}

async function slabReading(
  reader: Reader,
  pin: Pin,
  nodeId: number,
  parameters: URLSearchParams,
): Promise<PinReading> {
  const { ctx, range, pinned } = await openNode(reader, nodeId, parameters);
  const growth = await getSlabGrowth({ ctx, input: range });
  if (pin.kind === "table") {
    const { columns, rows } = slabCsv(
      growth,
      readSlabAddress((name) => parameters.getAll(name)),
    );
    return {
      kind: "table",
      table: { columns, rows: rows.slice(0, MOST_ROWS) },
      note: rows.length > MOST_ROWS ? `${MOST_ROWS} of ${rows.length} caches` : "",
    };
  }
  const caches = charted(parameters, growth);
  return { kind: "caches", node: pinned, caches, series: await cacheSeries(ctx, range, caches) };
}

/** Caches that a pinned chart of slab draws. */
function charted(parameters: URLSearchParams, growth: SlabGrowth): string[] {
  const { caches } = readSlabAddress((name) => parameters.getAll(name));
  return chartedCaches(caches, growth).slice(0, MOST_CHARTED);
}

function cacheSeries(
  ctx: Context,
  range: TimeWindow & { readonly nodeId: number },
  caches: readonly string[],
): Promise<MetricSeries> {
  return getSeries({ ctx, input: { ...range, points: POINTS, metrics: slabMetrics(caches) } });
}

async function effectReading(
  { ctx, silentAfterMs, nowMs }: Reader,
  annotationId: number,
  nodeId: number | undefined,
  nodeIds: readonly number[],
  { zone = "UTC", address }: { zone?: string; address?: string },
): Promise<EffectFigure> {
  const mark = await findVisibleAnnotation(ctx, annotationId);
  const where = nodeId ?? nodeIds.find((each) => mark.nodeIds.includes(each)) ?? mark.nodeIds[0];
  if (where === undefined) throw new AppError("not_found", "The mark concerns no node.");
  const input = { nodeId: where, silentAfterMs };
  const [node, effect] = await Promise.all([
    getNode({ ctx, input }),
    getEffect({
      ctx,
      input: {
        ...input,
        annotationId,
        metric: DEFAULT_METRIC,
        beforeMs: EFFECT_REACH_MS,
        afterMs: EFFECT_REACH_MS,
        zone,
      },
    }),
  ]);
  const href =
    address ?? `/nodes/${where}?from=${mark.atMs - EFFECT_REACH_MS}&to=${mark.atMs + EFFECT_REACH_MS}`;
  return effectFigure(
    effect,
    { at: mark.atMs, title: mark.title },
    { name: node.name, href },
    { zone, nowMs },
  );
}

async function experimentsReading(
  ctx: Context,
  parameter: (name: string) => string | undefined,
): Promise<PinReading> {
  const { rows, total } = await readExperiments(ctx, parameter);
  return {
    kind: "table",
    table: {
      columns: ["when", "what", "nodes", "standing", "verdict"],
      rows: rows
        .slice(0, MOST_ROWS)
        .map(({ when, title, treated, standing, cells, sentence }) => [
          when,
          title,
          treated,
          standing.word,
          sentence || (cells[0]?.verdict.word ?? ""),
        ]),
    },
    note: total > MOST_ROWS ? `${MOST_ROWS} of ${total} experiments, as they stand now` : "as they stand now",
  };
}

async function findingsReading(
  { ctx, nowMs }: Reader,
  parameter: (name: string) => string | undefined,
): Promise<PinReading> {
  const { findings, total } = (await readFindings(ctx, parameter)).list;
  return {
    kind: "table",
    table: {
      columns: ["node", "cluster", "what", "certainty", "speaks for it", "since"],
      rows: findings
        .slice(0, MOST_ROWS)
        .map((each) => [
          each.node,
          each.cluster,
          each.name,
          findingVerdict(each).word,
          each.evidence[0]?.text ?? null,
          standingText(each, { zone: "UTC", nowMs }),
        ]),
    },
    note: total > MOST_ROWS ? `${MOST_ROWS} of ${total} findings, as they stand now` : "as they stand now",
  };
}

async function fleetReading(
  { ctx, silentAfterMs, nowMs }: Reader,
  parameter: (name: string) => string | undefined,
): Promise<PinReading> {
  const { rows: all, shown, readAtMs } = await readFleet(ctx, silentAfterMs, parameter);
  const sort = FLEET_SORTS.find((each) => each === parameter("sort")) ?? "urgency";
  const descending = sort !== "urgency" && parameter("order") === "desc";
  const rows = sortFleet(filterFleet(all, parameter("q") ?? ""), { sort, descending });
  return {
    kind: "table",
    table: {
      columns: ["node", "verdict", `growth, ${shown.metric.unit}`, "95 %", "time left", "kernel"],
      rows: rows
        .slice(0, MOST_ROWS)
        .map(({ name, verdict, growth, left, kernel }) => [
          name,
          verdict.word,
          growth?.value ?? null,
          growth?.interval ?? null,
          left?.text ?? null,
          kernel,
        ]),
    },
    note: `${rows.length > MOST_ROWS ? `${MOST_ROWS} of ${rows.length} nodes` : "all of them"}, as of ${formatMoment(readAtMs, "UTC", nowMs)}`,
  };
}

function readDump(text: string): PinReading {
  const { verdict, dominant, findings, warnings } = explainDump(text);
  return {
    kind: "dump",
    verdict,
    dominant,
    findings: findings.map((each) => ({
      name: each.name,
      evidence: each.evidence.map((said) => said.text),
    })),
    warnings: [...warnings],
  };
}
