import { z } from "zod";
import { defineRoute, type Route } from "../define-route.ts";
import { apiDocument } from "../route-registry.ts";

/** Not in the registry, which it describes; its own facts are there like those of any route. */
export const openApiRoute: Route = defineRoute({
  method: "GET",
  path: "/api/v1/openapi.json",
  access: "public",
  summary: "This document",
  response: z.record(z.string(), z.unknown()).meta({ description: "An OpenAPI 3.1 document" }),
  handler: async () => ({ ...apiDocument([openApiRoute.facts]) }),
});
