export { importInvestigationRoute as POST } from "#lib/server/http/routes/exports.ts";
