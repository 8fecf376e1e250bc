import { formatKib } from "#lib/charts/format.ts";
import type { UsedMemory, UsedView } from "#lib/domain/memory/who-is-right.ts";
import { HeadRow, numericHead } from "../ui/column-heads.tsx";

const HEADS = [
  "who",
  numericHead("used"),
  {
    key: "left out",
    content: (
      <>
        of the kernel
        <br />
        left out
      </>
    ),
    numeric: true,
  },
];

function amountText({ usedKib, missing, approximate }: UsedView): string {
  if (usedKib === undefined) return `no ${missing.join(", ")}`;
  return `${approximate ? "≈ " : ""}${formatKib(usedKib)}`;
}

function leftOutText({ leavesOut, kernelLeftOutKib }: UsedView): string {
  const parts = leavesOut.filter(({ kib }) => kib !== 0).sort((a, b) => b.kib - a.kib);
  if (parts.length === 0)
    return kernelLeftOutKib === undefined
      ? "How much that is in use it leaves out is not known."
      : "Leaves out nothing that is in use.";
  return `Leaves out ${parts.map(({ label, kib }) => `${label} ${formatKib(kib)}`).join("; ")}${kernelLeftOutKib === undefined ? ", and what was not reported" : ""}.`;
}

/** What each tool calls used, how much of the kernel's own memory that leaves out, and why. */
export function UsedTable({ used, label }: { readonly used: UsedMemory; readonly label: string }) {
  return (
    <>
      <table className="grid-table" aria-label={label}>
        <thead>
          <HeadRow heads={HEADS} />
        </thead>
        <tbody>
          {used.views.map((view) => (
            <tr key={view.key} className={view.applies === false ? "text-ink-2" : ""}>
              <th scope="row" className={view.key === "plumbline" ? "!font-semibold" : ""}>
                {view.who}
                {view.applies === false ? " (not the cgroup mode of this node)" : ""}
              </th>
              <td className="num">{amountText(view)}</td>
              <td className="num">
                {view.kernelLeftOutKib === undefined ? "not known" : formatKib(view.kernelLeftOutKib)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <details className="mt-2">
        <summary className="cursor-pointer text-sm text-accent-ink">Why each counts so</summary>
        <dl className="grid gap-2 pt-2 text-sm">
          {used.views.map((view) => (
            <div key={view.key}>
              <dt className="font-semibold">{view.who}</dt>
              <dd className="text-ink-2">
                {view.formula}. {view.why} {leftOutText(view)}
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}
