import { z } from "zod";
import {
  annotation,
  annotationList,
  annotationListQuery,
  createAnnotation as createAnnotationBody,
  updateAnnotation as updateAnnotationBody,
} from "#lib/contracts/annotation.ts";
import { rowId } from "#lib/contracts/common.ts";
import { experiment, experimentList, experimentListQuery } from "#lib/contracts/experiment.ts";
import { createAnnotation } from "#lib/server/services/create-annotation.ts";
import { deleteAnnotation } from "#lib/server/services/delete-annotation.ts";
import { describeAnnotation } from "#lib/server/services/describe-annotation.ts";
import { findVisibleAnnotation } from "#lib/server/services/find-editable-annotation.ts";
import { listAnnotations } from "#lib/server/services/list-annotations.ts";
import { getFollowUps, listExperiments } from "#lib/server/services/list-experiments.ts";
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
  description:
    "Scope and controls are stored as written and as the nodes that they mean now. Interventions and deployments are " +
    "followed: see followups.",
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
  description:
    "Marks that the machine made are records: 409. What is left out stays; null takes away. Another time, other nodes or " +
    "controls begin the following anew; what was found stays in the history.",
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

export const listExperimentsRoute = defineRoute({
  method: "GET",
  path: "/api/v1/experiments",
  access: { scope: "read" },
  summary: "What was done over the fleet and what came of it, newest first",
  description: "Each intervention and deployment with its verdicts after 1 h, 6 h, 24 h and 7 d.",
  query: experimentListQuery,
  response: experimentList,
  handler: async ({ ctx, query }) => listExperiments({ ctx, input: query }),
});

export const getFollowUpsRoute = defineRoute({
  method: "GET",
  path: "/api/v1/annotations/{annotationId}/followups",
  access: { scope: "read" },
  summary: "One experiment: where it stands, and the history of its verdicts",
  description:
    "Each verdict with the windows and the data that it was computed from, oldest first; those that late data or a changed " +
    "mark replaced have supersededAt.",
  params,
  response: experiment,
  handler: async ({ ctx, params: { annotationId } }) => getFollowUps({ ctx, input: { annotationId } }),
});
