export { ingestRawRoute as POST } from "#lib/server/http/routes/snapshots.ts";
