export { endSessionRoute as DELETE } from "#lib/server/http/routes/accounts.ts";
