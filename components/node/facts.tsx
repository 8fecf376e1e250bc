import Link from "next/link";
import { formatDuration, formatKib } from "#lib/charts/format.ts";
import { originOf } from "#lib/charts/fleet-model.ts";
import { trendVerdictText } from "#lib/charts/verdict.ts";
import type { TrendVerdict } from "#lib/charts/verdict.ts";
import type { NodeSummary } from "#lib/contracts/node.ts";
import { formatCount } from "#lib/domain/memory/quantity.ts";
import { Verdict } from "../ui/verdict.tsx";

/** One line of facts about a node. */
export function Facts({
  node,
  verdict,
  nowMs,
}: {
  readonly node: NodeSummary;
  /** Of the window that is shown; left out where the page shows none. */
  readonly verdict?: TrendVerdict | null;
  readonly nowMs: number;
}) {
  const total = Object.keys(node.sources).length;
  const seenMs = Math.max(0, nowMs - node.lastSeenAt);
  const versions = Object.entries(node.versions).filter(([name]) => name !== "kernel");
  const origin = originOf(node);
  const fact = (name: string, value: string) => (
    <span key={name}>
      <bdi>{name}</bdi> <bdi className="font-medium text-ink">{value}</bdi>
    </span>
  );
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <span className="text-ink-2">
        <Link href="/">Nodes</Link> /
      </span>
      <bdi className="text-lg font-semibold [overflow-wrap:anywhere]">{node.name}</bdi>
      {verdict === undefined ? null : <Verdict verdict={trendVerdictText(verdict)} />}
      {origin !== undefined ? (
        <span className="rounded-1 border border-line-2 px-1.5 text-xs leading-[18px] text-ink-2">
          {origin}
        </span>
      ) : null}
      <span className="flex flex-wrap gap-x-5 gap-y-0.5 text-sm text-ink-2 [overflow-wrap:anywhere]">
        <bdi>{node.cluster}</bdi>
        <b className="font-medium text-ink">{formatKib(node.memTotalKib)}</b>
        <span>{formatCount(node.cpus, "CPU")}</span>
        {fact("kernel", node.kernelRelease)}
        {versions.map(([name, version]) => fact(name, version))}
        {node.cgroupMode ? <span>cgroup {node.cgroupMode}</span> : null}
        {fact("up", formatDuration(Math.max(0, node.lastSeenAt - node.bootedAt)))}
        {node.silent ? (
          <span className="text-growing-ink">silent {formatDuration(seenMs)}</span>
        ) : (
          <span>seen {formatDuration(seenMs)} ago</span>
        )}
        {total > 0 ? (
          <span>
            sources{" "}
            <b className="font-medium text-ink">
              {total - node.blindSources.length} of {total}
            </b>
            {node.blindSources.length > 0 ? (
              <span className="text-growing-ink">
                {" "}
                blind:{" "}
                {node.blindSources
                  .map((name) => `${name} ${node.sources[name]?.status ?? ""}`.trim())
                  .join(", ")}
              </span>
            ) : null}
          </span>
        ) : null}
        {node.conflict ? (
          <span className="text-growing-ink">two boots report under this name at once</span>
        ) : null}
      </span>
    </div>
  );
}
