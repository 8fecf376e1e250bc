import type { Metadata } from "next";
import { MarksView } from "#components/marks/marks-view.tsx";
import { WrongAddress } from "#components/ui/wrong-address.tsx";
import { loadMarks } from "#lib/server/loaders/load-marks.ts";

export const metadata: Metadata = { title: "Marks" };

/** Every mark of the fleet: found, changed, taken away, and moved as CSV. */
export default async function MarksPage({
  searchParams,
}: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { faults, ...shown } = await loadMarks(await searchParams);
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      <h1 className="pt-4 pb-1 text-xl font-semibold">Marks</h1>
      <p className="pb-3 text-sm text-ink-2">
        What people did and saw, and what the machine noticed. Times in UTC.
      </p>
      <WrongAddress faults={faults} instead="all that the rest of the address lets through" />
      <MarksView {...shown} />
    </main>
  );
}
