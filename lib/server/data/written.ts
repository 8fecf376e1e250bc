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

/** A row with its times as numbers. */
export function readWritten<Row extends { createdAt: Date; updatedAt: Date; deletedAt: Date | null }>({
  createdAt,
  updatedAt,
  deletedAt,
  ...rest
}: Row) {
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

/** The columns of a changed row: its next version. */
export function updatedColumns({ actor, nowMs }: Writer) {
  return { updatedBy: actor, updatedAt: new Date(nowMs), version: { increment: 1 } };
}
