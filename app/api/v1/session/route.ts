export { signInRoute as POST, signOutRoute as DELETE } from "#lib/server/http/routes/accounts.ts";
