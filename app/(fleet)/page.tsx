import type { Metadata } from "next";
import { FleetAnswerHead } from "#components/fleet/fleet-answer-head.tsx";
import { FleetCohort } from "#components/fleet/fleet-cohort.tsx";
import { FleetEmpty } from "#components/fleet/fleet-empty.tsx";
import { FleetView } from "#components/fleet/fleet-view.tsx";
import { WrongAddress } from "#components/ui/wrong-address.tsx";
import { windowText } from "#lib/charts/fleet-model.ts";
import { loadFleet } from "#lib/server/loaders/load-fleet.ts";

export const metadata: Metadata = { title: "Fleet" };

/** Which nodes leak, how fast, how long they last. */
export default async function FleetPage({ searchParams }: PageProps<"/">) {
  const { rows, answer, shown, readAtMs, server, total, cohort, faults } = await loadFleet(
    await searchParams,
  );
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      <WrongAddress faults={faults} instead={`${shown.metric.label} over ${windowText(shown.window)}`} />
      {cohort ? <FleetCohort text={cohort.text} wrong={cohort.wrong} nodes={rows.length} /> : null}
      {answer ? <FleetAnswerHead answer={answer} /> : cohort ? null : <FleetEmpty server={server} />}
      <FleetView rows={rows} shown={shown} total={total} readAtMs={readAtMs} />
    </main>
  );
}
