import type { Metadata } from "next";
import { BlindnessView } from "#components/fleet/blindness-view.tsx";
import { loadBlindness } from "#lib/server/loaders/load-blindness.ts";

export const metadata: Metadata = { title: "Sources" };

/** Which nodes are blind to what. */
export default async function BlindnessPage() {
  const { found, nodes } = await loadBlindness();
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      <BlindnessView found={found} nodes={nodes} />
    </main>
  );
}
