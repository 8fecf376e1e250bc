import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { DirectoriesView } from "#components/node/directories-view.tsx";
import { loadNodeSummary } from "#lib/server/loaders/load-node-window.ts";
import { loadDirectories } from "#lib/server/loaders/load-directories.ts";

export async function generateMetadata({
  params,
}: PageProps<"/nodes/[nodeId]/directories">): Promise<Metadata> {
  const node = await loadNodeSummary((await params).nodeId);
  return { title: node ? `Directories of ${node.name}` : "Not found" };
}

/** One node's watched directories and tmpfs mounts. */
export default async function DirectoriesPage({
  params,
  searchParams,
}: PageProps<"/nodes/[nodeId]/directories">) {
  const start = await loadDirectories((await params).nodeId, await searchParams);
  if (!start) notFound();
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      <DirectoriesView start={start} />
    </main>
  );
}
