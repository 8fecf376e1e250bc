import { createHash } from "node:crypto";
import { annotation, type Effect as EffectAnswer } from "#lib/contracts/annotation.ts";
import { followUp } from "#lib/contracts/experiment.ts";
import type { Effect } from "#lib/domain/analysis/event-study.ts";
import {
  experimentStatus,
  hasReturned,
  HORIZONS,
  isDue,
  isTelling,
  nextLookMs,
  openHorizons,
  returnThresholdPerHour,
  type Finding,
  type Horizon,
} from "#lib/domain/analysis/experiment.ts";
import { poolEffects } from "#lib/domain/analysis/pool-effects.ts";
import { DEFAULT_METRIC, type Metric } from "#lib/domain/memory/metrics.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import { findAnnotation, type AnnotationRow } from "#lib/server/data/annotations.ts";
import { appendAudit } from "#lib/server/data/audit.ts";
import {
  listDueExperiments,
  listFollowUps,
  openExperiments,
  storeLook,
  type ExperimentRow,
  type FollowUpFields,
  type FollowUpRow,
} from "#lib/server/data/experiments.ts";
import { listNodesNewest, type NodeNewest } from "#lib/server/data/nodes.ts";
import { writeRecords } from "#lib/server/data/records.ts";
import { memTotalOf, scaleOf, type MetricWindow } from "./analyse-metric.ts";
import { chooseFollowedMetrics } from "./choose-followed-metrics.ts";
import { actorName, type Context } from "./context.ts";
import { findReturnedGrowth } from "./find-returned-growth.ts";
import { requireMetric } from "./get-series.ts";
import { FOLLOWED_KINDS } from "./resolve-controls.ts";
import { studyControls } from "./study-controls.ts";
import { describeEffect, neighboursOf } from "./study-marks.ts";
import { listDeedsAround, settledMsOf, studyOnNode } from "./study-on-node.ts";

/** Most treated nodes that are studied for one experiment, by id: a mark on a whole fleet needs no more to be judged. */
const MAX_TREATED = 10;
const WIDEST = { beforeMs: 48 * 3_600_000, afterMs: 168 * 3_600_000 } as const;

/** What the worker knows of a fleet while it looks at one experiment after another. */
interface Fleet {
  nodes: readonly NodeNewest[];
}

/**
 * Looks at the experiments that are due: computes what was found after 1 h, 6 h, 24 h and 7 d, computes it again where data
 * came late, and finds growth that is there again. Harmless when run twice at once.
 * @returns how many were looked at. @throws the first error, after the others had their turn.
 */
export async function followExperiments({
  ctx,
  input: { limit },
}: {
  ctx: Context;
  input: { limit: number };
}): Promise<{ looked: number }> {
  const nowMs = ctx.now();
  await openExperiments(ctx.db, FOLLOWED_KINDS, nowMs);
  const due = await listDueExperiments(ctx.db, nowMs, limit);
  if (due.length === 0) return { looked: 0 };
  const fleet: Fleet = { nodes: await listNodesNewest(ctx.db) };
  const failures: unknown[] = [];
  // One experiment at a time: the worker shares the database with those who look at it.
  for (const row of due) {
    try {
      await lookAt(ctx, row, fleet);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return { looked: due.length };
}

async function lookAt(ctx: Context, row: ExperimentRow, { nodes }: Fleet): Promise<void> {
  const nowMs = ctx.now();
  const mark = await findAnnotation(ctx.db.prisma, row.annotationId);
  if (mark === undefined) return;
  const treated = nodes.filter(({ nodeId }) => mark.nodeIds.includes(nodeId)).slice(0, MAX_TREATED);
  const settledMs = settledMsOf(mark);
  const deeds = await listDeedsAround(
    ctx.db,
    { fromMs: mark.atMs, toMs: settledMs, nodeIds: mark.nodeIds },
    WIDEST,
  );
  const known = await listFollowUps(ctx.db.prisma, [mark.annotationId]);
  const horizons = openHorizons(settledMs, closedMsOf(mark, deeds, treated));
  const due = horizons.filter((horizon) => isDue(horizon, settledMs, nowMs, lastCheckedMs(known, horizon)));
  const metrics =
    due.length > 0 && row.metrics.length === 0
      ? await chooseFollowedMetrics(ctx.db, mark, treated)
      : row.metrics;

  const found: FollowUpFields[] = [];
  for (const horizon of due) {
    for (const name of metrics) {
      found.push(
        ...(await studyHorizon(ctx, { mark, treated, nodes, deeds, metric: requireMetric(name), horizon })),
      );
    }
  }
  const supersededBy = (fields: FollowUpFields) =>
    known.find((each) => keyOf(each) === keyOf(fields) && !saysTheSame(each, fields))?.followUpId;
  const fresh = found
    .filter((fields) => !known.some((each) => keyOf(each) === keyOf(fields) && saysTheSame(each, fields)))
    .map((fields) => ({ fields, supersedes: supersededBy(fields) }));
  const confirmed = known
    .filter((each) => found.some((fields) => keyOf(each) === keyOf(fields) && saysTheSame(each, fields)))
    .map(({ followUpId }) => followUpId);

  const replaced = new Set(fresh.map(({ supersedes }) => supersedes));
  const current: FollowUpFields[] = [
    ...known.filter(({ followUpId }) => !replaced.has(followUpId)),
    ...fresh.map(({ fields }) => fields),
  ];
  const back =
    row.returnedAtMs === null
      ? await findReturn(ctx, { mark, treated, deeds, current, settledMs })
      : undefined;
  if (back?.evidence !== undefined) fresh.push({ fields: back.evidence, supersedes: undefined });
  const returnedAtMs = row.returnedAtMs ?? back?.atMs ?? null;
  const lastDueMs = Math.max(...horizons.map(({ afterMs }) => settledMs + afterMs));
  const allFound = horizons.every(
    ({ name }) => treated.length === 0 || current.some((each) => each.horizon === name),
  );
  // What lacks data before the mark does not get them later; should they come late after all, the next look sees it.
  const hopeless = current.length > 0 && current.every((each) => storedEffect(each).method === "");
  const status = experimentStatus({
    returned: returnedAtMs !== null,
    moreToCome: !hopeless && (nowMs < lastDueMs || !allFound),
    telling: current.some((each) => isTelling(findingOf(each))),
  });
  const watching =
    returnedAtMs === null && current.some((each) => returnThresholdPerHour(findingOf(each)) !== undefined);
  const next = nextLookMs(settledMs, horizons, nowMs, watching);
  await writeRecords(ctx.db, async (tables) => {
    const stored = await storeLook(
      tables,
      row,
      { status, metrics, returnedAtMs, nextLookAtMs: next ?? null, found: fresh, confirmed },
      nowMs,
    );
    if (!stored || status === row.status) return;
    await appendAudit(tables, {
      atMs: nowMs,
      actor: actorName(ctx.actor),
      action: `experiment.${status}`,
      subject: `annotation ${mark.annotationId}`,
      detail: { title: mark.title, before: row.status, followUps: current.length },
    });
  });
}

/** When the next deed ended the window after, on the last of the treated nodes; undefined while it is open on one. */
function closedMsOf(
  mark: AnnotationRow,
  deeds: readonly AnnotationRow[],
  treated: readonly NodeNewest[],
): number | undefined {
  const settledMs = settledMsOf(mark);
  const ends = treated.map(({ nodeId }) =>
    Math.min(
      ...neighboursOf(
        mark,
        deeds.filter(({ nodeIds }) => nodeIds.includes(nodeId)),
      ).filter((timeMs) => timeMs > settledMs),
    ),
  );
  const last = Math.max(...ends);
  return Number.isFinite(last) ? last : undefined;
}

function lastCheckedMs(known: readonly FollowUpRow[], { name }: Horizon): number | undefined {
  const own = known.filter(({ horizon }) => horizon === name).map(({ checkedAtMs }) => checkedAtMs);
  return own.length === 0 ? undefined : Math.max(...own);
}

function keyOf({ nodeId, metric, horizon }: Pick<FollowUpFields, "nodeId" | "metric" | "horizon">): string {
  return JSON.stringify([nodeId, metric, horizon]);
}

/**
 * Whether two follow-ups rest on the same data, or say the same of as many points: means that are read from a roll-up differ
 * in the last digits from those of the snapshots that it was made of.
 */
function saysTheSame(a: FollowUpFields, b: FollowUpFields): boolean {
  if (a.dataHash === b.dataHash) return true;
  const [one, other] = [storedEffect(a), storedEffect(b)];
  return (
    one.before.n === other.before.n &&
    one.after.n === other.after.n &&
    one.controls?.nodes === other.controls?.nodes &&
    a.slopeVerdict === b.slopeVerdict &&
    a.levelVerdict === b.levelVerdict &&
    near(one.slopeChange?.perHour, other.slopeChange?.perHour, one.slopeChange?.ci95) &&
    near(one.levelChange?.value, other.levelChange?.value, one.levelChange?.ci95)
  );
}

/** Within a twentieth of the interval. */
function near(
  a: number | undefined,
  b: number | undefined,
  ci95: readonly [number, number] | undefined,
): boolean {
  if (a === undefined || b === undefined || ci95 === undefined) return a === b;
  return Math.abs(a - b) <= 0.05 * (ci95[1] - ci95[0]);
}

function storedEffect({ effect }: Pick<FollowUpFields, "effect">) {
  return followUp.shape.effect.parse(effect);
}

function findingOf(fields: FollowUpFields): Finding {
  const { before, after, slopeVerdict, levelVerdict } = storedEffect(fields);
  const slope = ({ slopePerHour, ci95 }: EffectAnswer["before"]) =>
    slopePerHour === null || ci95 === null ? undefined : { slopePerHour, ci95 };
  return { slopeVerdict, levelVerdict, before: slope(before), after: slope(after) };
}

/** What one horizon shows of one metric: on each treated node, and of several on all as one. */
async function studyHorizon(
  ctx: Context,
  {
    mark,
    treated,
    nodes,
    deeds,
    metric,
    horizon,
  }: {
    mark: AnnotationRow;
    treated: readonly NodeNewest[];
    nodes: readonly NodeNewest[];
    deeds: readonly AnnotationRow[];
    metric: Metric;
    horizon: Horizon;
  },
): Promise<FollowUpFields[]> {
  const options = { beforeMs: horizon.beforeMs, afterMs: horizon.afterMs, nowMs: ctx.now() };
  const controls = (await studyControls(ctx.db, { marks: [mark], deeds, treated, nodes, metric, options }))(
    mark,
  );
  const clusterOf = new Map(nodes.map(({ nodeId, clusterId }) => [nodeId, clusterId]));
  const shared = {
    annotationId: mark.annotationId,
    metric: metric.key,
    horizon: horizon.name,
    dueAtMs: settledMsOf(mark) + horizon.afterMs,
  };
  // Of no day is it "today" when this will be read: the sentence has its dates.
  const words = { zone: "utc", nowMs: 0 };
  const auto = annotation.shape.controls.parse(mark.controls ?? "auto") === "auto";
  const found: FollowUpFields[] = [];
  const effects: { node: NodeNewest; effect: Effect; window: MetricWindow }[] = [];
  for (const node of treated) {
    const { study, window } = await studyOnNode(ctx.db, { mark, node, metric, deeds, options });
    const own = auto ? controls.filter(({ nodeId }) => clusterOf.get(nodeId) === node.clusterId) : controls;
    const answer = describeEffect(study, window, { ...words, controls: own.map(({ effect }) => effect) });
    const used = isInsufficient(study.effect)
      ? []
      : [{ nodeId: node.nodeId, effect: study.effect, window }, ...own];
    found.push({
      ...shared,
      nodeId: node.nodeId,
      ...stored(answer),
      treatedNodeIds: [node.nodeId],
      controlNodeIds: own.map(({ nodeId }) => nodeId),
      dataHash: hashOf(used),
    });
    if (!isInsufficient(study.effect)) effects.push({ node, effect: study.effect, window });
  }
  const [first] = effects;
  if (first === undefined) return found;
  const { materialPerHour, materialLevel } = scaleOf(metric, memTotalOf(first.node));
  const pooled = poolEffects(
    effects.map(({ effect }) => effect),
    { memTotalKib: memTotalOf(first.node), materialPerHour, materialLevel },
  );
  if (pooled === undefined) return found;
  const answer = describeEffect({ mark, effect: pooled }, first.window, {
    ...words,
    controls: controls.map(({ effect }) => effect),
    treated: effects.map(({ effect }) => effect),
  });
  found.push({
    ...shared,
    nodeId: null,
    ...stored(answer),
    treatedNodeIds: effects.map(({ node }) => node.nodeId),
    controlNodeIds: controls.map(({ nodeId }) => nodeId),
    dataHash: hashOf([
      ...effects.map(({ node, effect, window }) => ({ nodeId: node.nodeId, effect, window })),
      ...controls,
    ]),
  });
  return found;
}

function stored({ nodeId: _, ...effect }: EffectAnswer) {
  return { effect, slopeVerdict: effect.slopeVerdict, levelVerdict: effect.levelVerdict };
}

/** Hash of every point that some studies used: which node, when, and the value in the unit of the analysis. */
function hashOf(studies: readonly { nodeId: number; effect: Effect; window: MetricWindow }[]): string {
  const hash = createHash("sha256");
  for (const { nodeId, effect, window } of studies) {
    const sides = [effect.before, effect.after];
    for (const { bootId, timesMs, values } of window.segments) {
      timesMs.forEach((timeMs, index) => {
        const isUsed = sides.some(
          ({ fromMs, toMs }) =>
            fromMs !== undefined && toMs !== undefined && timeMs >= fromMs && timeMs <= toMs,
        );
        if (isUsed) hash.update(`${nodeId} ${bootId} ${timeMs} ${values[index] ?? ""}\n`);
      });
    }
  }
  return hash.digest("hex");
}

/** Growth that is there again on a treated node: seen by a later horizon, or by a look at the last hours. */
async function findReturn(
  ctx: Context,
  {
    mark,
    treated,
    deeds,
    current,
    settledMs,
  }: {
    mark: AnnotationRow;
    treated: readonly NodeNewest[];
    deeds: readonly AnnotationRow[];
    current: readonly FollowUpFields[];
    settledMs: number;
  },
): Promise<{ atMs: number; evidence: FollowUpFields | undefined } | undefined> {
  for (const node of treated) {
    const own = HORIZONS.flatMap(({ name, afterMs }) =>
      current
        .filter(
          ({ nodeId, metric, horizon }) =>
            nodeId === node.nodeId && metric === DEFAULT_METRIC && horizon === name,
        )
        .map((fields) => ({ finding: findingOf(fields), afterMs })),
    );
    const last = own.findLast(({ finding }) => returnThresholdPerHour(finding) !== undefined);
    if (last === undefined) continue;
    const soonest = own.find(({ finding }) => returnThresholdPerHour(finding) !== undefined) ?? last;
    const look = await findReturnedGrowth(ctx, {
      mark,
      node,
      deeds,
      settledMs,
      finding: last.finding,
      lookBackMs: soonest.afterMs,
    });
    if (look !== undefined) {
      const { atMs, effect, used } = look;
      return {
        atMs,
        evidence: {
          annotationId: mark.annotationId,
          nodeId: node.nodeId,
          metric: DEFAULT_METRIC,
          horizon: "return",
          dueAtMs: ctx.now(),
          treatedNodeIds: [node.nodeId],
          controlNodeIds: [],
          dataHash: hashOf(used),
          ...stored(effect),
        },
      };
    }
    if (hasReturned(own.map(({ finding }) => finding))) return { atMs: ctx.now(), evidence: undefined };
  }
  return undefined;
}
