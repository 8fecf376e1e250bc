export { changePasswordRoute as POST } from "#lib/server/http/routes/accounts.ts";
