import type { ReactNode } from "react";

/** A head of a column; `numeric` ones stand at the right. */
export interface ColumnHead {
  readonly key: string;
  readonly content: ReactNode;
  readonly numeric?: boolean;
}

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
  readonly heads: readonly ColumnHead[];
  readonly children: ReactNode;
}) {
  return (
    <div className="md:overflow-x-auto" tabIndex={0} role="region" aria-label={region}>
      <table role="table" className="grid-table max-md:block" aria-label={label}>
        <thead role="rowgroup" className="max-md:hidden">
          <tr role="row">
            {heads.map(({ key, content, numeric }) => (
              <th key={key} role="columnheader" scope="col" className={numeric ? "num" : undefined}>
                {content}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-md:block">
          {children}
        </tbody>
      </table>
    </div>
  );
}
