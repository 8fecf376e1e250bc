import { z } from "zod";
import { rowId } from "#lib/contracts/common.ts";
import {
  changeImport as changeImportBody,
  historyImport,
  importList,
  startImport as startImportBody,
} from "#lib/contracts/history-import.ts";
import { changeImport } from "#lib/server/services/change-import.ts";
import { listImports } from "#lib/server/services/list-imports.ts";
import { startImport } from "#lib/server/services/start-import.ts";
import { defineRoute, Reply } from "../define-route.ts";

export const listImportsRoute = defineRoute({
  method: "GET",
  path: "/api/v1/imports",
  access: { role: "administrator" },
  summary: "Imports of history from a Prometheus, newest first, and how far they are",
  response: importList,
  handler: async ({ ctx }) => listImports({ ctx }),
});

export const startImportRoute = defineRoute({
  method: "POST",
  path: "/api/v1/imports",
  access: { role: "administrator" },
  summary: "Bring in the history that a Prometheus holds",
  description:
    "The worker begins at once, or when those before it are done. A bearer token is kept until the import ends or stands still, and is in no answer.",
  body: startImportBody,
  response: historyImport,
  successStatus: 201,
  handler: async ({ ctx, body }) =>
    new Reply(await startImport({ ctx, input: { ...body, runner: "worker" } }), 201),
});

export const changeImportRoute = defineRoute({
  method: "PATCH",
  path: "/api/v1/imports/{importId}",
  access: { role: "administrator" },
  summary: "Stop an import, or go on with one",
  params: z.strictObject({ importId: rowId }),
  body: changeImportBody,
  response: historyImport,
  handler: async ({ ctx, params, body }) => changeImport({ ctx, input: { ...body, ...params } }),
});
