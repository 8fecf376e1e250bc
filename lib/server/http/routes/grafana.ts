import {
  grafanaAnnotationBody,
  grafanaAnnotationMade,
  grafanaAnnotationQuery,
  grafanaAnnotations,
} from "#lib/contracts/grafana.ts";
import { createGrafanaAnnotation, listGrafanaAnnotations } from "#lib/server/services/grafana-annotations.ts";
import { defineRoute } from "../define-route.ts";

export const createGrafanaAnnotationRoute = defineRoute({
  method: "POST",
  path: "/api/annotations",
  access: { role: "investigator", scope: "annotations:write" },
  summary: "Mark as Grafana's clients do",
  description:
    "Takes the body of Grafana's annotations API and answers as it does. Without a tag node:NAME or cluster:NAME the mark is " +
    "about all nodes of the token's cluster; a tag that is a kind (intervention, deploy, incident, note) is the kind.",
  body: grafanaAnnotationBody,
  response: grafanaAnnotationMade,
  handler: async ({ ctx, body }) => ({
    message: "Annotation added",
    id: await createGrafanaAnnotation({ ctx, input: body }),
  }),
});

export const listGrafanaAnnotationsRoute = defineRoute({
  method: "GET",
  path: "/api/annotations",
  access: { role: "viewer", scope: "read" },
  summary: "Marks as Grafana reads annotations, newest first",
  query: grafanaAnnotationQuery,
  response: grafanaAnnotations,
  handler: async ({ ctx, query }) => {
    if (query.type === "alert") return [];
    const tags = query.tags === undefined ? [] : [query.tags].flat();
    return listGrafanaAnnotations({
      ctx,
      input: {
        fromMs: query.from,
        toMs: query.to === 0 ? undefined : query.to,
        tags: tags.filter(Boolean),
        matchAny: query.matchAny === "true",
        limit: query.limit,
      },
    });
  },
});
