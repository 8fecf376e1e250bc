export { getInvestigationHistoryRoute as GET } from "#lib/server/http/routes/investigations.ts";
