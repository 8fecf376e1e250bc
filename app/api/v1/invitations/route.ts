export {
  listInvitationsRoute as GET,
  makeInvitationRoute as POST,
} from "#lib/server/http/routes/accounts.ts";
