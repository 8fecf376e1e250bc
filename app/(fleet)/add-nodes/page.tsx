import type { Metadata } from "next";
import { AddNodesView } from "#components/fleet/add-nodes-view.tsx";
import { loadAddNodes } from "#lib/server/loaders/load-add-nodes.ts";

export const metadata: Metadata = { title: "Add nodes" };

/** How nodes begin to report: a token, the commands, and the first snapshot as it comes. */
export default async function AddNodesPage() {
  const { server, files, tokens, clusters, knownNodeIds } = await loadAddNodes();
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      <AddNodesView
        server={server}
        files={files}
        tokens={tokens}
        clusters={clusters}
        knownNodeIds={knownNodeIds}
      />
    </main>
  );
}
