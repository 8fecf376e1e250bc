export { revokeShareRoute as DELETE } from "#lib/server/http/routes/shares.ts";
