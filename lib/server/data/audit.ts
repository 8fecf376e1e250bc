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

/** Newest lines first, at most `limit`. */
export async function listAudit(tables: Pick<Tables, "auditEvent">, limit: number) {
  const rows = await tables.auditEvent.findMany({
    orderBy: { id: "desc" },
    take: limit,
    select: { at: true, actor: true, action: true, subject: true },
  });
  return rows.map(({ at, ...line }) => ({ atMs: at.getTime(), ...line }));
}
