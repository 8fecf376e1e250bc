import { compareQuery, type Comparison } from "#lib/contracts/compare.ts";
import { AppError } from "#lib/errors.ts";
import { compareSides } from "#lib/server/services/compare-sides.ts";
import type { Context } from "#lib/server/services/context.ts";

/** What an address of the compare page asks for: a comparison, what is wrong with it, or nothing yet. */
export type ComparisonReading =
  | { readonly kind: "empty" }
  | { readonly kind: "wrong"; readonly message: string }
  | { readonly kind: "compared"; readonly data: Comparison };

/** Reads both sides of an address of the compare page. */
export async function readComparison(
  ctx: Context,
  parameters: Readonly<Record<string, string | string[] | undefined>>,
): Promise<ComparisonReading> {
  if (parameters["a"] === undefined && parameters["b"] === undefined) return { kind: "empty" };
  // The page keeps choices of its own beside those of the API.
  const own = new Set(["band"]);
  const query = compareQuery
    .strict()
    .safeParse(Object.fromEntries(Object.entries(parameters).filter(([name]) => !own.has(name))));
  if (!query.success) {
    const [issue] = query.error.issues;
    return {
      kind: "wrong",
      message: `The address is wrong at ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}.`,
    };
  }
  try {
    return { kind: "compared", data: await compareSides({ ctx, input: query.data }) };
  } catch (error) {
    if (error instanceof AppError && (error.code === "invalid" || error.code === "not_found"))
      return { kind: "wrong", message: error.message };
    throw error;
  }
}
