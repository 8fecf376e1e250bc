export {
  deleteInvestigationRoute as DELETE,
  getInvestigationRoute as GET,
  updateInvestigationRoute as PATCH,
} from "#lib/server/http/routes/investigations.ts";
