import { z } from "zod";
import { epochMs, rangeQuery } from "./common.ts";

export const creatorListQuery = rangeQuery.extend({
  limit: z.coerce.number().int().min(1).max(100).default(12),
});

/** Who created containers on a node over a window. */
export const creatorList = z.strictObject({
  from: epochMs,
  to: epochMs,
  /** Between the first and the last sample of each boot, together; rates are per hour of it. */
  coveredMs: z.number().min(0),
  /** New cgroups that the collector saw; null where it did not tell. */
  seen: z.number().min(0).nullable(),
  /** New cgroups that the kernel made meanwhile; null where inode numbers do not tell. */
  made: z.number().min(0).nullable(),
  creators: z
    .array(
      z.strictObject({
        name: z.string(),
        /** The series that it is; may be the driver of the correlation. */
        metric: z.string(),
        created: z.number().min(0),
        perHour: z.number().min(0),
        /** Of all that were seen with a creator, 0 to 1. */
        share: z.number().min(0).max(1),
      }),
    )
    .meta({ description: "Most first" }),
  /** Creators beyond those that are listed. */
  more: z.int().min(0),
  /** Who counts containers.started on this node, in words; null where nobody does. */
  startedBy: z.string().nullable(),
  /** What the list says and what it cannot, in one or two sentences. */
  text: z.string(),
});

export type CreatorList = z.infer<typeof creatorList>;
