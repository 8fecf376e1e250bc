export { listOpenSharesRoute as GET } from "#lib/server/http/routes/shares.ts";
