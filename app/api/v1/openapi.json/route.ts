export { openApiRoute as GET } from "#lib/server/http/routes/openapi.ts";
