import { effect as effectSchema } from "#lib/contracts/annotation.ts";
import { deedKind } from "#lib/domain/analysis/deed-kind.ts";
import { messagesOfMarks, type LoggedMessages } from "#lib/domain/kernel-log/messages-of-marks.ts";
import { parseMetric, type Metric } from "#lib/domain/memory/metrics.ts";
import type { Intervention } from "#lib/domain/signatures/evidence.ts";
import { listAnnotations, type AnnotationRow } from "#lib/server/data/annotations.ts";
import type { Database } from "#lib/server/data/client.ts";
import { listFollowUps } from "#lib/server/data/experiments.ts";
import type { NodeNewest } from "#lib/server/data/nodes.ts";
import { readMetricSeries } from "./read-metric-series.ts";

const MINUTE_MS = 60_000;
/** What a deed gave back is the level just before it against the level when it has taken effect. */
const BEFORE_MS = 20 * MINUTE_MS;
const SETTLED_MS = 5 * MINUTE_MS;
const AFTER_MS = 25 * MINUTE_MS;
const POINTS = 9;
/** Deeds that give memory back, if they do anything. */
const FREES = /^(?:drop-caches-\d|files-removed)$/;
/** What they may give back. */
const FREED: readonly Metric[] = [
  "cgroup.memory.dying",
  "total.kernelUnreclaimable",
  "total.kernelNoncache",
  "meminfo.SReclaimable",
].flatMap((name) => parseMetric(name) ?? []);
const MOST_MARKS = 500;

type Slope = NonNullable<Intervention["slope"]>[string];

const SLOPES: readonly Slope[] = ["stopped", "slowed", "unchanged", "faster"];

/** What marks tell of a node between two moments of one boot: what was done and what came of it, and what was logged. */
export async function readDeeds(
  db: Database,
  node: NodeNewest,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<{ interventions: readonly Intervention[] } & LoggedMessages> {
  const marks = await listAnnotations(db.prisma, { fromMs, toMs, nodeIds: [node.nodeId], limit: MOST_MARKS });
  const deeds = marks.flatMap((mark) => {
    const kind = mark.atMs >= fromMs ? deedKind(mark) : undefined;
    return kind === undefined ? [] : [{ mark, kind }];
  });
  const followUps = await listFollowUps(
    db.prisma,
    deeds.map(({ mark }) => mark.annotationId),
  );
  const interventions: Intervention[] = [];
  for (const { mark, kind } of deeds) {
    const slope = slopesOf(
      followUps.filter(
        ({ annotationId, nodeId }) =>
          annotationId === mark.annotationId && (nodeId === null || nodeId === node.nodeId),
      ),
    );
    interventions.push({
      kind,
      slope,
      ...(FREES.test(kind) && { freedShare: await readFreed(db, node, mark, toMs) }),
    });
  }
  return { interventions, ...messagesOfMarks(marks) };
}

/** Of each metric the verdict of the last look that has one of growth that was there. */
function slopesOf(
  followUps: readonly { readonly metric: string; readonly slopeVerdict: string; readonly effect: object }[],
): Record<string, Slope> {
  return Object.fromEntries(
    followUps.flatMap(({ metric, slopeVerdict, effect }) => {
      const growth = effectSchema.shape.before.safeParse("before" in effect ? effect.before : undefined);
      const grew = (growth.data?.ci95?.[0] ?? 0) > 0;
      const verdict = SLOPES.find((each) => each === slopeVerdict);
      return grew && verdict !== undefined ? [[metric, verdict] as const] : [];
    }),
  );
}

async function readFreed(
  db: Database,
  node: NodeNewest,
  { atMs, endsAtMs }: AnnotationRow,
  toMs: number,
): Promise<Record<string, number>> {
  const doneMs = endsAtMs ?? atMs;
  const { axis, series } = await readMetricSeries(db, {
    nodeId: node.nodeId,
    fromMs: atMs - BEFORE_MS,
    toMs: Math.min(toMs, doneMs + AFTER_MS),
    points: POINTS,
    metrics: FREED,
    kernelRelease: node.kernelRelease,
  });
  return Object.fromEntries(
    series.flatMap(({ metric, values }) => {
      const between = (from: number, to: number) =>
        values.filter((value, point): value is number => {
          const timeMs = axis.timesMs[point] ?? 0;
          return value !== null && timeMs >= from && timeMs < to && axis.bootIds[point] === node.bootId;
        });
      const before = between(-Infinity, atMs).at(-1);
      const after = between(doneMs + SETTLED_MS, Infinity).at(-1);
      if (before === undefined || after === undefined || before <= 0) return [];
      return [[metric.key, Math.max(0, (before - after) / before)] as const];
    }),
  );
}
