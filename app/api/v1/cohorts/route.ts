export { compareCohortsRoute as GET } from "#lib/server/http/routes/cohorts.ts";
