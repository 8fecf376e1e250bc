export { changeImportRoute as PATCH } from "#lib/server/http/routes/imports.ts";
