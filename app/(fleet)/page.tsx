import type { Metadata } from "next";
import { FleetAnswerHead } from "#components/fleet/fleet-answer-head.tsx";
import { FleetEmpty } from "#components/fleet/fleet-empty.tsx";
import { FleetView } from "#components/fleet/fleet-view.tsx";
import { loadFleet } from "#lib/server/loaders/load-fleet.ts";

export const metadata: Metadata = { title: "Fleet" };

/** Which nodes leak, how fast, how long they last. */
export default async function FleetPage() {
  const { rows, answer, readAtMs, server, total } = await loadFleet();
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      {answer ? <FleetAnswerHead answer={answer} /> : <FleetEmpty server={server} />}
      <FleetView rows={rows} total={total} readAtMs={readAtMs} />
    </main>
  );
}
