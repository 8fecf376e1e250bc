import { z } from "zod";
import { ingestReceipt, keepQuery, rawQuery, type IngestReceipt } from "#lib/contracts/ingest.ts";
import { snapshotSchema } from "#lib/domain/snapshot/schema.ts";
import { ingestSnapshots } from "#lib/server/services/ingest-snapshots.ts";
import type { Context } from "#lib/server/services/context.ts";
import { defineRoute } from "../define-route.ts";
import { countIngest } from "../metrics.ts";
import { ProblemWithCode } from "../problem.ts";
import { readRawBody } from "../read-raw-body.ts";
import { readSnapshotBody, type SnapshotBody } from "../read-snapshot-body.ts";

/**
 * `POST /api/v1/snapshots`. The web entry may call it without Next.js: it needs a `Request` and nothing else.
 */
export const ingestRoute = defineRoute({
  method: "POST",
  path: "/api/v1/snapshots",
  access: { tokenScope: "snapshots:write" },
  summary: "Store snapshots of nodes",
  description:
    "One snapshot, a batch, or one a line; optionally Content-Encoding: gzip. Idempotent by node and time. " +
    "200 means that everything not listed under rejected is stored durably. Codes: invalid and too_old are " +
    "permanent, clock_ahead may be sent again later. A single snapshot that is rejected is answered 422.",
  rawBodies: {
    "application/json": z.union([snapshotSchema, z.strictObject({ snapshots: z.array(snapshotSchema) })]),
    "application/x-ndjson": z.string().meta({ description: "One snapshot a line" }),
  },
  response: ingestReceipt,
  handler: async ({ ctx, request }) => ingest(ctx, await readSnapshotBody(request)),
});

/** `POST /api/v1/raw`: kernel files as text, from hosts that can run no more than `tail` and `curl`. */
export const ingestRawRoute = defineRoute({
  method: "POST",
  path: "/api/v1/raw",
  access: { tokenScope: "snapshots:write" },
  summary: "Store kernel files of a node as they were read",
  description:
    "The body is what `tail -n +1 /proc/meminfo /proc/zoneinfo /proc/vmstat ...` prints, `==> path <==` before each " +
    "file; optionally Content-Encoding: gzip. Needed are /proc/meminfo, /proc/uptime, /proc/stat, " +
    "/proc/sys/kernel/random/boot_id and /proc/sys/kernel/osrelease (or /proc/version); the others leave out what they " +
    "would tell. `at` is when the files were read, else the time of the server counts. A line " +
    "`==> plumbline sample at=TIME <==` starts a further sample, so that a spool is one request. Answers, codes and " +
    "limits are those of /api/v1/snapshots; a sample without such a line that is rejected is answered 422.",
  query: rawQuery,
  rawBodies: {
    "text/plain": z.string().meta({ description: "What `tail -n +1 FILE FILE ...` prints" }),
    "application/octet-stream": z.string().meta({ description: "The same, as `curl` may call it" }),
  },
  response: ingestReceipt,
  handler: async ({ ctx, request, query }) =>
    ingest(ctx, await readRawBody(request, { node: query.node, at: query.at ?? ctx.now() })),
});

/** `POST /api/v1/inspect/snapshots`: a pasted text that is whole, kept by a person as a node's snapshots. */
export const keepPastedRoute = defineRoute({
  method: "POST",
  path: "/api/v1/inspect/snapshots",
  access: { role: "investigator" },
  summary: "Keep a pasted text as snapshots of a node",
  description:
    "The body, needs and answer are those of /api/v1/raw; an investigator says which node and cluster it is of, " +
    "and when it was read. The page that reads dumps sends it, when asked to.",
  query: keepQuery,
  rawBodies: { "text/plain": z.string().meta({ description: "What `tail -n +1 FILE FILE ...` prints" }) },
  response: ingestReceipt,
  handler: async ({ ctx, request, query }) =>
    ingest(ctx, await readRawBody(request, { node: query.node, at: query.at ?? ctx.now() }), query.cluster),
});

/** Stores what a body held and says what became of each part, by its place in the body. */
async function ingest(ctx: Context, body: SnapshotBody, cluster?: string): Promise<IngestReceipt> {
  const receipt = await ingestSnapshots({
    ctx,
    input: { items: body.items, ...(cluster === undefined ? {} : { cluster }) },
  });
  const indexOf = (at: number) => body.indexes[at] ?? at;
  const rejected = [
    ...body.rejected,
    ...receipt.rejected.map((each) => ({ ...each, index: indexOf(each.index) })),
  ].sort((a, b) => a.index - b.index);
  const warnings = [
    ...(body.warnings ?? []),
    ...(receipt.warnings ?? []).map((each) => ({ ...each, index: indexOf(each.index) })),
  ].sort((a, b) => a.index - b.index);
  countIngest({ ...receipt, rejected });
  const [only] = rejected;
  if (body.single && only !== undefined) throw new ProblemWithCode("unprocessable", only.detail, only.code);
  return { ...receipt, rejected, ...(warnings.length > 0 && { warnings }) };
}
