export { getDirectoryGrowthRoute as GET } from "#lib/server/http/routes/nodes.ts";
