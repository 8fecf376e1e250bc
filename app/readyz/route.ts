export { readyzRoute as GET } from "#lib/server/http/routes/health.ts";
