import type { Metadata } from "next";
import { CohortView, CohortWrong } from "#components/cohorts/cohort-view.tsx";
import { loadCohorts } from "#lib/server/loaders/load-cohorts.ts";

export const metadata: Metadata = { title: "Cohorts" };

/** What leaking nodes have in common. */
export default async function CohortsPage({ searchParams }: PageProps<"/cohorts">) {
  const page = await loadCohorts(await searchParams);
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      {page.ok ? (
        <CohortView model={page.model} address={page.address} />
      ) : (
        <CohortWrong message={page.message} />
      )}
    </main>
  );
}
