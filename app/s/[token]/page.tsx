import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ShareView } from "#components/share/share-view.tsx";
import { UnlockForm } from "#components/share/unlock-form.tsx";
import { PICTURE_PX } from "#components/share/share-picture.tsx";
import { loadServerAddress, loadShare, summariseShare } from "#lib/server/loaders/load-share.ts";

type Props = PageProps<"/s/[token]">;

const robots = { index: false, follow: false };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { token } = await params;
  const share = await loadShare(token);
  // The form is sent to this server alone, which must be told that it comes from a page of its own.
  if (share?.kind === "locked") return { title: "Shared investigation", robots, referrer: "same-origin" };
  if (share === undefined) return { title: "Not found", robots, referrer: "no-referrer" };
  const title = share.head.title;
  const description = await summariseShare(share);
  const images = [{ url: `/s/${token}/picture`, ...PICTURE_PX, alt: title }];
  return {
    metadataBase: await loadServerAddress(),
    title,
    description,
    robots,
    referrer: "no-referrer",
    openGraph: { type: "article", siteName: "Plumbline", title, description, images },
    twitter: { card: "summary_large_image", title, description, images },
  };
}

/** An investigation for whoever has its link: to be read, with nothing that writes. */
export default async function SharePage({ params, searchParams }: Props) {
  const { token } = await params;
  const share = await loadShare(token);
  if (share === undefined) notFound();
  if (share.kind === "locked") return <UnlockForm token={token} tried={(await searchParams)["tried"]} />;
  const { head, readings, effects, frozen } = share;
  return (
    <ShareView
      head={head}
      readings={readings}
      effects={effects}
      closerPath={frozen ? undefined : `/s/${token}/closer`}
      frozen={frozen && { ...frozen, contentHref: `/s/${token}/content` }}
    />
  );
}
