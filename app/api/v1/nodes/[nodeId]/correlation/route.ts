export { getCorrelationRoute as GET } from "#lib/server/http/routes/nodes.ts";
