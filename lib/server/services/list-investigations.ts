import type { InvestigationList, InvestigationListQuery } from "#lib/contracts/investigation.ts";
import { countParts } from "#lib/server/data/investigation-parts.ts";
import { listInvestigations as readInvestigations } from "#lib/server/data/investigations.ts";
import type { Context } from "./context.ts";
import { describeHead } from "./describe-investigation.ts";
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
  const countsOf = await countParts(
    ctx.db.prisma,
    rows.map(({ investigationId }) => investigationId),
  );
  return {
    investigations: rows.map((row) => {
      const { pins, stateOf } = countsOf(row.investigationId);
      const hypotheses = {
        open: stateOf("open"),
        supported: stateOf("supported"),
        refuted: stateOf("refuted"),
      };
      return { ...describeHead(row), pins, hypotheses };
    }),
    total,
  };
}
