import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { ShareView } from "#components/share/share-view.tsx";
import { ReplacementTable } from "#components/ui/replacement-table.tsx";
import { promised } from "#lib/charts/shared-document.ts";
import { loadSharePreview } from "#lib/server/loaders/load-share-preview.ts";

export const metadata: Metadata = { title: "What a link shows" };

/** What a link to an investigation would show, before it is made. */
export default async function SharePreviewPage({
  params,
  searchParams,
}: PageProps<"/investigations/[investigationId]/preview">) {
  const { investigationId } = await params;
  const preview = await loadSharePreview(investigationId, await searchParams);
  if (preview === undefined) notFound();
  const { document, replacements } = preview;
  return (
    <>
      <section
        aria-label="About this preview"
        className="mx-auto mt-3 max-w-[1180px] border border-dashed border-line-3 px-page py-2 text-sm"
      >
        <p>
          A preview: what a link made now would show.{" "}
          <Link href={`/investigations/${investigationId}`} className="underline">
            Back to the investigation
          </Link>
        </p>
        {replacements === undefined ? null : <ReplacementTable replacements={replacements} />}
      </section>
      <ShareView
        head={document.head}
        readings={promised(document.readings)}
        effects={promised(document.effects)}
        frozen={undefined}
      />
    </>
  );
}
