import { z } from "zod";
import { rowId } from "#lib/contracts/common.ts";
import { issuedToken, issueToken as issueTokenBody, tokenList } from "#lib/contracts/token.ts";
import { issueToken } from "#lib/server/services/issue-token.ts";
import { listTokens } from "#lib/server/services/list-tokens.ts";
import { revokeToken } from "#lib/server/services/revoke-token.ts";
import { defineRoute, Reply } from "../define-route.ts";

export const listTokensRoute = defineRoute({
  method: "GET",
  path: "/api/v1/tokens",
  access: { role: "administrator" },
  summary: "All tokens, newest first, without their secrets",
  response: tokenList,
  handler: async ({ ctx }) => listTokens({ ctx }),
});

export const issueTokenRoute = defineRoute({
  method: "POST",
  path: "/api/v1/tokens",
  access: { role: "administrator" },
  summary: "Make a token; its secret is in this answer and nowhere else",
  body: issueTokenBody,
  response: issuedToken,
  successStatus: 201,
  handler: async ({ ctx, body }) => new Reply(await issueToken({ ctx, input: body }), 201),
});

export const revokeTokenRoute = defineRoute({
  method: "DELETE",
  path: "/api/v1/tokens/{tokenId}",
  access: { role: "administrator" },
  summary: "End a token",
  params: z.strictObject({ tokenId: rowId }),
  response: z.null(),
  successStatus: 204,
  handler: async ({ ctx, params }) => {
    await revokeToken({ ctx, input: params });
    return new Reply(null, 204);
  },
});
