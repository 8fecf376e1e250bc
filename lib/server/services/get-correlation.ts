import type { Correlation } from "#lib/contracts/correlation.ts";
import { DEFAULT_DRIVER } from "#lib/domain/memory/metrics.ts";
import type { Metric } from "#lib/domain/memory/metrics.ts";
import { CREATED_PREFIX } from "#lib/domain/memory/section-metrics.ts";
import { correlateWithContainers, type ContainerCorrelation } from "#lib/domain/analysis/correlation.ts";
import {
  CONTAINERS,
  correlationSentence,
  filesIn,
  type DriverWords,
} from "#lib/domain/analysis/correlation-sentence.ts";
import type { Estimate } from "#lib/domain/analysis/vocabulary.ts";
import { isInsufficient, type Insufficient } from "#lib/domain/statistics/insufficient.ts";
import { AppError } from "#lib/errors.ts";
import { memTotalOf, scaledEnds, scaleOf } from "./analyse-metric.ts";
import type { Context } from "./context.ts";
import { findBackingDeed, type FoundDeed } from "./find-backing-deed.ts";
import { findVisibleNode } from "./find-visible-node.ts";
import { requireMetric } from "./get-series.ts";
import { LIVE_METRIC, readContainerWindow, type ContainerWindow } from "./read-container-window.ts";
import { unreportedText } from "./unreported.ts";

/**
 * What one metric of one node has to do with the containers that are created on it, or with the files that pile up in one of
 * its watched directories, over a window.
 * @throws AppError `not_found`; `invalid` for a metric that no node can have, or that counts containers itself; `invalid` for a driver that does not,
 * and for windows wider than the range.
 */
export async function getCorrelation({
  ctx,
  input,
}: {
  ctx: Context;
  input: {
    nodeId: number;
    metric: string;
    /** What is counted: all containers when not given, those of one creator, or the files of a watched directory. */
    driver?: string | undefined;
    fromMs: number;
    toMs: number;
    /** Width of the windows of the scatter; chosen by the data when not given. */
    windowMs?: number | undefined;
  };
}): Promise<Correlation> {
  const metric = requireMetric(input.metric);
  const driver = requireDriver(input.driver ?? DEFAULT_DRIVER);
  if (metric.source.family === "containers") {
    throw new AppError("invalid", `${metric.key} counts containers itself; ask for another metric.`, {
      issues: [{ path: "metric", message: "expected a metric other than containers.*" }],
    });
  }
  if (input.windowMs !== undefined && input.windowMs > input.toMs - input.fromMs) {
    const message = "expected a width of at most that of the range";
    throw new AppError("invalid", `The windows of the scatter are wider than the range: ${message}.`, {
      issues: [{ path: "window", message }],
    });
  }
  const node = await findVisibleNode(ctx, input.nodeId);
  const window = await readContainerWindow(ctx.db, {
    metric,
    driver,
    node,
    fromMs: input.fromMs,
    toMs: input.toMs,
  });
  const memTotalKib = memTotalOf(node);
  const result = correlateWithContainers({
    boots: window.boots,
    memTotalKib,
    materialPerHour: scaleOf(metric, memTotalKib).materialPerHour,
    windowMs: input.windowMs,
  });
  const backing =
    !isInsufficient(result) && result.verdict === "leaves-behind"
      ? await findBackingDeed(ctx, window)
      : undefined;
  return describe(result, window, backing);
}

function requireDriver(name: string): Metric {
  const driver = requireMetric(name);
  const { family } = driver.source;
  if (driver.key === DEFAULT_DRIVER || driver.key.startsWith(CREATED_PREFIX) || family === "watch")
    return driver;
  throw new AppError("invalid", `${driver.key} counts neither containers that are created nor files.`, {
    issues: [
      {
        path: "driver",
        message: `expected ${DEFAULT_DRIVER}, ${CREATED_PREFIX}<creator> or watch.<directory>.files`,
      },
    ],
  });
}

/** As the contract has it. Pure. */
function describe(
  result: ContainerCorrelation | Insufficient,
  window: ContainerWindow,
  backing: FoundDeed | undefined,
): Correlation {
  const { metric, driver, node, fromMs, toMs } = window;
  const { words } = scaleOf(metric, memTotalOf(node));
  const missing = [metric.key, driver.key, LIVE_METRIC].filter((key) => !window.reported.has(key));
  const shared = {
    metric: metric.key,
    driver: driver.key,
    unit: words.unit === "KiB" ? "KiB" : metric.unit,
    from: fromMs,
    to: toMs,
    text:
      lackOf(window) ?? `${ofDriver(driver)}${correlationSentence(result, words, backing, wordsOf(driver))}`,
    backedBy:
      backing === undefined
        ? null
        : {
            annotationId: backing.annotationId,
            at: backing.atMs,
            title: backing.title,
            containersPerHourBefore: backing.change.before,
            containersPerHourAfter: backing.change.after,
            slopeVerdict: backing.slopeVerdict,
          },
    ...(missing.length > 0 && { missing }),
  };
  if (isInsufficient(result)) {
    return {
      ...shared,
      verdict: "insufficient",
      obstacle: null,
      kibPerContainer: null,
      ci95: null,
      kibPerLiveContainer: null,
      backgroundKibPerHour: null,
      containersPerHour: null,
      pearson: null,
      spearman: null,
      bestLag: null,
      n: 0,
      method: "",
      windowMs: null,
      points: [],
      line: null,
    };
  }
  const { bestLag, line } = result;
  return {
    ...shared,
    verdict: result.verdict,
    obstacle: result.obstacle ?? null,
    kibPerContainer: result.perContainer?.value ?? null,
    ci95: result.perContainer === undefined ? null : scaledEnds(result.perContainer.ci95),
    kibPerLiveContainer: described(result.perLiveContainer),
    backgroundKibPerHour: described(result.backgroundPerHour),
    containersPerHour: result.containersPerHour,
    pearson: result.pearson?.coefficient ?? null,
    spearman: result.spearman?.coefficient ?? null,
    bestLag:
      bestLag === undefined
        ? null
        : {
            ms: bestLag.steps * bestLag.stepMs,
            coefficient: bestLag.coefficient,
            from: bestLag.fromSteps * bestLag.stepMs,
            to: bestLag.toSteps * bestLag.stepMs,
          },
    n: result.n,
    method: result.method,
    windowMs: result.windowMs,
    points: result.points.map(({ containersPerHour, slopePerHour, timeMs }) => [
      containersPerHour,
      slopePerHour,
      Math.round(timeMs),
    ]),
    line:
      line.length === 0
        ? null
        : {
            points: line.map(({ containersPerHour, slopePerHour, ci95 }) => [
              containersPerHour,
              slopePerHour,
              ...scaledEnds(ci95),
            ]),
          },
  };
}

/** The sentence where the metric has no value in the window, or what it is held against is not there. */
function lackOf({ metric, driver, node, fromMs, toMs, reported }: ContainerWindow): string | undefined {
  const absent = [metric, ...(driver.key === DEFAULT_DRIVER ? [] : [driver])].find(
    ({ key }) => !reported.has(key),
  );
  if (absent === undefined) return undefined;
  const { words } = scaleOf(metric, memTotalOf(node));
  const lack = unreportedText(absent, { node, fromMs, toMs });
  return `Cannot say what ${words.name} has to do with ${wordsOf(driver).all}: ${lack}.`;
}

function wordsOf({ source }: Metric): DriverWords {
  return source.family === "watch" ? filesIn(source.directory) : CONTAINERS;
}

/** Says first whose containers are meant, where it is not all of them. */
function ofDriver({ key, source }: Metric): string {
  return key === DEFAULT_DRIVER || source.family === "watch"
    ? ""
    : `Counting only containers created by ${key.slice(CREATED_PREFIX.length)}. Those that came and went unseen, and those that others start in step with them, are put on these: the amount for each may be too high. `;
}

function described(estimate: Estimate | undefined): { value: number; ci95: [number, number] } | null {
  return estimate === undefined ? null : { value: estimate.value, ci95: scaledEnds(estimate.ci95) };
}
