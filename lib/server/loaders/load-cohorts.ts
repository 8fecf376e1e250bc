import "server-only";
import { cohortModel, readCohortAddress } from "#lib/charts/cohort-model.ts";
import type { CohortAddress, CohortModel } from "#lib/charts/cohort-model.ts";
import { cohortQuery } from "#lib/contracts/cohort.ts";
import { AppError } from "#lib/errors.ts";
import { compareCohorts } from "#lib/server/services/compare-cohorts.ts";
import { pageContext } from "./page-context.ts";
import { firstOf, type PageParameters } from "./page-parameters.ts";

/** What the cohort page shows, or why its address cannot be shown. */
export type CohortPage = { readonly address: CohortAddress } & (
  { readonly ok: true; readonly model: CohortModel } | { readonly ok: false; readonly message: string }
);

/** Compares the nodes by what they report; without an attribute in the address the one that separates best. */
export async function loadCohorts(parameters: PageParameters): Promise<CohortPage> {
  const { ctx } = await pageContext();
  const address = readCohortAddress(firstOf(parameters));
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
