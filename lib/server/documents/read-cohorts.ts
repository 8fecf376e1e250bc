import { cohortModel, readCohortAddress } from "#lib/charts/cohort-model.ts";
import type { CohortAddress, CohortModel } from "#lib/charts/cohort-model.ts";
import { cohortQuery } from "#lib/contracts/cohort.ts";
import { AppError } from "#lib/errors.ts";
import { compareCohorts } from "#lib/server/services/compare-cohorts.ts";
import type { Context } from "#lib/server/services/context.ts";

/** What the cohort page shows, or why its address cannot be shown. */
export type CohortReading = { readonly address: CohortAddress } & (
  { readonly ok: true; readonly model: CohortModel } | { readonly ok: false; readonly message: string }
);

/** Compares the nodes by what they report; without an attribute in the address by the one that separates best. */
export async function readCohorts(
  ctx: Context,
  parameter: (name: string) => string | undefined,
): Promise<CohortReading> {
  const address = readCohortAddress(parameter);
  const query = cohortQuery.safeParse(address);
  if (!query.success) {
    const [issue] = query.error.issues;
    return {
      address,
      ok: false,
      message: `The address is wrong at ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}.`,
    };
  }
  try {
    const data = await compareCohorts({ ctx, input: { ...query.data, orBest: true } });
    return { address, ok: true, model: cohortModel(data, address) };
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid")
      return { address, ok: false, message: error.message };
    throw error;
  }
}
