import "server-only";
import type { CompareChoices } from "#lib/charts/compare-address.ts";
import { formatMoment } from "#lib/charts/format-time.ts";
import { compareQuery, type Comparison } from "#lib/contracts/compare.ts";
import { resolveTimezone } from "#lib/contracts/time-range.ts";
import { attributesOf } from "#lib/domain/analysis/node-attributes.ts";
import { AppError } from "#lib/errors.ts";
import { listNodesNewest } from "#lib/server/data/nodes.ts";
import { compareSides } from "#lib/server/services/compare-sides.ts";
import { listAnnotations } from "#lib/server/services/list-annotations.ts";
import { pageContext } from "./page-context.ts";
import type { PageParameters } from "./page-parameters.ts";

/** What the compare page shows: a comparison, what is wrong with its address, or nothing yet. */
export interface ComparePage {
  readonly choices: CompareChoices;
  readonly readAtMs: number;
  /** When the boot of the node of side B began, for one node: the boot before is proposed from it. */
  readonly bootedAtMs: number | undefined;
  readonly result:
    | { readonly kind: "empty" }
    | { readonly kind: "wrong"; readonly message: string }
    | { readonly kind: "compared"; readonly data: Comparison };
}

const MARKS_REACH_MS = 30 * 86_400_000;
const MOST_MARKS = 200;

/** Reads both sides of an address, and what its controls offer. */
export async function loadCompare(parameters: PageParameters): Promise<ComparePage> {
  const { ctx } = await pageContext();
  const nowMs = ctx.now();
  const [nodes, { annotations }] = await Promise.all([
    listNodesNewest(ctx.db),
    listAnnotations({ ctx, input: { fromMs: nowMs - MARKS_REACH_MS, toMs: nowMs } }),
  ]);
  const twice = new Set(nodes.map(({ name }) => name).filter((name, at, all) => all.indexOf(name) !== at));
  const counts = new Map<string, number>();
  for (const node of nodes) {
    for (const [key, value] of attributesOf(node)) {
      const term = `${key}=${value}`;
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
  }
  const sideB = parameters["b"];
  const only = nodes.find(({ nodeId }) => String(nodeId) === sideB);
  const named = [parameters["timezone"]].flat()[0];
  const zone = resolveTimezone(named) ?? "UTC";
  return {
    choices: {
      nodes: nodes.map(({ nodeId, name, cluster }) => ({
        nodeId,
        name: twice.has(name) ? `${cluster}/${name}` : name,
      })),
      cohorts: [...counts]
        .filter(([term, count]) => count > 1 && !term.includes(","))
        .map(([term, count]) => ({ term, nodes: count })),
      marks: annotations
        .slice(-MOST_MARKS)
        .reverse()
        .map(({ annotationId, at, title }) => ({
          annotationId,
          label: `${formatMoment(at, zone, nowMs)} ${title}`,
        })),
    },
    readAtMs: nowMs,
    bootedAtMs: only?.bootedAtMs,
    result: await compared(ctx, parameters),
  };
}

async function compared(
  ctx: Parameters<typeof compareSides>[0]["ctx"],
  parameters: PageParameters,
): Promise<ComparePage["result"]> {
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
