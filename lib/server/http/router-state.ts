import { z } from "zod";

const parameterKinds = ["c", "oc", "d"].concat(
  ["c", "d"].flatMap((kind) => ["(.)", "(..)", "(...)", "(..)(..)"].map((level) => `${kind}i${level}`)),
);

const segment = z.union([
  z.string(),
  z.tuple([z.string(), z.string(), z.enum(parameterKinds), z.array(z.string()).nullable()]),
]);

const refetch = z.enum(["refetch", "inside-shared-layout", "metadata-only"]);

const state: z.ZodType = z.lazy(() =>
  z.tuple([
    segment,
    z.record(z.string(), state),
    z.tuple([z.string(), z.string()]).nullable().optional(),
    refetch.nullable().optional(),
    z.number().nullable().optional(),
    z.string().optional(),
  ]),
);

/**
 * Whether a `next-router-state-tree` header can be what the page framework's own client sends: URL-encoded JSON of a nested
 * array (FlightRouterState of Next.js 16). The framework fails with 500 on any other, so it must not see one. No header is
 * fine. Total on any text.
 */
export function isRouterState(header: string | string[] | undefined): boolean {
  if (header === undefined) return true;
  if (typeof header !== "string") return false;
  try {
    return state.safeParse(JSON.parse(decodeURIComponent(header))).success;
  } catch {
    // No escape, no JSON, or nested deeper than the stack is.
    return false;
  }
}
