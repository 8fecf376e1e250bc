export {
  listLogEntriesRoute as GET,
  addLogEntryRoute as POST,
} from "#lib/server/http/routes/investigations.ts";
