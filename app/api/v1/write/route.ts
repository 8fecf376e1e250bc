export { remoteWriteRoute as POST } from "#lib/server/http/routes/prometheus.ts";
