/** A table as text, for downloads and for the table behind a chart. */
export interface PlainTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  // A leading = + - @ would be run as a formula by a spreadsheet: names come from the outside.
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** RFC 4180 text with CRLF line ends. Absent values are empty, never 0. */
export function toCsv(table: PlainTable): string {
  const lines = [table.columns, ...table.rows].map((row) => row.map(cell).join(","));
  return `${lines.join("\r\n")}\r\n`;
}
