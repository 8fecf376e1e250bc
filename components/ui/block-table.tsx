import type { ReactNode } from "react";
import { HeadRow } from "./column-heads.tsx";
import type { ColumnHeads } from "./column-heads.tsx";

/**
 * A wide table that scrolls within its place and falls apart into blocks on a narrow screen, where it has no heads: a cell
 * then says itself what it is. Rows carry their roles themselves, for `display: block` takes them away.
 */
export function BlockTable({
  region,
  label,
  heads,
  children,
}: {
  /** Name of the place that scrolls. */
  readonly region: string;
  readonly label: string;
  readonly heads: ColumnHeads;
  readonly children: ReactNode;
}) {
  return (
    <div className="md:overflow-x-auto" tabIndex={0} role="region" aria-label={region}>
      <table role="table" className="grid-table max-md:block" aria-label={label}>
        <thead role="rowgroup" className="max-md:hidden">
          <HeadRow heads={heads} />
        </thead>
        <tbody role="rowgroup" className="max-md:block">
          {children}
        </tbody>
      </table>
    </div>
  );
}

/** A row whose cells follow each other like words on a narrow screen. */
export function BlockRow({
  className = "",
  children,
}: {
  readonly className?: string;
  readonly children: ReactNode;
}) {
  return (
    <tr
      role="row"
      className={`max-md:block max-md:border-b max-md:border-line max-md:py-1.5 max-md:[&>*]:mr-3 max-md:[&>*]:inline-block max-md:[&>*]:h-auto max-md:[&>*]:border-0 max-md:[&>*]:p-0 ${className}`}
    >
      {children}
    </tr>
  );
}

/** A cell that says what it is where the table has no heads. */
export function NamedCell({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <td role="cell">
      <span className="md:hidden">{`${name} `}</span>
      {children}
    </td>
  );
}
