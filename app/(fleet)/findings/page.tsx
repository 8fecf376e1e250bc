import type { Metadata } from "next";
import { FleetFindingsView } from "#components/findings/fleet-findings-view.tsx";
import { WrongAddress } from "#components/ui/wrong-address.tsx";
import { loadFindings } from "#lib/server/loaders/load-findings.ts";

export const metadata: Metadata = { title: "Findings" };

/** Known leaks over the fleet. */
export default async function FindingsPage({ searchParams }: PageProps<"/findings">) {
  const { faults, ...page } = await loadFindings(await searchParams);
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      <WrongAddress faults={faults} instead="all that the rest of the address lets through" />
      <FleetFindingsView {...page} />
    </main>
  );
}
