import { z } from "zod";
import { rowId } from "#lib/contracts/common.ts";
import {
  createShare,
  madeShare,
  openShareList,
  openShareQuery,
  shareList,
  unlockShare as unlockBody,
} from "#lib/contracts/share.ts";
import { AppError } from "#lib/errors.ts";
import { shareInvestigation } from "#lib/server/documents/share-investigation.ts";
import { replaceShare, revokeShare } from "#lib/server/services/change-share.ts";
import { listOpenShares } from "#lib/server/services/list-open-shares.ts";
import { listShares } from "#lib/server/services/list-shares.ts";
import { shareTokenHash } from "#lib/server/services/share-format.ts";
import { unlockShare } from "#lib/server/services/unlock-share.ts";
import { defineRoute, Reply } from "../define-route.ts";
import { readPlainBody } from "../read-body.ts";
import { limitSignIns, sentCookie } from "../session-cookie.ts";
import { SHARE_COOKIE } from "../share-visit.ts";

const BASE = "/api/v1/investigations/{investigationId}/shares";
const access = { role: "investigator" } as const;
const params = z.strictObject({ investigationId: rowId });
const shareParams = params.extend({ shareId: rowId });

export const listSharesRoute = defineRoute({
  method: "GET",
  path: BASE,
  access,
  summary: "Links to an investigation, newest first",
  description: "Those that cannot be opened any more too; without their addresses.",
  params,
  response: shareList,
  handler: async ({ ctx, params: input }) => listShares({ ctx, input }),
});

export const createShareRoute = defineRoute({
  method: "POST",
  path: BASE,
  access,
  summary: "Make a link to an investigation; its address is in this answer and nowhere else",
  description:
    "Whoever has it reads that investigation without an account: its texts, its log, and what it pinned of its own nodes. A live " +
    "link follows the data. A frozen one is copied before the answer comes; meanwhile the list says how far that is.",
  params,
  body: createShare,
  response: madeShare,
  successStatus: 201,
  handler: async ({ ctx, runtime: { silentAfterMs }, params: { investigationId }, body }) =>
    new Reply(await shareInvestigation({ ctx, silentAfterMs, input: { investigationId, share: body } }), 201),
});

export const replaceShareRoute = defineRoute({
  method: "POST",
  path: `${BASE}/{shareId}/address`,
  access,
  summary: "Give a link another address; the old one ends at once",
  params: shareParams,
  response: madeShare,
  handler: async ({ ctx, params: input }) => replaceShare({ ctx, input }),
});

export const revokeShareRoute = defineRoute({
  method: "DELETE",
  path: `${BASE}/{shareId}`,
  access,
  summary: "End a link at once",
  params: shareParams,
  response: z.null(),
  successStatus: 204,
  handler: async ({ ctx, params: input }) => {
    await revokeShare({ ctx, input });
    return new Reply(null, 204);
  },
});

export const listOpenSharesRoute = defineRoute({
  method: "GET",
  path: "/api/v1/shares",
  access,
  summary: "All links that answer, newest first",
  description: "Also frozen links of investigations that were taken away; without their addresses.",
  query: openShareQuery,
  response: openShareList,
  handler: async ({ ctx, query }) => listOpenShares({ ctx, input: query }),
});

const FORM = "application/x-www-form-urlencoded";

export const unlockShareRoute = defineRoute({
  method: "POST",
  path: "/api/v1/shares/unlock",
  access: "public",
  summary: "Give the password of a link, as the form on its page does",
  description:
    "Leads back to the page of the link. 20 attempts from an address and 10 at one link at once, then one every 5 s and 30 s.",
  rawBodies: { [FORM]: unlockBody },
  response: z.null(),
  successStatus: 204,
  otherStatuses: { 303: "Back to the page of the link" },
  handler: async ({ ctx, runtime, request }) => {
    const form = new URLSearchParams(new TextDecoder().decode(await readPlainBody(request, [FORM], 4096)));
    const body = unlockBody.safeParse(Object.fromEntries(form));
    if (!body.success) throw new AppError("unprocessable", `Expected token and password as ${FORM}.`);
    const { token } = body.data;
    const path = `/s/${encodeURIComponent(token)}`;
    const backTo = (location: string, headers: Record<string, string> = {}) =>
      new Reply(null, 303, { location, ...headers });
    try {
      limitSignIns(runtime, request, `share ${shareTokenHash(token)}`);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "rate_limited") throw error;
      return backTo(`${path}?tried=often`);
    }
    const key = await unlockShare({ db: ctx.db, nowMs: ctx.now(), input: body.data });
    if (key === undefined) return backTo(`${path}?tried=wrong`);
    const cookie = sentCookie(request, `${SHARE_COOKIE}=${key}; Path=${path}; HttpOnly; SameSite=Lax`);
    return backTo(path, { "set-cookie": cookie });
  },
});
