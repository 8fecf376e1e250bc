import { notFound } from "next/navigation";
import { loadFrozenShare } from "#lib/server/loaders/load-share.ts";

/** What a frozen link keeps, to the byte: its SHA-256 is the one that the page shows. */
export async function GET(_request: Request, { params }: RouteContext<"/s/[token]/content">) {
  const content = await loadFrozenShare((await params).token);
  if (content === undefined) notFound();
  return new Response(content, {
    headers: {
      "content-type": "application/json",
      "content-disposition": 'attachment; filename="shared-investigation.json"',
      "cache-control": "private, no-store",
    },
  });
}
