import { z } from "zod";
import {
  annotation,
  annotationList,
  annotationListQuery,
  createAnnotation as createAnnotationBody,
  updateAnnotation as updateAnnotationBody,
} from "#lib/contracts/annotation.ts";
import { rowId } from "#lib/contracts/common.ts";
import { createAnnotation } from "#lib/server/services/create-annotation.ts";
import { deleteAnnotation } from "#lib/server/services/delete-annotation.ts";
import { describeAnnotation } from "#lib/server/services/describe-annotation.ts";
import { findVisibleAnnotation } from "#lib/server/services/find-editable-annotation.ts";
import { listAnnotations } from "#lib/server/services/list-annotations.ts";
import { updateAnnotation } from "#lib/server/services/update-annotation.ts";
import { defineRoute, Reply } from "../define-route.ts";
import { readRange } from "../range.ts";

const params = z.strictObject({ annotationId: rowId });

export const listAnnotationsRoute = defineRoute({
  method: "GET",
  path: "/api/v1/annotations",
  access: { scope: "read" },
  summary: "Marks that touch a window, oldest first",
  query: annotationListQuery,
  response: annotationList,
  handler: async ({ ctx, query }) =>
    listAnnotations({
      ctx,
      input: { ...readRange(query, ctx.now()), nodeId: query.nodeId, kind: query.kind },
    }),
});

export const createAnnotationRoute = defineRoute({
  method: "POST",
  path: "/api/v1/annotations",
  access: { scope: "annotations:write" },
  summary: "Mark a moment or a stretch of time",
  description: "The scope is stored as written and as the nodes that it means now.",
  body: createAnnotationBody,
  response: annotation,
  successStatus: 201,
  handler: async ({ ctx, body }) => {
    const made = await createAnnotation({ ctx, input: body });
    return new Reply(made, 201, { location: `/api/v1/annotations/${made.annotationId}` });
  },
});

export const getAnnotationRoute = defineRoute({
  method: "GET",
  path: "/api/v1/annotations/{annotationId}",
  access: { scope: "read" },
  summary: "One mark",
  params,
  response: annotation,
  handler: async ({ ctx, params: { annotationId } }) =>
    describeAnnotation(await findVisibleAnnotation(ctx, annotationId)),
});

export const updateAnnotationRoute = defineRoute({
  method: "PATCH",
  path: "/api/v1/annotations/{annotationId}",
  access: { scope: "annotations:write" },
  summary: "Change a mark",
  description: "Marks that the machine made are records: 409. What is left out stays; null takes away.",
  params,
  body: updateAnnotationBody,
  response: annotation,
  handler: async ({ ctx, params: { annotationId }, body }) =>
    updateAnnotation({ ctx, input: { annotationId, changes: body } }),
});

export const deleteAnnotationRoute = defineRoute({
  method: "DELETE",
  path: "/api/v1/annotations/{annotationId}",
  access: { scope: "annotations:write" },
  summary: "Take a mark away",
  params,
  response: z.null(),
  successStatus: 204,
  handler: async ({ ctx, params: { annotationId } }) => {
    await deleteAnnotation({ ctx, input: { annotationId } });
    return new Reply(null, 204);
  },
});
