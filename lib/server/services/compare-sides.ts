import { readReach, type CompareQuery, type Comparison } from "#lib/contracts/compare.ts";
import { chooseSide, wrongParameter, type ChosenSide } from "./choose-side.ts";
import type { Context } from "./context.ts";
import { describeComparison } from "./describe-comparison.ts";
import { readComparedSides } from "./read-compared-side.ts";

/**
 * Two sides on one relative clock, and how they differ by band: nodes, or cohorts by attribute, over windows, since boot or
 * around a mark.
 * @throws AppError `invalid` for a query that cannot be read, `not_found` for a node, cohort or mark that is not there; both
 * name the parameter.
 */
export async function compareSides({
  ctx,
  input,
}: {
  ctx: Context;
  input: CompareQuery;
}): Promise<Comparison> {
  const reach = readReach(input, ctx.now());
  if (!reach.ok) throw wrongParameter(reach.path, reach.message);
  const chosen = { a: await chooseSide(ctx, "a", input.a), b: await chooseSide(ctx, "b", input.b) };
  const same =
    JSON.stringify(reach.value.a) === JSON.stringify(reach.value.b) &&
    JSON.stringify(idsOf(chosen.a)) === JSON.stringify(idsOf(chosen.b));
  if (same) throw wrongParameter("b", "expected other nodes or another window than side A");
  const used = { a: chosen.a.used, b: chosen.b.used };
  const read = await readComparedSides(ctx, used, reach.value, input);
  return describeComparison(input, chosen, read);
}

const idsOf = ({ used }: ChosenSide) => used.map(({ nodeId }) => nodeId).sort((x, y) => x - y);
