import type { Database } from "./client.ts";

/** The tables of people's own records, through the model API. */
export type Tables = Pick<
  Database["prisma"],
  | "annotation"
  | "annotationRevision"
  | "apiToken"
  | "auditEvent"
  | "cluster"
  | "credential"
  | "experiment"
  | "finding"
  | "findingChange"
  | "followUp"
  | "frozenShare"
  | "hypothesis"
  | "investigation"
  | "investigationRevision"
  | "invitation"
  | "logEntry"
  | "node"
  | "person"
  | "pin"
  | "session"
  | "shareLink"
>;

/** Runs `work` in one transaction: a write and its audit line are kept both, or neither. */
export function writeRecords<T>(db: Database, work: (tables: Tables) => Promise<T>): Promise<T> {
  return db.prisma.$transaction((tables) => work(tables));
}
