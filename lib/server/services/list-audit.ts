import type { AuditList, AuditQuery } from "#lib/contracts/audit.ts";
import { countAudit, listAudit as readAudit } from "#lib/server/data/audit.ts";
import type { Context } from "./context.ts";

/** Who wrote what, newest first. */
export async function listAudit({ ctx, input }: { ctx: Context; input: AuditQuery }): Promise<AuditList> {
  const [rows, counted] = await Promise.all([
    readAudit(ctx.db.prisma, input),
    countAudit(ctx.db.prisma, input),
  ]);
  return { ...counted, events: rows.map(({ atMs, ...row }) => ({ ...row, at: atMs })) };
}
