export { rankFleetRoute as GET } from "#lib/server/http/routes/fleet.ts";
