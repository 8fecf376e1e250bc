import "server-only";
import type { OpenShareList } from "#lib/contracts/share.ts";
import { listOpenShares } from "#lib/server/services/list-open-shares.ts";
import { pageContext } from "./page-context.ts";
import { pageNumberOf, type PageParameters } from "./page-parameters.ts";

const PAGE_SIZE = 50;

/** One part of the links that answer. */
export interface SharesPage extends OpenShareList {
  readonly page: number;
  readonly pageSize: number;
  readonly nowMs: number;
}

/** Reads one part of the links that answer. */
export async function loadShares(parameters: PageParameters): Promise<SharesPage> {
  const { ctx } = await pageContext("investigator");
  const page = pageNumberOf(parameters);
  const list = await listOpenShares({ ctx, input: { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE } });
  return { ...list, page, pageSize: PAGE_SIZE, nowMs: ctx.now() };
}
