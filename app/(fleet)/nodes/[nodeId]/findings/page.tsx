import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { NodeFindingsView } from "#components/findings/node-findings-view.tsx";
import { loadNodeFindings } from "#lib/server/loaders/load-findings.ts";
import { loadNodeSummary } from "#lib/server/loaders/load-node-window.ts";

export async function generateMetadata({ params }: PageProps<"/nodes/[nodeId]/findings">): Promise<Metadata> {
  const node = await loadNodeSummary((await params).nodeId);
  return { title: node ? `Findings on ${node.name}` : "Not found" };
}

/** Known leaks on one node, and what to look at next. */
export default async function NodeFindingsPage({
  params,
  searchParams,
}: PageProps<"/nodes/[nodeId]/findings">) {
  const start = await loadNodeFindings((await params).nodeId, await searchParams);
  if (!start) notFound();
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      <NodeFindingsView start={start} />
    </main>
  );
}
