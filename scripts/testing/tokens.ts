import { issuedToken, type IssueToken } from "#lib/contracts/token.ts";
import { issueTokenRoute } from "#lib/server/http/routes/tokens.ts";
import { answerOf, callRoute } from "./route-client.ts";

/** Makes a token, as the person at the machine does, from routes that have their database. @returns its secret. */
export async function issueToken(token: IssueToken): Promise<string> {
  const response = await callRoute(issueTokenRoute, { as: { local: true }, json: token });
  return (await answerOf(response, issuedToken)).secret;
}

/** A token of cluster east for reading and for marks. */
export function issueEastToken(): Promise<string> {
  return issueToken({ name: "ci of east", cluster: "east", scopes: ["read", "annotations:write"] });
}
