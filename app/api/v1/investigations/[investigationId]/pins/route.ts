export { addPinRoute as POST } from "#lib/server/http/routes/investigations.ts";
