export { listAuditRoute as GET } from "#lib/server/http/routes/accounts.ts";
