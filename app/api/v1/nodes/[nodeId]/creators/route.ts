export { listCreatorsRoute as GET } from "#lib/server/http/routes/nodes.ts";
