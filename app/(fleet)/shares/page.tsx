import type { Metadata } from "next";
import { SharesView } from "#components/share/shares-view.tsx";
import { loadShares } from "#lib/server/loaders/load-shares.ts";

export const metadata: Metadata = { title: "Share links" };

/** Every link that somebody without an account can read, and the way to end it. */
export default async function SharesPage({ searchParams }: PageProps<"/shares">) {
  const shown = await loadShares(await searchParams);
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      <h1 className="pt-4 pb-1 text-xl font-semibold">Share links</h1>
      <p className="pb-3 text-sm text-ink-2">
        Every link that opens without an account, also of investigations that were deleted. Times in UTC.
      </p>
      <SharesView {...shown} />
    </main>
  );
}
