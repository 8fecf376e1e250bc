import { SLAB_KINDS } from "#lib/charts/slab-model.ts";
import type { SlabAddress, SlabSort, SlabTable } from "#lib/charts/slab-model.ts";
import { BlockTable } from "../ui/block-table.tsx";
import { Button, Segments } from "../ui/button.tsx";
import { numericHead } from "../ui/column-heads.tsx";
import { FIELD_CLASS } from "../ui/field.tsx";
import { StatePanel } from "../ui/state-panel.tsx";
import { Verdict } from "../ui/verdict.tsx";
import { changeAddress } from "./change-address.ts";

const KIND_LABELS = { all: "All", SUnreclaim: "SUnreclaim", SReclaimable: "SReclaimable" } as const;

function SortHead({
  label,
  sort,
  current,
}: {
  readonly label: string;
  readonly sort: SlabSort;
  readonly current: SlabSort;
}) {
  return (
    <button
      type="button"
      aria-pressed={sort === current}
      className="hover:text-ink aria-pressed:font-semibold aria-pressed:text-ink"
      onClick={() => changeAddress({ sort: sort === "growth" ? undefined : sort }, "replace")}
    >
      {label}
      <span aria-hidden="true">{sort === current ? " \u2193" : ""}</span>
    </button>
  );
}

/** The caches as the address orders and narrows them, each with a box that charts it. */
export function SlabTableView({
  table,
  address,
  charted,
  onChoose,
  onFilter,
}: {
  readonly table: SlabTable;
  readonly address: SlabAddress;
  readonly charted: readonly string[];
  readonly onChoose: (name: string, on: boolean) => void;
  readonly onFilter: (text: string) => void;
}) {
  const head = (label: string, sort: SlabSort) => (
    <SortHead label={label} sort={sort} current={address.sort} />
  );
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 py-1.5">
        <input
          type="search"
          aria-label="Filter caches"
          placeholder="Filter by name, e.g. kmalloc"
          value={address.filter}
          onChange={(event) => onFilter(event.target.value)}
          className={`${FIELD_CLASS} w-64 max-w-full placeholder:text-ink-3`}
        />
        <Segments
          label="Caches of"
          options={SLAB_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))}
          value={address.kind}
          onChoose={(kind) => changeAddress({ kind: kind === "all" ? undefined : kind }, "replace")}
        />
      </div>
      {table.rows.length === 0 ? (
        <StatePanel title="No cache fits" heading="h3">
          <Button
            onClick={() => {
              onFilter("");
              changeAddress({ kind: undefined }, "replace");
            }}
          >
            Show all caches
          </Button>
        </StatePanel>
      ) : (
        <BlockTable
          region="Slab caches, scrolls sideways"
          label="Slab caches"
          heads={[
            "chart",
            { key: "name", content: head("cache", "name") },
            { key: "growth", content: head(`growth, ${table.unit}`, "growth"), numeric: true },
            numericHead("95 %"),
            "verdict",
            { key: "share", content: head("share of its counter", "share"), numeric: true },
            "counter",
            { key: "size", content: head("size", "size"), numeric: true },
            { key: "objects", content: head("objects in use", "objects"), numeric: true },
            { key: "use", content: head("in use", "use"), numeric: true },
            { key: "object", content: head("object, B", "objectSize"), numeric: true },
          ]}
        >
          {table.rows.map((row) => (
            <tr
              key={row.name}
              role="row"
              className="max-md:grid max-md:grid-cols-[auto_1fr_auto] max-md:gap-x-2 max-md:border-b max-md:border-line max-md:py-1.5 max-md:[&>*]:h-auto max-md:[&>*]:border-0 max-md:[&>*]:p-0"
            >
              <td role="cell">
                <input
                  type="checkbox"
                  aria-label={`Chart ${row.name}`}
                  checked={charted.includes(row.name)}
                  onChange={(event) => onChoose(row.name, event.target.checked)}
                  className="size-4 align-middle accent-(--accent)"
                />
              </td>
              <th
                role="rowheader"
                scope="row"
                className="max-w-72 truncate max-md:max-w-none max-md:font-semibold"
                title={[row.name, ...row.alsoNamed].join(", ")}
              >
                <bdi>{row.name}</bdi>
                {row.alsoNamed.length > 0 ? (
                  <span className="text-ink-2"> also {row.alsoNamed.join(", ")}</span>
                ) : null}
              </th>
              <td role="cell" className="num">
                {row.growth}
                <span className="text-ink-2 md:hidden">
                  {" "}
                  {table.unit} {row.growthInterval}
                </span>
              </td>
              <td role="cell" className="num text-ink-2 max-md:hidden">
                {row.growthInterval}
              </td>
              <td role="cell" className="max-md:col-start-2">
                <Verdict verdict={row.verdict} />
              </td>
              <td role="cell" className="num">
                {row.share} <span className="text-ink-2">{row.shareInterval}</span>
                <span className="text-ink-2 md:hidden"> of growth</span>
              </td>
              <td role="cell" className="text-ink-2 max-md:hidden">
                {row.counter}
              </td>
              <td role="cell" className="num max-md:col-start-2 max-md:text-left">
                {row.size}
              </td>
              <td role="cell" className="num max-md:hidden">
                {row.objects}
              </td>
              <td role="cell" className="num">
                {row.use}
                <span className="text-ink-2 md:hidden"> in use</span>
              </td>
              <td role="cell" className="num max-md:hidden">
                {row.objectSize}
              </td>
            </tr>
          ))}
        </BlockTable>
      )}
    </>
  );
}
