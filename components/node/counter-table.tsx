import { formatNumber } from "#lib/charts/format.ts";
import type { SnapshotAt } from "#lib/contracts/series.ts";

/** Every counter of one sample whose name holds what is typed. */
export function CounterTable({
  snapshot,
  filter,
}: {
  readonly snapshot: Pick<SnapshotAt, "meminfo" | "vmstat" | "other">;
  readonly filter: string;
}) {
  const wanted = filter.trim().toLowerCase();
  const groups = [
    { name: "/proc/meminfo", unit: "kB", counters: snapshot.meminfo },
    { name: "/proc/vmstat", unit: "", counters: snapshot.vmstat },
    { name: "other", unit: "", counters: snapshot.other },
  ];
  const shown = groups.flatMap(({ name, unit, counters }) =>
    Object.entries(counters)
      .filter(([key]) => key.toLowerCase().includes(wanted))
      .map(([key, value]) => ({ name, unit, key, value })),
  );
  if (shown.length === 0)
    return (
      <p className="py-2 text-sm text-ink-2">
        {wanted === "" ? "This sample holds no counter." : "No counter is called so: clear the filter."}
      </p>
    );
  return (
    <table className="grid-table">
      <tbody>
        {shown.map(({ name, unit, key, value }) => (
          <tr key={`${name} ${key}`}>
            <th scope="row" className="[overflow-wrap:anywhere]">
              {key} <span className="text-ink-3">{name}</span>
            </th>
            <td className="num">
              {formatNumber(value, Number.isInteger(value) ? 0 : 2)}
              {unit && !key.startsWith("HugePages_") ? ` ${unit}` : ""}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
