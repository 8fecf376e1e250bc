export { listSharesRoute as GET, createShareRoute as POST } from "#lib/server/http/routes/shares.ts";
