import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ObjectsView } from "#components/node/objects-view.tsx";
import { loadNodeSummary } from "#lib/server/loaders/load-node-window.ts";
import { loadObjects } from "#lib/server/loaders/load-objects.ts";

export async function generateMetadata({ params }: PageProps<"/nodes/[nodeId]/objects">): Promise<Metadata> {
  const node = await loadNodeSummary((await params).nodeId);
  return { title: node ? `Kernel objects of ${node.name}` : "Not found" };
}

/** What the kernel of one node counts of its own objects. */
export default async function ObjectsPage({ params, searchParams }: PageProps<"/nodes/[nodeId]/objects">) {
  const start = await loadObjects((await params).nodeId, await searchParams);
  if (!start) notFound();
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      <ObjectsView start={start} />
    </main>
  );
}
