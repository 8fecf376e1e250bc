export {
  createInvestigationRoute as POST,
  listInvestigationsRoute as GET,
} from "#lib/server/http/routes/investigations.ts";
