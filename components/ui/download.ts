import { toCsv } from "#lib/contracts/csv.ts";
import type { PlainTable } from "#lib/contracts/csv.ts";

/** Hands a file to the browser's downloads. */
export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Hands a table over as CSV; `name` is without its ending. */
export function downloadCsv(name: string, table: PlainTable): void {
  download(`${name}.csv`, new Blob([toCsv(table)], { type: "text/csv;charset=utf-8" }));
}

/** A file name without anything a file system or a shell would mind. */
export function fileName(...parts: readonly string[]): string {
  return parts
    .map((part) => part.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^-+|-+$/g, ""))
    .filter(Boolean)
    .join("_");
}
