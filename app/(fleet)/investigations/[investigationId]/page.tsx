import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { InvestigationView } from "#components/investigation/investigation-view.tsx";
import { loadInvestigation, loadInvestigationHead } from "#lib/server/loaders/load-investigations.ts";

type Props = PageProps<"/investigations/[investigationId]">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const investigation = await loadInvestigationHead((await params).investigationId);
  return { title: investigation?.title ?? "Not found" };
}

/** One investigation as a document. */
export default async function InvestigationPage({ params }: Props) {
  const page = await loadInvestigation((await params).investigationId);
  if (!page) notFound();
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      <InvestigationView key={page.investigation.investigationId} {...page} />
    </main>
  );
}
