export { getAnnotationHistoryRoute as GET } from "#lib/server/http/routes/annotations.ts";
