export { exportInvestigationRoute as GET } from "#lib/server/http/routes/exports.ts";
