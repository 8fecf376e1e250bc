export { keepPastedRoute as POST } from "#lib/server/http/routes/snapshots.ts";
