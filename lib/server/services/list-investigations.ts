import type { InvestigationList, InvestigationListQuery } from "#lib/contracts/investigation.ts";
import { listInvestigationImports } from "#lib/server/data/investigation-imports.ts";
import { countParts } from "#lib/server/data/investigation-parts.ts";
import { listInvestigations as readInvestigations } from "#lib/server/data/investigations.ts";
import type { Context } from "./context.ts";
import { describeHead, describeImport } from "./describe-investigation.ts";
import { narrowList } from "./narrow-list.ts";

/** Investigations that the actor may see, the last changed first. */
export async function listInvestigations({
  ctx,
  input,
}: {
  ctx: Context;
  input: InvestigationListQuery;
}): Promise<InvestigationList> {
  const { rows, total } = await readInvestigations(ctx.db.prisma, {
    status: input.status,
    ...(await narrowList(ctx, input)),
    limit: input.limit,
    offset: input.offset,
  });
  const investigationIds = rows.map(({ investigationId }) => investigationId);
  const [countsOf, imports] = await Promise.all([
    countParts(ctx.db.prisma, investigationIds),
    listInvestigationImports(ctx.db.prisma, investigationIds),
  ]);
  return {
    investigations: rows.map((row) => {
      const { pins, stateOf } = countsOf(row.investigationId);
      const hypotheses = {
        open: stateOf("open"),
        supported: stateOf("supported"),
        refuted: stateOf("refuted"),
      };
      const imported = describeImport(imports.get(row.investigationId));
      return { ...describeHead(row), imported, pins, hypotheses };
    }),
    total,
  };
}
