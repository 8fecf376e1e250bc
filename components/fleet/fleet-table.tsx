"use client";

import { Fragment } from "react";
import { FLEET_GROUPS, firstDirection } from "#lib/charts/fleet-model.ts";
import type { FleetOrder, FleetRow, FleetSort } from "#lib/charts/fleet-model.ts";
import { growthDomain } from "#lib/charts/growth-axis.ts";
import { GrowthAxis } from "./growth-whisker.tsx";
import { NodeRow } from "./node-row.tsx";

interface Column {
  readonly sort: FleetSort;
  readonly label: string;
  readonly second?: string;
  readonly num?: boolean;
}

const COLUMNS: readonly Column[] = [
  { sort: "name", label: "node" },
  { sort: "verdict", label: "verdict" },
  { sort: "growth", label: "growth" },
  { sort: "left", label: "time left" },
  { sort: "kernel", label: "kernel", second: "memory, 24 h" },
  { sort: "kernel", label: "GiB", num: true },
  { sort: "memory", label: "memory", second: "in use" },
  { sort: "cgroups", label: "cgroups live / dying,", second: "ids of 65,535" },
  { sort: "containers", label: "containers/h", second: "last 1\u00a0h", num: true },
  { sort: "release", label: "kernel" },
  { sort: "runtime", label: "runtime" },
  { sort: "blind", label: "sources" },
  { sort: "seen", label: "seen", num: true },
];

/** What stands before the interval in its column. */
const VALUE_PX = 47;
const DIGIT_PX = 6.8;
const OTHER_PX = 4.5;

/** Width that the longest interval needs, so that none reaches into the drawing beside it. */
function intervalWidthPx(rows: readonly FleetRow[]): number {
  const width = (text: string) =>
    [...text].reduce((sum, each) => sum + (/[\d\u2212\u2013]/.test(each) ? DIGIT_PX : OTHER_PX), 0);
  return rows.reduce((most, { growth }) => Math.max(most, Math.ceil(width(growth?.interval ?? ""))), 70);
}

/** Nodes in order; grouped by what to do while the order is by urgency. */
export function FleetTable({
  rows,
  all,
  order,
  unit,
  readAtMs,
  onSort,
}: {
  readonly rows: readonly FleetRow[];
  readonly all: readonly FleetRow[];
  readonly order: FleetOrder;
  /** Of the growth. */
  readonly unit: string;
  readonly readAtMs: number;
  readonly onSort: (order: FleetOrder) => void;
}) {
  const domain = growthDomain(all.flatMap((row) => (row.growthRate ? [...row.growthRate] : [])));
  const intervalPx = intervalWidthPx(all);
  const grouped = order.sort === "urgency";
  const groups = grouped
    ? FLEET_GROUPS.map((group) => ({ ...group, rows: rows.filter((row) => row.group === group.key) }))
    : [{ key: "all", title: "", rows }];
  return (
    <table role="table" aria-label="Nodes" className="grid-table fleet-table">
      <thead role="rowgroup">
        <tr role="row">
          {COLUMNS.map((column, index) => {
            const sorted = order.sort === column.sort && !(column.sort === "kernel" && !column.num);
            return (
              <th
                key={`${column.sort}${index}`}
                scope="col"
                role="columnheader"
                aria-sort={sorted ? (order.descending ? "descending" : "ascending") : undefined}
                className={column.num ? "num" : ""}
              >
                <span className="flex items-end gap-1.5">
                  <button
                    type="button"
                    className={`hover:text-ink hover:underline ${column.num ? "ml-auto text-right" : "text-left"} ${sorted ? "font-semibold text-ink" : ""}`}
                    style={column.sort === "growth" ? { width: VALUE_PX + intervalPx } : undefined}
                    onClick={() =>
                      onSort({
                        sort: column.sort,
                        descending: sorted ? !order.descending : firstDirection(column.sort),
                      })
                    }
                  >
                    {column.sort === "growth" ? `growth, ${unit} (95\u00a0%)` : column.label}
                    {column.second ? <span className="block">{column.second}</span> : null}
                    {sorted ? (
                      <span aria-hidden="true">{order.descending ? " \u2193" : " \u2191"}</span>
                    ) : null}
                  </button>
                  {column.sort === "growth" ? <GrowthAxis domain={domain} /> : null}
                </span>
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {groups.map((group) =>
          group.rows.length === 0 ? null : (
            <Fragment key={group.key}>
              {grouped ? (
                <tr role="row" className="fleet-group">
                  <th role="rowheader" scope="rowgroup" colSpan={COLUMNS.length}>
                    {group.title}{" "}
                    <span className="font-normal text-ink-2">
                      {all.filter((row) => row.group === group.key).length}
                    </span>
                  </th>
                </tr>
              ) : null}
              {group.rows.map((row) => (
                <NodeRow
                  key={row.nodeId}
                  row={row}
                  unit={unit}
                  domain={domain}
                  intervalPx={intervalPx}
                  readAtMs={readAtMs}
                />
              ))}
            </Fragment>
          ),
        )}
      </tbody>
    </table>
  );
}
