import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { NodeView } from "#components/node/node-view.tsx";
import { loadNode } from "#lib/server/loaders/load-node.ts";
import { loadNodeSummary } from "#lib/server/loaders/load-node-window.ts";

interface NodePageProps {
  readonly params: Promise<{ nodeId: string }>;
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: NodePageProps): Promise<Metadata> {
  const node = await loadNodeSummary((await params).nodeId);
  return { title: node?.name ?? "Not found" };
}

/** One node: what grew, since when, what helped. */
export default async function NodePage({ params, searchParams }: NodePageProps) {
  const page = await loadNode((await params).nodeId, await searchParams);
  if (!page) notFound();
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      <NodeView
        node={page.node}
        defaults={page.defaults}
        initialAddress={page.address}
        initialDriver={page.driver}
        initial={page.data}
      />
    </main>
  );
}
