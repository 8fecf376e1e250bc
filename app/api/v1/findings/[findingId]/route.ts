export { updateFindingRoute as PATCH } from "#lib/server/http/routes/findings.ts";
