import { z } from "zod";
import { usedMemory } from "./used-memory.ts";

/** Bounds of a pasted text: far more than a person pastes. */
export const INSPECTION_LIMITS = { compressedBytes: 1024 * 1024, bytes: 2 * 1024 * 1024 } as const;

const evidence = z.object({
  text: z.string(),
  values: z.array(z.object({ name: z.string(), value: z.number(), unit: z.string() })),
});
const check = z.object({ command: z.string(), reading: z.string() });

/** Answer to `POST /api/v1/inspect`: what `explain --json` prints. */
export const inspection = z.looseObject({
  verdict: z.enum(["leak", "not-a-leak", "unclear"]),
  dominant: z.string(),
  suspects: z.array(z.string()),
  keyNumbers: z
    .record(z.string(), z.number())
    .meta({ description: "KiB unless a name ends in _count, _percent or _bytes" }),
  composition: z
    .object({
      totalKib: z.number(),
      bands: z.array(z.object({ key: z.string(), label: z.string(), kib: z.number() })),
      notes: z.array(z.string()),
    })
    .optional(),
  usedMemory: usedMemory.optional(),
  findings: z.array(
    z.looseObject({
      signature: z.string(),
      name: z.string(),
      severity: z.enum(["info", "warning"]),
      certainty: z.enum(["suspected", "firm"]),
      evidence: z.array(evidence),
      counterEvidence: z.array(evidence),
      confirm: check,
      mitigate: z.string(),
      fix: z.string(),
      sources: z.array(z.string()),
    }),
  ),
  recognised: z.array(z.looseObject({ kind: z.string(), fromLine: z.int(), toLine: z.int() })),
  askNext: z.string().optional(),
  warnings: z.array(z.string()),
});
