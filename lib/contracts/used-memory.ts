import { z } from "zod";
import { BANDS } from "#lib/domain/memory/bands.ts";

const bandKey = z.enum(BANDS.map(({ key }) => key));

/** What each tool calls used at one moment, and what that leaves out; KiB. As `reconcileUsed` gives it. */
export const usedMemory = z
  .strictObject({
    totalKib: z.number(),
    kernelKib: z.number(),
    views: z
      .array(
        z.strictObject({
          key: z.string(),
          who: z.string(),
          formula: z.string(),
          /** Absent where a counter is missing. */
          usedKib: z.number().optional(),
          missing: z.array(z.string()).readonly(),
          leavesOut: z.array(z.strictObject({ key: bandKey, label: z.string(), kib: z.number() })).readonly(),
          /** Absent where a counter that it needs is missing. */
          kernelLeftOutKib: z.number().optional(),
          why: z.string(),
          approximate: z.boolean(),
          /** Whether it is what the node's cgroup mode gives; absent where that does not matter or is not known. */
          applies: z.boolean().optional(),
        }),
      )
      .readonly(),
  })
  .meta({ description: "What free, kubelet and others call used, and the memory that each leaves out; KiB" });
