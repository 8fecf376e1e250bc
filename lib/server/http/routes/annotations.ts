import { z } from "zod";
import {
  annotation,
  annotationHistory,
  annotationList,
  annotationListQuery,
  annotationTagList,
  createAnnotation as createAnnotationBody,
  updateAnnotation as updateAnnotationBody,
} from "#lib/contracts/annotation.ts";
import { annotationCsv, annotationImport, readAnnotationCsv } from "#lib/contracts/annotation-csv.ts";
import { rowId } from "#lib/contracts/common.ts";
import { experiment, experimentList, experimentListQuery } from "#lib/contracts/experiment.ts";
import { createAnnotation } from "#lib/server/services/create-annotation.ts";
import { deleteAnnotation } from "#lib/server/services/delete-annotation.ts";
import { describeAnnotation } from "#lib/server/services/describe-annotation.ts";
import { findVisibleAnnotation } from "#lib/server/services/find-editable-annotation.ts";
import { getAnnotationHistory } from "#lib/server/services/get-annotation-history.ts";
import { importAnnotations } from "#lib/server/services/import-annotations.ts";
import {
  listAnnotations,
  listTags,
  type ListAnnotationsInput,
} from "#lib/server/services/list-annotations.ts";
import { getFollowUps, listExperiments } from "#lib/server/services/list-experiments.ts";
import { listVisibleNodes } from "#lib/server/services/resolve-scope.ts";
import { updateAnnotation } from "#lib/server/services/update-annotation.ts";
import type { Context } from "#lib/server/services/context.ts";
import { AppError } from "#lib/errors.ts";
import { defineRoute, Reply, TextReply } from "../define-route.ts";
import { readRange } from "../range.ts";
import { readPlainBody } from "../read-body.ts";

const params = z.strictObject({ annotationId: rowId });

const CSV = "text/csv; charset=utf-8";
const ATTACHED = { "content-disposition": 'attachment; filename="marks.csv"' };
const MAX_CSV_BYTES = 4 * 1024 * 1024;

function listInput(query: z.output<typeof annotationListQuery>, nowMs: number): ListAnnotationsInput {
  const { nodeId, kind, tag, search, state, limit, offset } = query;
  return {
    ...readRange(query, nowMs),
    nodeId,
    kinds: kind === undefined ? undefined : [kind].flat(),
    tags: tag === undefined ? undefined : [tag].flat(),
    search,
    deleted: state === "deleted",
    limit,
    offset,
  };
}

async function listAsCsv(ctx: Context, input: ListAnnotationsInput): Promise<string> {
  const [{ annotations }, nodes] = await Promise.all([
    listAnnotations({ ctx, input }),
    listVisibleNodes(ctx),
  ]);
  const names = new Map(nodes.map(({ nodeId, cluster, name }) => [nodeId, `${cluster}/${name}`]));
  return annotationCsv(annotations, ({ nodeIds }) => nodeIds.flatMap((nodeId) => names.get(nodeId) ?? []));
}

/** Whether a request names CSV in Accept, and JSON not before it. */
function wantsCsv(request: Request): boolean {
  const types = (request.headers.get("accept") ?? "").split(",").map((each) => each.split(";")[0]?.trim());
  const [csv, json] = [types.indexOf("text/csv"), types.indexOf("application/json")];
  return csv >= 0 && (json < 0 || csv < json);
}

export const listAnnotationsRoute = defineRoute({
  method: "GET",
  path: "/api/v1/annotations",
  access: { role: "viewer", scope: "read" },
  summary: "Marks that touch a window, oldest first",
  description: "With Accept: text/csv as a table, which can be imported again.",
  query: annotationListQuery,
  response: annotationList,
  otherForms: ["text/csv"],
  handler: async ({ ctx, query, request }) => {
    const input = listInput(query, ctx.now());
    if (wantsCsv(request)) return new TextReply(await listAsCsv(ctx, input), CSV, ATTACHED);
    return listAnnotations({ ctx, input });
  },
});

export const exportAnnotationsRoute = defineRoute({
  method: "GET",
  path: "/api/v1/annotations.csv",
  access: { role: "viewer", scope: "read" },
  summary: "Marks as CSV",
  description:
    "Times are ISO 8601 in UTC, scope and controls JSON. A cell that a spreadsheet would run as a formula begins with an " +
    "apostrophe, which an import takes away again.",
  query: annotationListQuery,
  response: z.string(),
  contentType: CSV,
  handler: async ({ ctx, query }) =>
    new Reply(await listAsCsv(ctx, listInput(query, ctx.now())), 200, ATTACHED),
});

export const importAnnotationsRoute = defineRoute({
  method: "POST",
  path: "/api/v1/annotations.csv",
  access: { role: "investigator", scope: "annotations:write" },
  summary: "Make marks from CSV, all or none",
  description:
    "A header with at, kind, title and scope, in any order, and optionally endsAt, text, tags and controls; other columns of an " +
    "export are passed over. A row that is a mark already makes no second. Errors name line and column.",
  rawBodies: { "text/csv": z.string() },
  response: annotationImport,
  handler: async ({ ctx, request }) => {
    const bytes = await readPlainBody(request, ["text/csv", "text/plain"], MAX_CSV_BYTES);
    const text = new TextDecoder().decode(bytes);
    const { rows, faults } = readAnnotationCsv(text);
    const [first] = faults;
    if (first !== undefined) {
      const issues = faults.slice(0, 20).map(({ line, column, message }) => ({
        path: column === "" ? `line ${line}` : `line ${line}: ${column}`,
        message,
      }));
      throw new AppError("unprocessable", `Nothing was imported: line ${first.line}: ${first.message}.`, {
        issues,
      });
    }
    return importAnnotations({ ctx, input: { rows } });
  },
});

export const listAnnotationTagsRoute = defineRoute({
  method: "GET",
  path: "/api/v1/annotations/tags",
  access: { role: "viewer", scope: "read" },
  summary: "Tags of marks, the most used first",
  query: z.object({ limit: z.coerce.number().int().min(1).max(1000).default(200) }),
  response: annotationTagList,
  handler: async ({ ctx, query }) => listTags({ ctx, input: query }),
});

export const getAnnotationHistoryRoute = defineRoute({
  method: "GET",
  path: "/api/v1/annotations/{annotationId}/history",
  access: { role: "viewer", scope: "read" },
  summary: "Everything that a mark ever said, and who wrote it",
  description: "Oldest first; also of a mark that was taken away.",
  params,
  response: annotationHistory,
  handler: async ({ ctx, params: { annotationId } }) =>
    getAnnotationHistory({ ctx, input: { annotationId } }),
});

export const createAnnotationRoute = defineRoute({
  method: "POST",
  path: "/api/v1/annotations",
  access: { role: "investigator", scope: "annotations:write" },
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
  access: { role: "viewer", scope: "read" },
  summary: "One mark",
  params,
  response: annotation,
  handler: async ({ ctx, params: { annotationId } }) =>
    describeAnnotation(await findVisibleAnnotation(ctx, annotationId)),
});

export const updateAnnotationRoute = defineRoute({
  method: "PATCH",
  path: "/api/v1/annotations/{annotationId}",
  access: { role: "investigator", scope: "annotations:write" },
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
  access: { role: "investigator", scope: "annotations:write" },
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
  access: { role: "viewer", scope: "read" },
  summary: "What was done over the fleet and what came of it, newest first",
  description: "Each intervention and deployment with its verdicts after 1 h, 6 h, 24 h and 7 d.",
  query: experimentListQuery,
  response: experimentList,
  handler: async ({ ctx, query }) => listExperiments({ ctx, input: query }),
});

export const getFollowUpsRoute = defineRoute({
  method: "GET",
  path: "/api/v1/annotations/{annotationId}/followups",
  access: { role: "viewer", scope: "read" },
  summary: "One experiment: where it stands, and the history of its verdicts",
  description:
    "Each verdict with the windows and the data that it was computed from, oldest first; those that late data or a changed " +
    "mark replaced have supersededAt.",
  params,
  response: experiment,
  handler: async ({ ctx, params: { annotationId } }) => getFollowUps({ ctx, input: { annotationId } }),
});
