export { addHypothesisRoute as POST } from "#lib/server/http/routes/investigations.ts";
