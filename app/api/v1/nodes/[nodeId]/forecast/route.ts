export { listForecastsRoute as GET } from "#lib/server/http/routes/nodes.ts";
