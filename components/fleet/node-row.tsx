import type { CSSProperties } from "react";
import Link from "next/link";
import { Fragment, memo } from "react";
import { FLEET_SPARK } from "#lib/charts/fleet-model.ts";
import type { FleetRow } from "#lib/charts/fleet-model.ts";
import { DASH, formatDuration, formatNumber } from "#lib/charts/format.ts";
import { SparklineMark } from "../charts/sparkline-mark.tsx";
import { Verdict } from "../ui/verdict.tsx";
import { PendingWord } from "../ui/pending-word.tsx";
import { GrowthWhisker } from "./growth-whisker.tsx";

interface NodeRowProps {
  readonly row: FleetRow;
  /** Of the growth. */
  readonly unit: string;
  readonly domain: readonly [number, number];
  /** Of the text of the interval, alike in all rows. */
  readonly intervalPx: number;
  readonly readAtMs: number;
}

const BAR_PX = 40;

function Bar({ parts }: { readonly parts: readonly { readonly share: number; readonly fill: string }[] }) {
  let from = 0;
  return (
    <svg width={BAR_PX} height="8" viewBox={`0 0 ${BAR_PX} 8`} aria-hidden="true" className="flex-none">
      <rect width={BAR_PX} height="8" fill="var(--surface-3)" />
      {parts.map(({ share, fill }, index) => {
        const x = from;
        const width = share > 0 ? Math.max(1, share * BAR_PX) : 0;
        from += width;
        return <rect key={index} x={x} width={Math.min(width, BAR_PX - x)} height="8" fill={fill} />;
      })}
    </svg>
  );
}

/** One node of the fleet; a block of its own on a narrow screen. */
export const NodeRow = memo(function NodeRow({ row, unit, domain, intervalPx, readAtMs }: NodeRowProps) {
  const silentMs = readAtMs - row.lastSeenAt;
  const { cgroups } = row;
  return (
    <tr role="row" className="fleet-row">
      <th scope="row" role="rowheader" className="fleet-name">
        <Link
          href={`/nodes/${row.nodeId}`}
          prefetch={false}
          data-row-link=""
          title={row.name.length > 20 ? row.name : undefined}
          className="font-semibold text-ink"
        >
          <bdi>{row.name}</bdi>
          <PendingWord />
        </Link>
        <bdi className="ml-1.5 text-xs text-ink-3">{row.cluster}</bdi>
        {row.origin !== undefined ? (
          <span className="ml-1.5 rounded-1 border border-line-2 px-1 text-xs whitespace-nowrap text-ink-2">
            {row.origin}
          </span>
        ) : null}
        {row.findings ? (
          <Link
            href={`/nodes/${row.nodeId}/findings`}
            prefetch={false}
            title={row.findings.title}
            aria-label={`Found: ${row.findings.title}`}
            className={`ml-1.5 rounded-1 border border-line-2 px-1 text-xs font-medium whitespace-nowrap ${row.findings.firm ? "text-leaking-ink" : "text-growing-ink"}`}
          >
            {row.findings.text}
          </Link>
        ) : null}
        {row.conflict ? (
          <span className="ml-1.5 text-xs text-growing-ink">two boots report at once</span>
        ) : null}
      </th>
      <td role="cell" className="fleet-verdict">
        <Verdict verdict={row.verdict} />
      </td>
      <td role="cell" className="fleet-growth">
        <span className="flex items-center gap-1.5">
          <span className="min-w-9 text-right font-semibold">{row.growth?.value ?? DASH}</span>
          <span
            className="w-(--interval) whitespace-nowrap text-ink-2 max-md:w-auto max-md:flex-1"
            style={{ "--interval": `${intervalPx}px` } as CSSProperties}
          >
            {row.growth?.interval ?? "not known yet"}
            <span className="md:hidden">{row.growth ? ` ${unit}` : ""}</span>
          </span>
          <span className={row.growthRate ? "" : "max-md:hidden"}>
            <GrowthWhisker growth={row.growthRate} domain={domain} tone={row.verdict.tone} />
          </span>
        </span>
      </td>
      <td role="cell" className="fleet-left" title={row.left?.all}>
        {row.left ? (
          <>
            <span className="whitespace-nowrap">
              <b className={row.group === "now" ? "text-leaking-ink" : ""}>{row.left.text}</b>{" "}
              <span className="text-ink-2">{row.left.what},</span>
            </span>{" "}
            <span className="whitespace-nowrap text-ink-2">{row.left.interval}</span>
          </>
        ) : (
          <span className="text-ink-3 max-md:hidden">{DASH}</span>
        )}
      </td>
      <td role="cell" className="fleet-spark">
        <SparklineMark spark={row.spark} widthPx={FLEET_SPARK.widthPx} heightPx={FLEET_SPARK.heightPx} />
      </td>
      <td role="cell" className="fleet-kernel num">
        {row.kernelGib}
        <span className="md:hidden"> GiB kernel</span>
      </td>
      <td role="cell" className="fleet-memory" title={row.memoryText}>
        <span className="flex items-center gap-2">
          <Bar
            parts={[
              { share: row.memory.kernel, fill: "var(--band-sunrecl)" },
              { share: row.memory.programs, fill: "var(--band-anon)" },
              { share: row.memory.cache, fill: "var(--band-file)" },
            ]}
          />
          <span className="sr-only">{row.memoryText}</span>
        </span>
      </td>
      <td role="cell" className="fleet-cgroups">
        <span className="flex items-center gap-2 whitespace-nowrap">
          <Bar
            parts={[
              { share: cgroups.liveShare, fill: "var(--ink)" },
              {
                share: cgroups.dyingShare + cgroups.countedShare,
                fill: cgroups.near ? "var(--leaking)" : "var(--ink-3)",
              },
            ]}
          />
          {cgroups.known ? (
            <span>
              {cgroups.counted === undefined ? (
                <>
                  {cgroups.live} /{" "}
                  <span className={cgroups.dying.length > 5 ? "font-semibold" : ""}>{cgroups.dying}</span>
                </>
              ) : (
                `${formatNumber(cgroups.counted)} counted`
              )}
              <span className="md:hidden"> cgroups</span>
            </span>
          ) : (
            <span className="text-growing-ink">not read</span>
          )}
        </span>
      </td>
      <td role="cell" className="fleet-extra num">
        {row.containersPerHour === undefined ? (
          <span className="text-ink-3">{row.containersText}</span>
        ) : (
          row.containersText
        )}
      </td>
      <td role="cell" className="fleet-extra whitespace-nowrap">
        <bdi>{row.kernel}</bdi>
      </td>
      <td role="cell" className="fleet-extra">
        {row.runtime ? (
          row.runtime.split(", ").map((part, index, { length }) => (
            <Fragment key={index}>
              <bdi className="whitespace-nowrap">{index < length - 1 ? `${part},` : part}</bdi>{" "}
            </Fragment>
          ))
        ) : (
          <span className="whitespace-nowrap text-ink-3">not found</span>
        )}
      </td>
      <td role="cell" className="fleet-blind whitespace-nowrap">
        {row.blind.length > 0 ? (
          <span className="text-growing-ink" title={`Could not read: ${row.blind.join(", ")}`}>
            blind: {row.blind.length > 2 ? `${row.blind.length} sources` : row.blind.join(", ")}
          </span>
        ) : (
          <span className="text-ink-3 max-md:hidden">{DASH}</span>
        )}
      </td>
      <td role="cell" className="fleet-seen num">
        {row.silent ? (
          <span className="text-growing-ink">silent {formatDuration(silentMs)}</span>
        ) : (
          formatDuration(Math.max(0, silentMs))
        )}
      </td>
    </tr>
  );
});
