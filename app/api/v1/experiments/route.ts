export { listExperimentsRoute as GET } from "#lib/server/http/routes/annotations.ts";
