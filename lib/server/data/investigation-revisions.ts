import type { Tables } from "./records.ts";
import type { Writer } from "./written.ts";

/** Values of some fields, by name; what JSON can hold. */
export type FieldValues = Readonly<Record<string, FieldValue>>;
type FieldValue =
  string | number | boolean | null | readonly FieldValue[] | { readonly [name: string]: FieldValue };

/** One change; `before` and `after` hold the fields that differ. */
export interface InvestigationRevisionRow {
  readonly atMs: number;
  readonly actor: string;
  readonly subject: string;
  readonly action: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Who goes on writing the same text within this time makes one change of it. */
const SITTING_MS = 10 * 60_000;

type Change = Pick<InvestigationRevisionRow, "subject" | "action"> & {
  before: FieldValues;
  after: FieldValues;
};

/**
 * Appends a change; belongs into its transaction. With `typed`, a change of the same fields by the same person a short while
 * after the last one of the investigation prolongs that one: what stood before it stays.
 */
export async function appendInvestigationRevision(
  tables: Pick<Tables, "investigationRevision">,
  investigationId: number,
  { subject, action, before, after }: Change,
  { actor, nowMs }: Writer,
  { typed = false }: { typed?: boolean } = {},
): Promise<void> {
  if (typed) {
    const last = await tables.investigationRevision.findFirst({
      where: { investigationId },
      orderBy: { id: "desc" },
      select: { id: true, at: true, actor: true, subject: true, action: true, after: true },
    });
    const isSame =
      last?.actor === actor &&
      last.subject === subject &&
      last.action === action &&
      nowMs - last.at.getTime() <= SITTING_MS &&
      sameNames(last.after, after);
    if (isSame) {
      await tables.investigationRevision.update({
        where: { id: last.id },
        data: { at: new Date(nowMs), after },
        select: { id: true },
      });
      return;
    }
  }
  await tables.investigationRevision.create({
    data: { investigationId, at: new Date(nowMs), actor, subject, action, before, after },
    select: { id: true },
  });
}

function sameNames(stored: unknown, values: FieldValues): boolean {
  if (typeof stored !== "object" || stored === null) return false;
  return Object.keys(stored).sort().join() === Object.keys(values).sort().join();
}

/** Changes of an investigation, newest first, and how many there are. */
export async function listInvestigationRevisions(
  tables: Pick<Tables, "investigationRevision">,
  investigationId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: InvestigationRevisionRow[]; total: number }> {
  const where = { investigationId };
  const [rows, total] = await Promise.all([
    tables.investigationRevision.findMany({
      where,
      orderBy: { id: "desc" },
      take: limit,
      skip: offset,
      select: { at: true, actor: true, subject: true, action: true, before: true, after: true },
    }),
    tables.investigationRevision.count({ where }),
  ]);
  return { rows: rows.map(({ at, ...rest }) => ({ atMs: at.getTime(), ...rest })), total };
}
