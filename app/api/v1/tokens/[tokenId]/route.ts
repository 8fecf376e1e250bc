export { revokeTokenRoute as DELETE } from "#lib/server/http/routes/tokens.ts";
