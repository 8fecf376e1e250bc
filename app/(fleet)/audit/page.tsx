import type { Metadata } from "next";
import { AuditView } from "#components/account/audit-view.tsx";
import { loadAudit } from "#lib/server/loaders/load-account.ts";

export const metadata: Metadata = { title: "Audit trail" };

/** Who wrote what, newest first. */
export default async function AuditPage({ searchParams }: PageProps<"/audit">) {
  const { list, filter, pageSize } = await loadAudit(await searchParams);
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      <h1 className="pt-4 pb-1 text-xl font-semibold">Audit trail</h1>
      <p className="pb-3 text-sm text-ink-2">Every change, and who made it. Times in UTC.</p>
      <AuditView {...list} filter={filter} pageSize={pageSize} />
    </main>
  );
}
