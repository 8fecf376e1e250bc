"use client";

import { usePathname, useRouter } from "next/navigation";
import { formatMomentFull } from "#lib/charts/format-time.ts";
import type { AuditEvent, AuditList } from "#lib/contracts/audit.ts";
import { formatCount } from "#lib/domain/memory/quantity.ts";
import { BlockRow, BlockTable } from "../ui/block-table.tsx";
import { Pager } from "../ui/pager.tsx";

const HEADS = ["when", "who", "what", "of", "detail"] as const;
const SELECT = "h-8 max-w-full rounded-2 border border-line-3 bg-surface px-1.5 text-sm text-ink md:h-7";

/** What the list of the audit trail shows: one part of it, and what it is narrowed to. */
export interface AuditFilter {
  readonly actor: string;
  readonly action: string;
  readonly page: number;
}

const detailText = (detail: AuditEvent["detail"]): string =>
  Object.entries(detail)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");

/** Who wrote what, newest first. */
export function AuditView({
  events,
  total,
  actors,
  actions,
  filter,
  pageSize,
}: AuditList & { readonly filter: AuditFilter; readonly pageSize: number }) {
  const router = useRouter();
  const path = usePathname();
  const go = (changes: Partial<AuditFilter>) => {
    const { actor, action, page } = { ...filter, page: 1, ...changes };
    const query = new URLSearchParams({
      ...(actor !== "" && { actor }),
      ...(action !== "" && { action }),
      ...(page > 1 && { page: String(page) }),
    }).toString();
    router.push(query === "" ? path : `${path}?${query}`);
  };
  const choice = (label: string, name: "actor" | "action", values: readonly string[]) => (
    <label className="flex min-w-0 items-center gap-1.5">
      <span className="text-ink-2">{label}</span>
      <select
        value={filter[name]}
        onChange={(event) => go({ [name]: event.target.value })}
        className={SELECT}
      >
        <option value="">all</option>
        {[...new Set([...values, ...(filter[name] === "" ? [] : [filter[name]])])].map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pb-2 text-sm">
        {choice("who", "actor", actors)}
        {choice("what", "action", actions)}
        <span className="text-ink-2" role="status">
          {formatCount(total, "line")}
        </span>
      </div>
      {events.length === 0 ? (
        <p className="py-2 text-sm text-ink-2">Nothing was written that fits.</p>
      ) : (
        <BlockTable region="Audit trail, scrolls sideways" label="Audit trail" heads={HEADS}>
          {events.map((event) => (
            <BlockRow key={event.auditId}>
              <td role="cell" className="whitespace-nowrap">
                {formatMomentFull(event.at, "UTC")}
              </td>
              <th role="rowheader" scope="row" className="[overflow-wrap:anywhere]">
                <bdi>{event.actor}</bdi>
              </th>
              <td role="cell">{event.action}</td>
              <td role="cell" className="[overflow-wrap:anywhere]">
                <bdi>{event.subject}</bdi>
              </td>
              <td role="cell" className="max-w-[80ch] text-ink-2 [overflow-wrap:anywhere]">
                {detailText(event.detail)}
              </td>
            </BlockRow>
          ))}
        </BlockTable>
      )}
      <Pager
        label="Pages of the audit trail"
        page={filter.page}
        pages={Math.ceil(total / pageSize)}
        onPage={(page) => go({ page })}
      />
    </>
  );
}
