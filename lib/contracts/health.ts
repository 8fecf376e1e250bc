import { z } from "zod";

export const liveness = z.strictObject({ status: z.literal("live") });

/** Whether the server can do its work: 200 when `ready`, 503 when not. */
export const readiness = z.strictObject({
  status: z.enum(["ready", "unready"]),
  /** With `?verbose`. */
  checks: z
    .array(z.strictObject({ name: z.enum(["database", "migrations"]), ok: z.boolean(), detail: z.string() }))
    .optional(),
});

export const readinessQuery = z.object({ verbose: z.string().optional() });

export type Readiness = z.infer<typeof readiness>;
