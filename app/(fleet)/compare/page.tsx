import type { Metadata } from "next";
import { CompareView } from "#components/compare/compare-view.tsx";
import { loadCompare } from "#lib/server/loaders/load-compare.ts";

export const metadata: Metadata = { title: "Compare" };

/** Two windows, nodes or cohorts on one clock, and how they differ. */
export default async function ComparePage({ searchParams }: PageProps<"/compare">) {
  const { choices, readAtMs, bootedAtMs, result } = await loadCompare(await searchParams);
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      <CompareView choices={choices} readAtMs={readAtMs} bootedAtMs={bootedAtMs} result={result} />
    </main>
  );
}
