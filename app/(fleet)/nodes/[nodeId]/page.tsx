import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { NodeView } from "#components/node/node-view.tsx";
import { loadNode } from "#lib/server/loaders/load-node.ts";

interface NodePageProps {
  readonly params: Promise<{ nodeId: string }>;
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export const metadata: Metadata = { title: "Node" };

/** One node: what grew, since when, what helped. */
export default async function NodePage({ params, searchParams }: NodePageProps) {
  const page = await loadNode((await params).nodeId, await searchParams);
  if (!page) notFound();
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      <title>{`${page.node.name} · Plumbline`}</title>
      <NodeView node={page.node} initialAddress={page.address} initial={page.data} />
    </main>
  );
}
