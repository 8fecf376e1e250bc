export { listPeopleRoute as GET } from "#lib/server/http/routes/accounts.ts";
