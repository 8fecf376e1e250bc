export { metricsRoute as GET } from "#lib/server/http/routes/metrics.ts";
