import { z } from "zod";
import { epochMs } from "./common.ts";
import { trend } from "./trend.ts";

/** What runs full: watched directories and tmpfs mounts, each as it stood at the newest sample of a window, with its trends. */
export const directoryGrowth = z.strictObject({
  nodeId: z.int(),
  from: epochMs,
  to: epochMs,
  watch: z.array(
    z.strictObject({
      path: z.string(),
      /** Null where the newest sample does not have it. */
      files: z.number().nullable(),
      /** More are there than the collector counts. */
      atLeast: z.boolean(),
      growth: trend,
    }),
  ),
  /** The fullest first. */
  tmpfs: z.array(
    z.strictObject({
      mount: z.string(),
      sizeKib: z.number().nullable(),
      usedKib: z.number().nullable(),
      inodes: z.number().nullable(),
      inodesUsed: z.number().nullable(),
      usedGrowth: trend,
      /** With what is left of the inodes, while they grow significantly. */
      inodeGrowth: trend,
    }),
  ),
  /** Mounts that there are; more than `tmpfs` where most are left out. */
  tmpfsTotal: z.int(),
});

export type DirectoryGrowth = z.infer<typeof directoryGrowth>;
