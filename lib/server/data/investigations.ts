import type { AnnotationScope } from "#lib/contracts/annotation.ts";
import type { InvestigationStatus } from "#lib/contracts/investigation.ts";
import type { Tables } from "./records.ts";
import { readMomentMs } from "./sql-time.ts";
import { containing } from "./text-part.ts";
import {
  createdColumns,
  hiding,
  nextVersion,
  readWritten,
  writtenColumns,
  type StoredWritten,
  type Writer,
  type Written,
} from "./written.ts";

/** What may be set of an investigation; times in epoch milliseconds. */
export interface InvestigationFields {
  title: string;
  status: InvestigationStatus;
  scope: AnnotationScope;
  nodeIds: number[];
  windowFromMs: number;
  windowToMs: number | null;
  conclusion: string;
  text: string;
  people: string[];
}

/** A stored investigation without its parts. */
export interface InvestigationRow extends Omit<InvestigationFields, "scope" | "status">, Written {
  investigationId: number;
  scope: unknown;
  status: string;
}

const select = {
  id: true,
  title: true,
  status: true,
  scope: true,
  nodeIds: true,
  windowFrom: true,
  windowTo: true,
  conclusion: true,
  text: true,
  people: true,
  ...writtenColumns,
} as const;

type Selected = Omit<InvestigationRow, "investigationId" | "windowFromMs" | "windowToMs" | keyof Written> &
  StoredWritten & {
    id: number;
    windowFrom: Date;
    windowTo: Date | null;
  };

function toRow({ id, windowFrom, windowTo, ...rest }: Selected): InvestigationRow {
  return {
    investigationId: id,
    windowFromMs: readMomentMs(windowFrom),
    windowToMs: windowTo === null ? null : readMomentMs(windowTo),
    ...readWritten(rest),
  };
}

function toColumns({ windowFromMs, windowToMs, ...rest }: InvestigationFields) {
  return {
    ...rest,
    windowFrom: new Date(windowFromMs),
    windowTo: windowToMs === null ? null : new Date(windowToMs),
  };
}

/** Stores a new investigation. */
export async function insertInvestigation(
  tables: Pick<Tables, "investigation">,
  fields: InvestigationFields,
  writer: Writer,
): Promise<InvestigationRow> {
  const data = { ...toColumns(fields), ...createdColumns(writer) };
  return toRow(await tables.investigation.create({ data, select }));
}

/** Replaces what may be set, if the investigation still has that version; undefined when someone else was faster. */
export async function replaceInvestigation(
  tables: Pick<Tables, "investigation">,
  investigationId: number,
  version: number,
  fields: InvestigationFields,
  writer: Writer,
): Promise<InvestigationRow | undefined> {
  const [row] = await tables.investigation.updateManyAndReturn({
    ...nextVersion(investigationId, version, toColumns(fields), writer),
    select,
  });
  return row === undefined ? undefined : toRow(row);
}

/** Says that a part of an investigation changed, which is no new version of its own texts. */
export async function touchInvestigation(
  tables: Pick<Tables, "investigation">,
  investigationId: number,
  { actor, nowMs }: Writer,
): Promise<void> {
  await tables.investigation.updateMany({
    where: { id: investigationId },
    data: { updatedBy: actor, updatedAt: new Date(nowMs) },
  });
}

/** Hides an investigation; its row, its parts and its history stay. */
export async function hideInvestigation(
  tables: Pick<Tables, "investigation">,
  investigationId: number,
  nowMs: number,
): Promise<boolean> {
  const { count } = await tables.investigation.updateMany(hiding(investigationId, nowMs));
  return count > 0;
}

/** One investigation; a hidden one only where that is asked for. */
export async function findInvestigation(
  tables: Pick<Tables, "investigation">,
  investigationId: number,
  { alsoHidden = false }: { alsoHidden?: boolean } = {},
): Promise<InvestigationRow | undefined> {
  const row = await tables.investigation.findFirst({
    where: { id: investigationId, ...(!alsoHidden && { deletedAt: null }) },
    select,
  });
  return row === null ? undefined : toRow(row);
}

export interface InvestigationFilter {
  readonly status?: string | undefined;
  /** Those that concern at least one of these nodes. */
  readonly nodeIds?: readonly number[] | undefined;
  /** Part of a text, and the nodes whose names have it. */
  readonly search?: { readonly text: string; readonly nodeIds: readonly number[] } | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Investigations of a filter, the last changed first, and how many fit. */
export async function listInvestigations(
  tables: Pick<Tables, "investigation">,
  { status, nodeIds, search, limit, offset }: InvestigationFilter,
): Promise<{ rows: InvestigationRow[]; total: number }> {
  const part = containing(search?.text ?? "");
  const where = {
    deletedAt: null,
    ...(status !== undefined && { status }),
    ...(nodeIds !== undefined && { nodeIds: { hasSome: [...nodeIds] } }),
    ...(search !== undefined && {
      OR: [
        { title: part },
        { conclusion: part },
        { text: part },
        { nodeIds: { hasSome: [...search.nodeIds] } },
      ],
    }),
  };
  const [rows, total] = await Promise.all([
    tables.investigation.findMany({
      where,
      orderBy: [{ updatedAt: "desc" }, { id: "desc" }],
      take: limit,
      skip: offset,
      select,
    }),
    tables.investigation.count({ where }),
  ]);
  return { rows: rows.map(toRow), total };
}
