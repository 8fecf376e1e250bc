import { z } from "zod";
import { ingestReceipt } from "#lib/contracts/ingest.ts";
import { snapshotSchema } from "#lib/domain/snapshot/schema.ts";
import { ingestSnapshots } from "#lib/server/services/ingest-snapshots.ts";
import { defineRoute } from "../define-route.ts";
import { countIngest } from "../metrics.ts";
import { ProblemWithCode } from "../problem.ts";
import { readSnapshotBody } from "../read-snapshot-body.ts";

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
  handler: async ({ ctx, request }) => {
    const body = await readSnapshotBody(request);
    const receipt = await ingestSnapshots({ ctx, input: { items: body.items } });
    const indexOf = (at: number) => body.indexes[at] ?? at;
    const rejected = [
      ...body.rejected,
      ...receipt.rejected.map((each) => ({ ...each, index: indexOf(each.index) })),
    ].sort((a, b) => a.index - b.index);
    const warnings = receipt.warnings?.map((each) => ({ ...each, index: indexOf(each.index) }));
    countIngest({ ...receipt, rejected });
    const [only] = rejected;
    if (body.single && only !== undefined) throw new ProblemWithCode("unprocessable", only.detail, only.code);
    return { ...receipt, rejected, ...(warnings !== undefined && { warnings }) };
  },
});
