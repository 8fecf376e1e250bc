import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SlabView } from "#components/node/slab-view.tsx";
import { loadNodeSummary } from "#lib/server/loaders/load-node-window.ts";
import { loadSlab } from "#lib/server/loaders/load-slab.ts";

export async function generateMetadata({ params }: PageProps<"/nodes/[nodeId]/slab">): Promise<Metadata> {
  const node = await loadNodeSummary((await params).nodeId);
  return { title: node ? `Slab caches of ${node.name}` : "Not found" };
}

/** One node's slab caches: what they hold, which grow. */
export default async function SlabPage({ params, searchParams }: PageProps<"/nodes/[nodeId]/slab">) {
  const start = await loadSlab((await params).nodeId, await searchParams);
  if (!start) notFound();
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      <SlabView start={start} />
    </main>
  );
}
