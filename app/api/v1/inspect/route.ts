export { inspectRoute as POST } from "#lib/server/http/routes/inspect.ts";
