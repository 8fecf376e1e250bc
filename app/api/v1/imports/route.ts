export { listImportsRoute as GET, startImportRoute as POST } from "#lib/server/http/routes/imports.ts";
