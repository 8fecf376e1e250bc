import { MOST_NODES_OF_A_SIDE, readSide } from "#lib/contracts/compare.ts";
import { attributeOf, describeAttribute } from "#lib/domain/analysis/node-attributes.ts";
import { AppError } from "#lib/errors.ts";
import { listNodesNewest, type NodeNewest } from "#lib/server/data/nodes.ts";
import type { Context } from "./context.ts";
import { findVisibleNode } from "./find-visible-node.ts";
import { mayBeSeenBy } from "./resolve-scope.ts";

/** The two sides of a comparison, as the query names them. */
export type SideName = "a" | "b";

/** A parameter of a query that cannot be read. */
export function wrongParameter(path: string, message: string): AppError {
  return new AppError("invalid", `The query is wrong at ${path}: ${message}.`, {
    issues: [{ path, message }],
  });
}

/** Says of what is not there by the parameter which parameter it was named. */
export async function named<Value>(path: string, finding: Promise<Value>): Promise<Value> {
  try {
    return await finding;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
    throw new AppError("not_found", error.message, { issues: [{ path, message: error.message }] });
  }
}

/** The nodes that a side means. */
export interface ChosenSide {
  /** In words: the nodes, or the cohort. */
  readonly label: string;
  /** How many fit; more than `used` beyond the most that are read. */
  readonly matched: number;
  readonly used: readonly NodeNewest[];
}

/**
 * The nodes that a side names, one by one or by attributes; of a cohort at most {@link MOST_NODES_OF_A_SIDE}, evenly spread by
 * name.
 * @throws AppError `invalid` or `not_found` that names the parameter.
 */
export async function chooseSide(
  ctx: Context,
  name: SideName,
  terms: readonly string[],
): Promise<ChosenSide> {
  const choice = readSide(name, terms);
  if (!choice.ok) throw wrongParameter(choice.path, choice.message);
  if (choice.value.kind === "nodes") {
    const used: NodeNewest[] = [];
    for (const nodeId of choice.value.nodeIds) used.push(await named(name, findVisibleNode(ctx, nodeId)));
    const names = used.map((node) => node.name);
    const more = names.length > 3 ? ` and ${names.length - 2} more` : "";
    return {
      label: (more === "" ? names : names.slice(0, 2)).join(", ") + more,
      matched: used.length,
      used,
    };
  }
  const { attributes } = choice.value;
  const label = attributes
    .map(({ key, value }) => `${describeAttribute(key)?.label ?? key} ${value}`)
    .join(", ");
  const isVisible = mayBeSeenBy(ctx);
  const all = (await listNodesNewest(ctx.db)).filter(
    (node) => isVisible(node) && attributes.every(({ key, value }) => attributeOf(node, key) === value),
  );
  if (all.length === 0) {
    const message = `There is no node with ${label}.`;
    throw new AppError("not_found", message, { issues: [{ path: name, message }] });
  }
  return { label, matched: all.length, used: evenly(all, MOST_NODES_OF_A_SIDE) };
}

function evenly<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items];
  return Array.from({ length: most }, (_, i) => items[Math.floor((i * items.length) / most)]).filter(
    (item) => item !== undefined,
  );
}
