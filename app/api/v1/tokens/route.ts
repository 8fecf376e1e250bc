export { issueTokenRoute as POST, listTokensRoute as GET } from "#lib/server/http/routes/tokens.ts";
