import { notFound } from "next/navigation";
import { ImageResponse } from "next/og";
import { PICTURE_PX, SharePicture } from "#components/share/share-picture.tsx";
import { loadSharePicture } from "#lib/server/loaders/load-share.ts";

/** What a chat shows of a link. */
export async function GET(_request: Request, { params }: RouteContext<"/s/[token]/picture">) {
  const picture = await loadSharePicture((await params).token);
  if (picture === undefined) notFound();
  return new ImageResponse(<SharePicture picture={picture} />, {
    ...PICTURE_PX,
    headers: { "cache-control": "private, no-store" },
  });
}
