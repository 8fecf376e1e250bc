import "server-only";
import { readExperiments, type ExperimentsReading } from "#lib/server/documents/read-experiments.ts";
import { pageContext } from "./page-context.ts";
import { firstOf, type PageParameters } from "./page-parameters.ts";

/** Reads one page of the log; what its address has that cannot be read narrows nothing, and `faults` says so. */
export async function loadExperiments(parameters: PageParameters): Promise<ExperimentsReading> {
  const { ctx } = await pageContext();
  return readExperiments(ctx, firstOf(parameters));
}
