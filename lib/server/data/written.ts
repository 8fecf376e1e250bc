/** Who wrote a row and when, and its version for optimistic locking; times in epoch milliseconds. */
export interface Written {
  version: number;
  createdBy: string;
  createdAtMs: number;
  updatedBy: string;
  updatedAtMs: number;
  deletedAtMs: number | null;
}

/** The columns of {@link Written}. */
export const writtenColumns = {
  version: true,
  createdBy: true,
  createdAt: true,
  updatedBy: true,
  updatedAt: true,
  deletedAt: true,
} as const;

/** {@link Written} as it is stored. */
export type StoredWritten = Pick<Written, "version" | "createdBy" | "updatedBy"> & {
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
};

/** A row with its times as numbers. */
export function readWritten<Row extends StoredWritten>({ createdAt, updatedAt, deletedAt, ...rest }: Row) {
  return {
    ...rest,
    createdAtMs: createdAt.getTime(),
    updatedAtMs: updatedAt.getTime(),
    deletedAtMs: deletedAt?.getTime() ?? null,
  };
}

/** Who writes, and when (epoch milliseconds). */
export interface Writer {
  actor: string;
  nowMs: number;
}

/** The columns of a new row. */
export function createdColumns({ actor, nowMs }: Writer) {
  const now = new Date(nowMs);
  return { createdBy: actor, createdAt: now, updatedBy: actor, updatedAt: now };
}

/** The update that makes the next version of a row, if it still has `version` and is not hidden. */
export function nextVersion<Columns extends object>(
  id: number,
  version: number,
  columns: Columns,
  { actor, nowMs }: Writer,
) {
  return {
    where: { id, version, deletedAt: null },
    data: { ...columns, updatedBy: actor, updatedAt: new Date(nowMs), version: { increment: 1 } },
  };
}

/** The update that hides a row, if it is not hidden yet. */
export function hiding(id: number, nowMs: number) {
  return { where: { id, deletedAt: null }, data: { deletedAt: new Date(nowMs) } };
}
