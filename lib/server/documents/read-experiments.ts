import { experimentRows } from "#lib/charts/experiment-model.ts";
import type { ExperimentRow } from "#lib/charts/experiment-model.ts";
import { readPageNumber, readWord } from "#lib/charts/view-address.ts";
import type { AddressFault } from "#lib/charts/view-address.ts";
import { experimentListQuery } from "#lib/contracts/experiment.ts";
import type { Context } from "#lib/server/services/context.ts";
import { listExperiments } from "#lib/server/services/list-experiments.ts";

/** Experiments on one page of the log. */
const PAGE_SIZE = 50;

/** What the page of experiments shows, and how it was asked. */
export interface ExperimentsReading {
  readonly rows: readonly ExperimentRow[];
  readonly total: number;
  /** What of the address could not be read. */
  readonly faults: readonly AddressFault[];
  readonly pageSize: number;
  readonly filter: { search: string; status: string; kind: string; page: number };
}

/** Reads one page of the log; what its address has that cannot be read narrows nothing, and `faults` says so. */
export async function readExperiments(
  ctx: Context,
  parameter: (name: string) => string | undefined,
): Promise<ExperimentsReading> {
  const { status, kind, search } = experimentListQuery.shape;
  const faults: AddressFault[] = [];
  const known = {
    status: readWord("status", parameter("status") ?? "", status.unwrap().options, faults),
    kind: readWord("kind", parameter("kind") ?? "", kind.unwrap().options, faults),
    search: search.safeParse((parameter("search") ?? "").replaceAll("\u0000", "").trim()).data,
  };
  const page = readPageNumber(parameter("page") ?? "", faults);
  const { experiments, total } = await listExperiments({
    ctx,
    input: { ...known, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE },
  });
  return {
    rows: experimentRows(experiments, { zone: "UTC", nowMs: ctx.now() }),
    total,
    faults,
    pageSize: PAGE_SIZE,
    filter: { search: known.search ?? "", status: known.status ?? "", kind: known.kind ?? "", page },
  };
}
