import { z } from "zod";
import { rowId } from "#lib/contracts/common.ts";
import { exportQuery } from "#lib/contracts/investigation-export.ts";
import type { ExportFormat } from "#lib/contracts/investigation-export.ts";
import { exportInvestigation } from "#lib/server/documents/export-investigation.ts";
import { attachment } from "../attachment.ts";
import { defineRoute, TextReply } from "../define-route.ts";
import { serverAddress } from "../peer.ts";

const FORMS = {
  markdown: { ending: "md", type: "text/markdown; charset=utf-8" },
  html: { ending: "html", type: "text/html; charset=utf-8" },
} as const satisfies Record<ExportFormat, { ending: string; type: `text/${string}` }>;

/** Whoever opens the file on this server after all gets it without scripts and as a page of nobody. */
const SHUT = { "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox" };

export const exportInvestigationRoute = defineRoute({
  method: "GET",
  path: "/api/v1/investigations/{investigationId}/export",
  access: { role: "viewer", scope: "read" },
  summary: "An investigation as a file, with everything that it pinned",
  description:
    "As it stands now. markdown: each sentence with its numbers, its window and the address of its view; html: one file with its " +
    "charts, which needs neither this server nor a script. With redacted=1 names of hosts and users and addresses are replaced, " +
    "and nothing leads back.",
  params: z.strictObject({ investigationId: rowId }),
  query: exportQuery,
  response: z.string(),
  contentType: "text/markdown",
  otherForms: ["text/html"],
  handler: async ({ ctx, runtime: { silentAfterMs }, params, query, request }) => {
    const origin = serverAddress(request.headers);
    const input = { ...params, ...query };
    const { text, name } = await exportInvestigation({ ctx, silentAfterMs, origin, input });
    const { ending, type } = FORMS[query.format];
    return new TextReply(text, type, { "content-disposition": attachment(name, ending), ...SHUT });
  },
});
