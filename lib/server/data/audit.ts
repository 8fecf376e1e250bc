import type { Tables } from "./records.ts";

/** One line of the audit trail. `subject` names what was written (`annotation 12`); times in epoch milliseconds. */
export interface AuditLine {
  atMs: number;
  actor: string;
  action: string;
  subject: string;
  /** What was written; never a secret. */
  detail: Readonly<Record<string, string | number | boolean | null | readonly (string | number)[]>>;
}

/** Appends lines; belongs into the transaction of the write that they tell of. */
export async function appendAudit(
  tables: Pick<Tables, "auditEvent">,
  ...lines: readonly AuditLine[]
): Promise<void> {
  await tables.auditEvent.createMany({
    data: lines.map(({ atMs, actor, action, subject, detail }) => ({
      at: new Date(atMs),
      actor,
      action,
      subject,
      detail: { ...detail },
    })),
  });
}

/** Which lines are asked for; all of them without a word. */
export interface AuditFilter {
  actor?: string | undefined;
  action?: string | undefined;
}

/** A stored line. */
export interface AuditRow extends Omit<AuditLine, "detail"> {
  auditId: number;
  detail: Record<string, unknown>;
}

/** Newest lines first, at most `limit` after the first `offset`. */
export async function listAudit(
  tables: Pick<Tables, "auditEvent">,
  { limit, offset = 0, actor, action }: AuditFilter & { limit: number; offset?: number },
): Promise<AuditRow[]> {
  const rows = await tables.auditEvent.findMany({
    where: whereOf({ actor, action }),
    orderBy: { id: "desc" },
    take: limit,
    skip: offset,
    select: { id: true, at: true, actor: true, action: true, subject: true, detail: true },
  });
  return rows.map(({ id, at, detail, ...line }) => ({
    auditId: id,
    atMs: at.getTime(),
    ...line,
    detail: typeof detail === "object" && detail !== null && !Array.isArray(detail) ? { ...detail } : {},
  }));
}

/** How many lines there are, and every actor and action that occurs. */
export async function countAudit(
  tables: Pick<Tables, "auditEvent">,
  filter: AuditFilter,
): Promise<{ total: number; actors: string[]; actions: string[] }> {
  const [total, actors, actions] = await Promise.all([
    tables.auditEvent.count({ where: whereOf(filter) }),
    tables.auditEvent.groupBy({ by: ["actor"], orderBy: { actor: "asc" } }),
    tables.auditEvent.groupBy({ by: ["action"], orderBy: { action: "asc" } }),
  ]);
  return { total, actors: actors.map(({ actor }) => actor), actions: actions.map(({ action }) => action) };
}

function whereOf({ actor, action }: AuditFilter) {
  return { ...(actor !== undefined && { actor }), ...(action !== undefined && { action }) };
}
