export { replaceShareRoute as POST } from "#lib/server/http/routes/shares.ts";
