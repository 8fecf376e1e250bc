import type { ReactNode } from "react";

/** A head of a column; `numeric` ones stand at the right. */
export interface ColumnHead {
  readonly key: string;
  readonly content: ReactNode;
  readonly numeric?: boolean;
  readonly className?: string;
}

/** Heads of columns, in order; a text is its own key. */
export type ColumnHeads = readonly (string | ColumnHead)[];

/** The head of a column of numbers. */
export function numericHead(content: string, className?: string): ColumnHead {
  return { key: content, content, numeric: true, ...(className !== undefined && { className }) };
}

/** The row of heads. It carries its roles itself, for a table that is shown as blocks loses them. */
export function HeadRow({ heads }: { readonly heads: ColumnHeads }) {
  return (
    <tr role="row">
      {heads.map((head) => {
        const { key, content, numeric, className } =
          typeof head === "string" ? ({ key: head, content: head } as ColumnHead) : head;
        return (
          <th
            key={key}
            role="columnheader"
            scope="col"
            className={[numeric ? "num" : "", className].filter(Boolean).join(" ") || undefined}
          >
            {content}
          </th>
        );
      })}
    </tr>
  );
}
