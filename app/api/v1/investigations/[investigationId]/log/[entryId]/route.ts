export {
  removeLogEntryRoute as DELETE,
  changeLogEntryRoute as PATCH,
} from "#lib/server/http/routes/investigations.ts";
