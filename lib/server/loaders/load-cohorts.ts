import "server-only";
import { readCohorts, type CohortReading } from "#lib/server/documents/read-cohorts.ts";
import { pageContext } from "./page-context.ts";
import { firstOf, type PageParameters } from "./page-parameters.ts";

/** Compares the nodes by what they report; without an attribute in the address by the one that separates best. */
export async function loadCohorts(parameters: PageParameters): Promise<CohortReading> {
  const { ctx } = await pageContext();
  return readCohorts(ctx, firstOf(parameters));
}
