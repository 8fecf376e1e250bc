import "server-only";
import type { CompareChoices } from "#lib/charts/compare-address.ts";
import { formatMoment } from "#lib/charts/format-time.ts";
import { resolveTimezone } from "#lib/contracts/time-range.ts";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import { comparedAttributesOf } from "#lib/domain/analysis/node-attributes.ts";
import { listNodesNewest } from "#lib/server/data/nodes.ts";
import { readComparison, type ComparisonReading } from "#lib/server/documents/read-comparison.ts";
import { listAnnotations } from "#lib/server/services/list-annotations.ts";
import { pageContext } from "./page-context.ts";
import type { PageParameters } from "./page-parameters.ts";

/** What the compare page shows: a comparison, what is wrong with its address, or nothing yet. */
export interface ComparePage {
  readonly choices: CompareChoices;
  readonly readAtMs: number;
  /** When the boot of the node of side B began, for one node: the boot before is proposed from it. */
  readonly bootedAtMs: number | undefined;
  readonly result: ComparisonReading;
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
    for (const [key, value] of comparedAttributesOf(node)) {
      const term = `${key}=${value}`;
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
  }
  const shownName = ({ name, cluster }: { name: string; cluster: string }) =>
    twice.has(name) ? `${cluster}/${name}` : name;
  const nameOf = new Map(nodes.map((node) => [node.nodeId, shownName(node)]));
  const sideB = parameters["b"];
  const only = nodes.find(({ nodeId }) => String(nodeId) === sideB);
  const named = [parameters["timezone"]].flat()[0];
  const zone = resolveTimezone(named) ?? "UTC";
  return {
    choices: {
      nodes: nodes.map((node) => ({ nodeId: node.nodeId, name: shownName(node) })),
      cohorts: [...counts]
        .filter(([term, count]) => count > 1 && !term.includes(","))
        .map(([term, count]) => ({ term, nodes: count })),
      marks: annotations
        .slice(-MOST_MARKS)
        .reverse()
        .map(({ annotationId, at, title, nodeIds }) => ({
          annotationId,
          label: markLabel(
            `${formatMoment(at, zone, nowMs)} ${isolatedText(title)}`,
            nodeIds.flatMap((nodeId) => nameOf.get(nodeId) ?? []),
            nodes.length,
          ),
        })),
    },
    readAtMs: nowMs,
    bootedAtMs: only?.bootedAtMs,
    result: await readComparison(ctx, parameters),
  };
}

/** A mark in a list: many have one title and one time, so the nodes tell them apart. */
function markLabel(what: string, names: readonly string[], fleet: number): string {
  const [first, ...others] = names.map(isolatedText);
  if (first === undefined) return what;
  if (names.length === fleet && fleet > 1) return `${what}, all nodes`;
  return others.length === 0 ? `${what}, ${first}` : `${what}, ${first} and ${others.length} more`;
}
