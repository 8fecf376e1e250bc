export {
  listSessionsRoute as GET,
  signOutEverywhereRoute as DELETE,
} from "#lib/server/http/routes/accounts.ts";
