export { ingestRoute as POST } from "#lib/server/http/routes/snapshots.ts";
