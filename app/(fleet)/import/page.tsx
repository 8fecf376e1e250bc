import type { Metadata } from "next";
import { ImportView } from "#components/fleet/import-view.tsx";
import { loadImports } from "#lib/server/loaders/load-imports.ts";

export const metadata: Metadata = { title: "Import history" };

/** Brings in the history that a Prometheus holds, and shows how far each import is. */
export default async function ImportPage() {
  const { list, clusters, rawDays, readAtMs } = await loadImports();
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      <ImportView list={list} clusters={clusters} rawDays={rawDays} readAtMs={readAtMs} />
    </main>
  );
}
