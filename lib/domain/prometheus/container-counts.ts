import { startedTotal, type StartedCount } from "../snapshot/started-total.ts";
import { isSameBootTime } from "./boot-identity.ts";
import type { ScrapeFields } from "./series-fields.ts";

/** Sources of the count of started containers, best first; all counters of one add up. */
const STARTED = ["kubelet", "crio", "containerd"] as const;

/** What the exporters of containers said at one moment. */
export interface ContainerCounts {
  readonly started?: { readonly source: string; readonly value: number };
  readonly live?: number;
}

/** Reads the counts of containers out of the fields of a scrape. */
export function readContainerCounts(fields: ScrapeFields): ContainerCounts {
  const started = STARTED.map((source) => ({ source, value: sumOf(fields, `started.${source} `) })).find(
    (each): each is { source: typeof each.source; value: number } => each.value !== undefined,
  );
  const live = fields["live kubelet"];
  return { ...(started && { started }), ...(typeof live === "number" && { live }) };
}

function sumOf(fields: ScrapeFields, prefix: string): number | undefined {
  const values = Object.entries(fields).flatMap(([field, value]) =>
    typeof value === "number" && field.startsWith(prefix) ? [value] : [],
  );
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}

/** What was counted up to a moment, so that the next reading continues it. */
export interface StartedTotal extends StartedCount {
  readonly bootTimeMs: number;
  /** Containers started since the first reading of this boot, and what the counter said then. */
  readonly total: number;
}

/**
 * Continues a count of started containers that never falls within a boot. The counters of kubelet and of the runtimes begin
 * at 0 with each of their restarts; what was counted before stays. What started between the last reading and a
 * restart is not seen, so the total is a lower bound.
 */
export function continueStarted(
  before: StartedTotal | undefined,
  now: StartedCount & { bootTimeMs: number },
): StartedTotal {
  const sameBoot =
    before !== undefined && isSameBootTime(before.bootTimeMs, now.bootTimeMs) ? before : undefined;
  return { ...now, ...(sameBoot && { bootTimeMs: sameBoot.bootTimeMs }), total: startedTotal(sameBoot, now) };
}
