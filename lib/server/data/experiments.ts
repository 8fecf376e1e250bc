import type { Database } from "./client.ts";
import type { Tables } from "./records.ts";
import { numberArray, textArray } from "./array-literal.ts";
import { epochMs, iso, readMomentMs } from "./sql-time.ts";

/** Where the following of an intervention stands; times in epoch milliseconds. */
export interface ExperimentRow {
  annotationId: number;
  status: string;
  statusAtMs: number;
  metrics: string[];
  returnedAtMs: number | null;
  nextLookAtMs: number | null;
  lookedAtMs: number | null;
}

/** A stored follow-up; `effect` as `lib/contracts/experiment.ts` has it. */
export interface FollowUpRow extends FollowUpFields {
  followUpId: number;
  computedAtMs: number;
  checkedAtMs: number;
  supersededAtMs: number | null;
}

export interface FollowUpFields {
  annotationId: number;
  /** null: all treated nodes as one. */
  nodeId: number | null;
  metric: string;
  horizon: string;
  dueAtMs: number;
  treatedNodeIds: number[];
  controlNodeIds: number[];
  dataHash: string;
  slopeVerdict: string;
  levelVerdict: string;
  effect: object;
}

/** Begins to follow the marks of some kinds that are not followed yet. Safe to repeat. */
export async function openExperiments(db: Database, kinds: readonly string[], nowMs: number): Promise<void> {
  await db.pool.query(
    `insert into "Experiment" ("annotationId", "status", "statusAt", "metrics", "nextLookAt")
     select a."id", 'following', $2, '{}', greatest(a."at", a."endsAt") from "Annotation" a
       left join "Experiment" e on e."annotationId" = a."id"
     where a."kind" = any ($1::text[]) and a."deletedAt" is null and e."annotationId" is null
     on conflict ("annotationId") do nothing`,
    [textArray(kinds), iso(nowMs)],
  );
}

/** Experiments that are to be looked at by now, the longest waiting first. */
export async function listDueExperiments(
  db: Database,
  nowMs: number,
  limit: number,
): Promise<ExperimentRow[]> {
  const rows = await db.prisma.experiment.findMany({
    where: { nextLookAt: { lte: new Date(nowMs) }, annotation: { deletedAt: null } },
    orderBy: [{ nextLookAt: "asc" }, { annotationId: "asc" }],
    take: limit,
    select: selectExperiment,
  });
  return rows.map(toExperiment);
}

const selectExperiment = {
  annotationId: true,
  status: true,
  statusAt: true,
  metrics: true,
  returnedAt: true,
  nextLookAt: true,
  lookedAt: true,
} as const;

function toExperiment({
  statusAt,
  returnedAt,
  nextLookAt,
  lookedAt,
  ...rest
}: {
  annotationId: number;
  status: string;
  statusAt: Date;
  metrics: string[];
  returnedAt: Date | null;
  nextLookAt: Date | null;
  lookedAt: Date | null;
}): ExperimentRow {
  return {
    ...rest,
    statusAtMs: statusAt.getTime(),
    returnedAtMs: returnedAt?.getTime() ?? null,
    nextLookAtMs: nextLookAt === null ? null : readMomentMs(nextLookAt),
    lookedAtMs: lookedAt?.getTime() ?? null,
  };
}

/** How some experiments stand, by annotation. Those that the worker has not begun are not there. */
export async function findExperiments(
  tables: Pick<Tables, "experiment">,
  annotationIds: readonly number[],
): Promise<Map<number, ExperimentRow>> {
  const rows = await tables.experiment.findMany({
    where: { annotationId: { in: [...annotationIds] } },
    select: selectExperiment,
  });
  return new Map(rows.map((row) => [row.annotationId, toExperiment(row)]));
}

/** Follow-ups of some experiments, oldest first; with `superseded` also those that no longer hold. */
export async function listFollowUps(
  tables: Pick<Tables, "followUp">,
  annotationIds: readonly number[],
  { superseded = false }: { superseded?: boolean } = {},
): Promise<FollowUpRow[]> {
  const rows = await tables.followUp.findMany({
    where: { annotationId: { in: [...annotationIds] }, ...(!superseded && { supersededAt: null }) },
    orderBy: [{ dueAt: "asc" }, { id: "asc" }],
  });
  return rows.map(({ id, dueAt, computedAt, checkedAt, supersededAt, effect, ...rest }) => ({
    followUpId: id,
    ...rest,
    effect: typeof effect === "object" && effect !== null ? effect : {},
    dueAtMs: dueAt.getTime(),
    computedAtMs: computedAt.getTime(),
    checkedAtMs: checkedAt.getTime(),
    supersededAtMs: supersededAt?.getTime() ?? null,
  }));
}

/** What one look at an experiment leaves behind. */
export interface Look {
  status: string;
  metrics: readonly string[];
  returnedAtMs: number | null;
  nextLookAtMs: number | null;
  /** Found now; each takes the place of `supersedes`, if that is there. */
  found: readonly { fields: FollowUpFields; supersedes: number | undefined }[];
  /** Looked at again and still so. */
  confirmed: readonly number[];
}

/**
 * Stores a look, if the experiment is still as `before` says.
 * @returns false when another worker or a changed mark came first: then nothing is stored.
 */
export async function storeLook(
  tables: Pick<Tables, "experiment" | "followUp">,
  before: ExperimentRow,
  look: Look,
  nowMs: number,
): Promise<boolean> {
  const now = new Date(nowMs);
  const { count } = await tables.experiment.updateMany({
    where: {
      annotationId: before.annotationId,
      lookedAt: before.lookedAtMs === null ? null : new Date(before.lookedAtMs),
      statusAt: new Date(before.statusAtMs),
    },
    data: {
      status: look.status,
      ...(look.status !== before.status && { statusAt: now }),
      metrics: [...look.metrics],
      returnedAt: look.returnedAtMs === null ? null : new Date(look.returnedAtMs),
      nextLookAt: look.nextLookAtMs === null ? null : new Date(look.nextLookAtMs),
      lookedAt: now,
    },
  });
  if (count === 0) return false;
  const replaced = look.found.flatMap(({ supersedes }) => (supersedes === undefined ? [] : [supersedes]));
  if (replaced.length > 0) {
    await tables.followUp.updateMany({ where: { id: { in: replaced } }, data: { supersededAt: now } });
  }
  if (look.confirmed.length > 0) {
    await tables.followUp.updateMany({
      where: { id: { in: [...look.confirmed] } },
      data: { checkedAt: now },
    });
  }
  if (look.found.length > 0) {
    await tables.followUp.createMany({
      data: look.found.map(({ fields: { dueAtMs, ...rest } }) => ({
        ...rest,
        dueAt: new Date(dueAtMs),
        computedAt: now,
        checkedAt: now,
      })),
    });
  }
  return true;
}

/** Begins an experiment anew, because its mark is another one now: what was found stays, set aside. */
export async function restartExperiment(
  tables: Pick<Tables, "experiment" | "followUp">,
  annotationId: number,
  nowMs: number,
): Promise<void> {
  await tables.followUp.updateMany({
    where: { annotationId, supersededAt: null },
    data: { supersededAt: new Date(nowMs) },
  });
  await tables.experiment.deleteMany({ where: { annotationId } });
}

export interface ExperimentFilter {
  kinds: readonly string[];
  status?: string | undefined;
  /** In title, text or the name of a treated node. */
  search?: string | undefined;
  /** Marks that treat at least one of these nodes; undefined for all. */
  nodeIds?: readonly number[] | undefined;
  limit: number;
  offset: number;
}

/** Marks that are or will be followed, newest first, and how many fit. */
export async function listExperimentMarks(
  db: Database,
  filter: ExperimentFilter,
): Promise<{ annotationIds: number[]; total: number }> {
  const pattern = filter.search === undefined ? null : `%${filter.search.replace(/[\\%_]/g, "\\$&")}%`;
  const { rows } = await db.pool.query<{ annotationId: number; total: number; atMs: number }>(
    `select a."id" as "annotationId", count(*) over () as total, ${epochMs(`a."at"`)} as "atMs" from "Annotation" a
       left join "Experiment" e on e."annotationId" = a."id"
     where a."kind" = any ($1::text[]) and a."deletedAt" is null
       and ($2::text is null or coalesce(e."status", 'following') = $2)
       and ($3::int[] is null or a."nodeIds" && $3)
       and ($4::text is null or a."title" ilike $4 or a."text" ilike $4
            or a."nodeIds" && array(select n."id" from "Node" n where n."name" ilike $4))
     order by a."at" desc, a."id" desc limit $5 offset $6`,
    [
      textArray(filter.kinds),
      filter.status ?? null,
      filter.nodeIds === undefined ? null : numberArray(filter.nodeIds),
      pattern,
      filter.limit,
      filter.offset,
    ],
  );
  return { annotationIds: rows.map(({ annotationId }) => annotationId), total: rows[0]?.total ?? 0 };
}
