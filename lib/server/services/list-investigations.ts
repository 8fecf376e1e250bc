import type { InvestigationList, InvestigationListQuery } from "#lib/contracts/investigation.ts";
import { countParts } from "#lib/server/data/investigation-parts.ts";
import { listInvestigations as readInvestigations } from "#lib/server/data/investigations.ts";
import type { Context } from "./context.ts";
import { describeHead } from "./describe-investigation.ts";
import { clusterOf, listVisibleNodes } from "./resolve-scope.ts";

/** Investigations that the actor may see, the last changed first. */
export async function listInvestigations({
  ctx,
  input,
}: {
  ctx: Context;
  input: InvestigationListQuery;
}): Promise<InvestigationList> {
  const search = input.search?.trim() ?? "";
  const isConfined = clusterOf(ctx) !== undefined;
  const nodes = isConfined || search !== "" ? await listVisibleNodes(ctx) : [];
  const visible = isConfined ? nodes.map(({ nodeId }) => nodeId) : undefined;
  const { rows, total } = await readInvestigations(ctx.db.prisma, {
    status: input.status,
    nodeIds:
      input.nodeId === undefined ? visible : [input.nodeId].filter((each) => visible?.includes(each) ?? true),
    search:
      search === ""
        ? undefined
        : {
            text: search,
            nodeIds: nodes
              .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
              .map(({ nodeId }) => nodeId),
          },
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
