import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SourcesView } from "#components/node/sources-view.tsx";
import { loadNodeSummary } from "#lib/server/loaders/load-node-window.ts";
import { loadSources } from "#lib/server/loaders/load-sources.ts";

export async function generateMetadata({ params }: PageProps<"/nodes/[nodeId]/sources">): Promise<Metadata> {
  const node = await loadNodeSummary((await params).nodeId);
  return { title: node ? `Sources of ${node.name}` : "Not found" };
}

/** What one node's collector sees, and what not. */
export default async function SourcesPage({ params, searchParams }: PageProps<"/nodes/[nodeId]/sources">) {
  const start = await loadSources((await params).nodeId, await searchParams);
  if (!start) notFound();
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      <SourcesView start={start} />
    </main>
  );
}
