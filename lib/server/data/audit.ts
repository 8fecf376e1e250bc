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

/** Appends a line; belongs into the transaction of the write that it tells of. */
export async function appendAudit(tables: Pick<Tables, "auditEvent">, line: AuditLine): Promise<void> {
  await tables.auditEvent.create({
    data: {
      at: new Date(line.atMs),
      actor: line.actor,
      action: line.action,
      subject: line.subject,
      detail: { ...line.detail },
    },
    select: { id: true },
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
