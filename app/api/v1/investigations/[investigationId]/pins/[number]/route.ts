export { removePinRoute as DELETE, changePinRoute as PATCH } from "#lib/server/http/routes/investigations.ts";
