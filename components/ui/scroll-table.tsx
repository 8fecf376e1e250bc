import type { ReactNode } from "react";
import { HeadRow } from "./column-heads.tsx";
import type { ColumnHeads } from "./column-heads.tsx";

/** A table that scrolls within its place, sideways unless `className` says otherwise. */
export function ScrollTable({
  label,
  heads,
  caption,
  className = "overflow-x-auto",
  children,
}: {
  readonly label: string;
  readonly heads: ColumnHeads;
  /** Read out with the table itself. */
  readonly caption?: string;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  return (
    <div className={className} role="group" aria-label={label} tabIndex={0}>
      <table className="grid-table">
        {caption === undefined ? null : <caption className="sr-only">{caption}</caption>}
        <thead>
          <HeadRow heads={heads} />
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
