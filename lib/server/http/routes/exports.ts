import { z } from "zod";
import { rowId } from "#lib/contracts/common.ts";
import { investigationFile } from "#lib/contracts/investigation-content.ts";
import { exportQuery } from "#lib/contracts/investigation-export.ts";
import { investigation } from "#lib/contracts/investigation.ts";
import { htmlReport } from "#lib/exports/html-report.ts";
import { markdownReport } from "#lib/exports/markdown-report.ts";
import { investigationFileOf, readReport } from "#lib/server/documents/export-investigation.ts";
import { importInvestigation } from "#lib/server/documents/import-investigation.ts";
import { attachment } from "../attachment.ts";
import { defineRoute, Reply, TextReply } from "../define-route.ts";
import { serverAddress } from "../peer.ts";

/** Whoever opens the file on this server after all gets it without scripts and as a page of nobody. */
const SHUT = { "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox" };

export const exportInvestigationRoute = defineRoute({
  method: "GET",
  path: "/api/v1/investigations/{investigationId}/export",
  access: { role: "viewer", scope: "read" },
  summary: "An investigation as a file, with everything that it pinned",
  description:
    "As it stands now. markdown: each sentence with its numbers, its window and the address of its view; html: one file with its " +
    "charts, which needs neither this server nor a script; json: all of it, for another Plumbline to take in. With redacted=1 names " +
    "of hosts and users and addresses are replaced, and nothing leads back.",
  params: z.strictObject({ investigationId: rowId }),
  query: exportQuery,
  response: investigationFile,
  otherForms: ["text/markdown", "text/html"],
  handler: async ({ ctx, runtime: { silentAfterMs }, params: { investigationId }, query, request }) => {
    const { format, redacted } = query;
    const server = serverAddress(request.headers);
    const input = { investigationId, redacted, asFile: format === "json" };
    const report = await readReport({ ctx, silentAfterMs, server, input });
    const title = `investigation-${investigationId} ${report.document.head.title}`;
    const named = (ending: string) => ({ "content-disposition": attachment(title, ending), ...SHUT });
    switch (format) {
      case "markdown":
        return new TextReply(markdownReport(report), "text/markdown; charset=utf-8", named("md"));
      case "html":
        return new TextReply(htmlReport(report), "text/html; charset=utf-8", named("html"));
      case "json":
        return new Reply(investigationFileOf(report), 200, named("json"));
    }
  },
});

const MAX_FILE_BYTES = 32 * 1024 * 1024;

export const importInvestigationRoute = defineRoute({
  method: "POST",
  path: "/api/v1/investigations/import",
  access: { role: "investigator" },
  summary: "Take in an investigation that another Plumbline wrote down",
  description:
    "A file of format=json, up to 32 MiB, unchanged. It concerns no node here: its views show the data that came with it, and its " +
    "page says from where and when it came.",
  body: investigationFile,
  maxBodyBytes: MAX_FILE_BYTES,
  response: investigation,
  successStatus: 201,
  handler: async ({ ctx, body }) => {
    const made = await importInvestigation({ ctx, input: body });
    return new Reply(made, 201, { location: `/api/v1/investigations/${made.investigationId}` });
  },
});
