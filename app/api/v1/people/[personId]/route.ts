export { changePersonRoute as PATCH } from "#lib/server/http/routes/accounts.ts";
