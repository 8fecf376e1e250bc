"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { useDeferredValue, useEffect, useMemo, useRef, useState, useTransition } from "react";
import { toCsv } from "#lib/contracts/csv.ts";
import { TREND_WINDOWS, type TrendWindow } from "#lib/domain/analysis/trend-windows.ts";
import { FLEET_METRICS, FLEET_SORTS, filterFleet, sortFleet, windowText } from "#lib/charts/fleet-model.ts";
import type { FleetOrder, FleetRow, FleetShown, FleetSort } from "#lib/charts/fleet-model.ts";
import { formatNumber } from "#lib/charts/format.ts";
import { formatIso } from "#lib/charts/format-time.ts";
import { formatCount } from "#lib/domain/memory/quantity.ts";
import { PinPage } from "../investigation/pin-button.tsx";
import { Button, Segments } from "../ui/button.tsx";
import { download, fileName } from "../ui/download.ts";
import { StatePanel } from "../ui/state-panel.tsx";
import { useKeys } from "../ui/use-keys.ts";
import { FleetTable } from "./fleet-table.tsx";

const PAGE_ROWS = 100;

function readOrder(sort: string | null, order: string | null): FleetOrder {
  const known = FLEET_SORTS.find((each) => each === sort);
  return { sort: known ?? "urgency", descending: known !== undefined && order === "desc" };
}

/** Puts the view into the address without a new entry, so that a link shows the same list. */
function remember(filter: string, order: FleetOrder): void {
  const address = new URL(window.location.href);
  const put = (name: string, value: string) =>
    value === "" ? address.searchParams.delete(name) : address.searchParams.set(name, value);
  put("q", filter);
  put("sort", order.sort === "urgency" ? "" : order.sort);
  put("order", order.sort === "urgency" ? "" : order.descending ? "desc" : "asc");
  window.history.replaceState(null, "", address);
}

/** The address that asks for other trends; what is usual is left out of it. */
function addressOf(metric: string, window: TrendWindow): string {
  const { searchParams } = new URL(globalThis.location.href);
  const put = (name: string, value: string, usual: string | undefined) =>
    value === usual ? searchParams.delete(name) : searchParams.set(name, value);
  put("metric", metric, FLEET_METRICS[0]?.key);
  put("window", window, "24h");
  return `?${searchParams.toString()}`;
}

function csvOf(rows: readonly FleetRow[], { metric, window }: FleetShown): string {
  const growth = `growth of ${metric.label} over ${window}`;
  return toCsv({
    columns: [
      "node",
      "cluster",
      "verdict",
      `${growth} (${metric.unit})`,
      `${growth}, lower end of 95 % (${metric.unit})`,
      `${growth}, upper end of 95 % (${metric.unit})`,
      "time left (h)",
      "what runs out",
      "unreclaimable kernel memory (KiB)",
      "MemTotal (KiB)",
      "live memory cgroups",
      "dying memory cgroups",
      "memory cgroups, live and dying not told apart",
      "containers started per hour, over the last hour",
      "kernel",
      "runtime",
      "sources that could not be read",
      "last seen (UTC)",
    ],
    rows: rows.map((row) => [
      row.name,
      row.cluster,
      row.verdict.word,
      row.growthRate?.[0] ?? null,
      row.growthRate?.[1] ?? null,
      row.growthRate?.[2] ?? null,
      row.leftMs === undefined ? null : row.leftMs / 3_600_000,
      row.left?.what ?? null,
      row.kernelKib === undefined ? null : Math.round(row.kernelKib),
      row.memTotalKib,
      row.cgroups.live,
      row.cgroups.dying,
      row.cgroups.counted ?? null,
      row.containersPerHour ?? null,
      row.kernel,
      row.runtime,
      row.blind.join(" "),
      formatIso(row.lastSeenAt),
    ]),
  });
}

/** The list of nodes with its filter, order, pages and keys. Reads itself anew while the page is looked at. */
export function FleetView({
  rows,
  shown: trends,
  total,
  readAtMs,
}: {
  readonly rows: readonly FleetRow[];
  readonly shown: FleetShown;
  /** Nodes that there are, listed or not. */
  readonly total: number;
  readonly readAtMs: number;
}) {
  const router = useRouter();
  const [choosing, startChoosing] = useTransition();
  const address = useSearchParams();
  const [filter, setFilter] = useState(address.get("q") ?? "");
  const [order, setOrder] = useState(() => readOrder(address.get("sort"), address.get("order")));
  const [page, setPage] = useState(0);
  const search = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const deferred = useDeferredValue(filter);

  const found = useMemo(() => sortFleet(filterFleet(rows, deferred), order), [rows, deferred, order]);
  const pages = Math.max(1, Math.ceil(found.length / PAGE_ROWS));
  const shownPage = Math.min(page, pages - 1);
  const shown = found.slice(shownPage * PAGE_ROWS, (shownPage + 1) * PAGE_ROWS);

  useEffect(() => {
    const everyMs = rows.length > 300 ? 60_000 : 15_000;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") router.refresh();
    }, everyMs);
    return () => clearInterval(timer);
  }, [router, rows.length]);

  const change = (nextFilter: string, nextOrder: FleetOrder) => {
    setFilter(nextFilter);
    setOrder(nextOrder);
    setPage(0);
    remember(nextFilter, nextOrder);
  };

  const choose = (metric: string, window: TrendWindow) =>
    startChoosing(() => router.replace(addressOf(metric, window), { scroll: false }));

  const move = (by: number) => {
    const links = [...(list.current?.querySelectorAll<HTMLAnchorElement>("a[data-row-link]") ?? [])];
    const here = links.findIndex((link) => link === document.activeElement);
    const next = links[here < 0 ? 0 : Math.min(links.length - 1, Math.max(0, here + by))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  useKeys({
    "/": () => {
      search.current?.focus();
      search.current?.select();
    },
    j: () => move(1),
    k: () => move(-1),
  });

  if (rows.length === 0) return null;
  const rank: FleetSort = order.sort;
  return (
    <div ref={list}>
      <div className="flex flex-wrap items-center gap-2 border-t border-line-2 py-2">
        <input
          ref={search}
          type="search"
          value={filter}
          onChange={(event) => change(event.target.value, order)}
          onKeyDown={(event) => {
            if (event.key === "Escape") event.currentTarget.blur();
          }}
          aria-label="Filter nodes"
          placeholder="Filter by name, kernel, verdict, label   /"
          className="h-8 w-64 rounded-2 border border-line-3 bg-surface px-2 text-sm text-ink placeholder:text-ink-3 max-md:flex-1 md:h-7"
        />
        <Segments
          label="Rank by"
          value={rank === "growth" || rank === "left" ? rank : "urgency"}
          options={[
            { value: "urgency", label: "Urgency" },
            { value: "growth", label: "Growth" },
            { value: "left", label: "Time left" },
          ]}
          onChoose={(sort) => change(filter, { sort, descending: sort === "growth" })}
        />
        <Segments
          label="Trends over"
          value={trends.window}
          options={TREND_WINDOWS.map((window) => ({ value: window, label: windowText(window) }))}
          onChoose={(window) => choose(trends.metric.key, window)}
        />
        <select
          aria-label="Trends of"
          value={trends.metric.key}
          onChange={(event) => choose(event.target.value, trends.window)}
          className="h-8 rounded-2 border border-line-2 bg-surface px-2 text-sm text-ink max-md:flex-1 md:h-7"
        >
          {FLEET_METRICS.map(({ key, label }) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </select>
        <span className="flex-1" />
        <span className="text-sm text-ink-2" aria-live="polite">
          {found.length === rows.length
            ? formatCount(rows.length, "node")
            : `${formatNumber(found.length)} of ${formatCount(rows.length, "node")}`}
          {total > rows.length ? `, of ${formatNumber(total)} that there are` : ""}
          {pages > 1
            ? `, ${formatNumber(shownPage * PAGE_ROWS + 1)}\u2013${formatNumber(shownPage * PAGE_ROWS + shown.length)} shown`
            : ""}
        </span>
        <Button
          className="max-md:hidden"
          onClick={() =>
            download(
              fileName("plumbline", "fleet", formatIso(readAtMs)) + ".csv",
              new Blob([csvOf(found, trends)]),
            )
          }
        >
          CSV
        </Button>
        <PinPage kind="table" caption="Nodes of the fleet" suggestion="Which nodes leak, and why" />
      </div>
      {found.length === 0 ? (
        <StatePanel title={`No node matches \u201c${deferred}\u201d`}>
          <p>{formatCount(rows.length, "node is", "nodes are")} hidden by the filter.</p>
          <Button onClick={() => change("", order)}>Clear the filter</Button>
        </StatePanel>
      ) : (
        <div className="md:overflow-x-auto" tabIndex={-1} aria-busy={choosing}>
          <FleetTable
            rows={shown}
            all={found}
            order={order}
            unit={trends.metric.unit}
            readAtMs={readAtMs}
            onSort={(next) => change(filter, next)}
          />
        </div>
      )}
      {pages > 1 ? (
        <nav aria-label="Pages of the list" className="flex items-center gap-2 py-3 text-sm">
          <Button disabled={shownPage === 0} onClick={() => setPage(shownPage - 1)}>
            Previous {PAGE_ROWS}
          </Button>
          <span className="text-ink-2">
            page {shownPage + 1} of {pages}
          </span>
          <Button disabled={shownPage >= pages - 1} onClick={() => setPage(shownPage + 1)}>
            Next {PAGE_ROWS}
          </Button>
        </nav>
      ) : null}
    </div>
  );
}
