import type { CreatorList } from "#lib/contracts/creators.ts";
import { formatCount, formatNumber } from "#lib/domain/memory/quantity.ts";
import { CREATED_PREFIX } from "#lib/domain/memory/section-metrics.ts";
import { readCounterSpans, type CounterSpan } from "#lib/server/data/counter-spans.ts";
import type { NodeState } from "#lib/server/data/nodes.ts";
import type { Context } from "./context.ts";
import { findVisibleNode } from "./find-visible-node.ts";

const SEEN = "creators.seen";
const MADE = "creators.made";
const HOUR_MS = 3_600_000;

/**
 * Who created containers on a node over a window, most first, and how many were made that nobody saw.
 * @throws AppError `not_found`.
 */
export async function listCreators({
  ctx,
  input,
}: {
  ctx: Context;
  input: { nodeId: number; fromMs: number; toMs: number; limit: number };
}): Promise<CreatorList> {
  const { nodeId, fromMs, toMs, limit } = input;
  const [node, spans] = await Promise.all([
    findVisibleNode(ctx, nodeId),
    readCounterSpans(ctx.db, { nodeId, fromMs, toMs, names: [SEEN, MADE], prefix: CREATED_PREFIX }),
  ]);
  const coveredMs = spans.reduce((sum, { firstAtMs, lastAtMs }) => sum + lastAtMs - firstAtMs, 0);
  const created = new Map<string, number>();
  for (const span of spans) {
    for (const name of span.last.keys()) {
      if (!name.startsWith(CREATED_PREFIX)) continue;
      created.set(name, (created.get(name) ?? 0) + growthOf(span, name));
    }
  }
  const total = [...created.values()].reduce((sum, each) => sum + each, 0);
  const listed = [...created]
    .filter(([, count]) => count > 0)
    .sort(([a, most], [b, least]) => least - most || (a < b ? -1 : 1));
  const seen = reportedGrowth(spans, SEEN);
  const grown = reportedGrowth(spans, MADE);
  const made = grown === null ? null : Math.max(seen ?? 0, grown);
  return {
    from: fromMs,
    to: toMs,
    coveredMs,
    seen,
    made,
    creators: listed.slice(0, limit).map(([metric, count]) => ({
      name: metric.slice(CREATED_PREFIX.length),
      metric,
      created: count,
      perHour: coveredMs > 0 ? count / (coveredMs / HOUR_MS) : 0,
      share: count / total,
    })),
    more: Math.max(0, listed.length - limit),
    startedBy: startedBy(node.sources),
    text: textOf(seen, made),
  };
}

/** Since the first sample of the boot; what was not counted then had not been created. Counters do not fall within a boot. */
function growthOf({ first, last }: CounterSpan, name: string): number {
  return Math.max(0, (last.get(name) ?? 0) - (first.get(name) ?? 0));
}

/** Over all boots; null where a boot did not report it, or there is none. */
function reportedGrowth(spans: readonly CounterSpan[], name: string): number | null {
  return spans.length > 0 && spans.every(({ last }) => last.has(name))
    ? spans.reduce((sum, span) => sum + growthOf(span, name), 0)
    : null;
}

function textOf(seen: number | null, made: number | null): string {
  if (seen === null) return "Nothing was sent in this window that tells who creates containers.";
  const few = "what lives shorter than the time between two looks is seldom seen";
  if (made === null) {
    return `${formatCount(seen, "new cgroup was", "new cgroups were")} seen. How many came and went unseen is not known: ${few}.`;
  }
  if (made === 0) return "No cgroup was created in this window.";
  const missed = made - seen;
  if (missed === 0) {
    return made === 1
      ? "The one cgroup that was created in this window was seen."
      : `All ${formatNumber(made, 0)} cgroups that were created in this window were seen.`;
  }
  return `${formatNumber(seen, 0)} of at least ${formatCount(made, "cgroup")} that ${made === 1 ? "was" : "were"} created in this window ${seen === 1 ? "was" : "were"} seen (${formatNumber((100 * seen) / made, 0)} %). The others came and went between two looks; who made them is not known.`;
}

/** Who counts the containers started, as the collector says it. */
function startedBy(sources: NodeState["sources"]): string | null {
  const told = sources?.["containers-started"] ?? sources?.["cgroups-created"];
  return told?.status === "ok" ? (told.detail ?? null) : null;
}
