import { z } from "zod";
import { instantText, SNAPSHOT_LIMITS } from "#lib/domain/snapshot/schema.ts";
import { storableText } from "./common.ts";

/** Why one snapshot of a batch was not stored. `invalid` and `too_old` are permanent; `clock_ahead` may be sent again later. */
export const rejectionCode = z.enum(["invalid", "too_old", "clock_ahead"]);

/** Query of `POST /api/v1/raw`. */
export const rawQuery = z.object({
  node: storableText(SNAPSHOT_LIMITS.nodeNameChars).min(1),
  at: instantText.optional(),
});

/** Query of `POST /api/v1/inspect/snapshots`. */
export const keepQuery = rawQuery.extend({ cluster: storableText(100).min(1).default("default") });

/** Answer to `POST /api/v1/snapshots` and `POST /api/v1/raw`. Everything not listed under `rejected` is stored durably. */
export const ingestReceipt = z.strictObject({
  accepted: z.int().min(0),
  duplicates: z.int().min(0),
  rejected: z.array(
    z.strictObject({
      index: z.int().min(0),
      code: rejectionCode,
      /** Names the field and what was expected. */
      detail: z.string(),
    }),
  ),
  warnings: z.array(z.strictObject({ index: z.int().min(0), detail: z.string() })).optional(),
});

export type RejectionCode = z.infer<typeof rejectionCode>;
export type IngestReceipt = z.infer<typeof ingestReceipt>;
