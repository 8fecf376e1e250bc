import { notFound } from "next/navigation";
import { loadCloser } from "#lib/server/loaders/load-share.ts";

/** Points of a pinned chart of a live link within a part of its window, `from` to `to` in epoch milliseconds. */
export async function GET(request: Request, { params }: RouteContext<"/s/[token]/closer/[number]">) {
  const { token, number } = await params;
  const closer = await loadCloser(token, number, new URL(request.url).searchParams);
  if (closer === undefined) notFound();
  return Response.json(closer, { headers: { "cache-control": "private, no-store" } });
}
