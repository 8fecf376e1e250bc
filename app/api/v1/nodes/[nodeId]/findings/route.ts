export { listNodeFindingsRoute as GET } from "#lib/server/http/routes/findings.ts";
