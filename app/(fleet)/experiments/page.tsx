import type { Metadata } from "next";
import { ExperimentsView } from "#components/experiments/experiments-view.tsx";
import { WrongAddress } from "#components/ui/wrong-address.tsx";
import { loadExperiments } from "#lib/server/loaders/load-experiments.ts";

export const metadata: Metadata = { title: "Experiments" };

/** What was tried over the fleet, and what came of it. */
export default async function ExperimentsPage({
  searchParams,
}: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { rows, total, pageSize, filter, faults } = await loadExperiments(await searchParams);
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      <h1 className="pt-4 pb-1 text-xl font-semibold">What was tried, and what came of it</h1>
      <p className="pb-3 text-sm text-ink-2">
        Each intervention is followed by itself after 1 h, 6 h, 24 h and 7 d, and reopened when growth returns
        within a month. Times in UTC.
      </p>
      <WrongAddress faults={faults} instead="all that the rest of the address lets through" />
      <ExperimentsView key={filter.search} rows={rows} total={total} pageSize={pageSize} filter={filter} />
    </main>
  );
}
