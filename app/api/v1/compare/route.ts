import { compareRoute } from "#lib/server/http/routes/compare.ts";

export const GET = compareRoute;
