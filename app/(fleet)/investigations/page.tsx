import type { Metadata } from "next";
import { InvestigationsView } from "#components/investigation/investigations-view.tsx";
import { WrongAddress } from "#components/ui/wrong-address.tsx";
import { loadInvestigations } from "#lib/server/loaders/load-investigations.ts";

export const metadata: Metadata = { title: "Investigations" };

/** What is being looked into, and what was found. */
export default async function InvestigationsPage({ searchParams }: PageProps<"/investigations">) {
  const { faults, ...shown } = await loadInvestigations(await searchParams);
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      <h1 className="pt-4 pb-1 text-xl font-semibold">Investigations</h1>
      <p className="pb-3 text-sm text-ink-2">
        What is looked into, with its evidence, hypotheses and log. Times in UTC.
      </p>
      <WrongAddress faults={faults} instead="all that the rest of the address lets through" />
      <InvestigationsView key={shown.filter.search} {...shown} />
    </main>
  );
}
