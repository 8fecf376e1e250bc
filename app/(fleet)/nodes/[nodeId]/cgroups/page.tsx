import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { CgroupsView } from "#components/node/cgroups-view.tsx";
import { loadNodeSummary } from "#lib/server/loaders/load-node-window.ts";
import { loadCgroups } from "#lib/server/loaders/load-cgroups.ts";

export async function generateMetadata({ params }: PageProps<"/nodes/[nodeId]/cgroups">): Promise<Metadata> {
  const node = await loadNodeSummary((await params).nodeId);
  return { title: node ? `Memory cgroups of ${node.name}` : "Not found" };
}

/** One node's memory cgroups: ids against their limit, live and dying. */
export default async function CgroupsPage({ params, searchParams }: PageProps<"/nodes/[nodeId]/cgroups">) {
  const start = await loadCgroups((await params).nodeId, await searchParams);
  if (!start) notFound();
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      <CgroupsView start={start} />
    </main>
  );
}
