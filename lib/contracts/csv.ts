/** A table as text, for downloads and for the table behind a chart. */
export interface PlainTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** What a spreadsheet would run as a formula, with the apostrophes that defuse it; full-width forms count as well. */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  // Names come from the outside. One apostrophe more than there was, so that reading can take exactly that one away.
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** RFC 4180 text with CRLF line ends. Absent values are empty, never 0; no cell is a formula. */
export function toCsv(table: PlainTable): string {
  const lines = [table.columns, ...table.rows].map((row) => row.map(cell).join(","));
  return `${lines.join("\r\n")}\r\n`;
}

/** One row of a CSV text and the line that it begins at, counted from 1. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Rows, or where the text stops being CSV. */
export type ReadCsv =
  | { readonly ok: true; readonly rows: readonly CsvRow[] }
  | { readonly ok: false; readonly line: number; readonly message: string };

/**
 * Reads CSV as `toCsv` and spreadsheets write it: a byte-order mark, LF or CRLF, and comma, semicolon or tab, whichever comes
 * first in the header. The apostrophe that defused a formula is taken away again. Blank lines are left out. Total on any text.
 */
export function readCsv(text: string): ReadCsv {
  const plain = text.replace(/^\ufeff/, "");
  const delimiter = /[,;\t]/.exec(plain.split(/\r?\n/, 1)[0] ?? "")?.[0] ?? ",";
  const rows: CsvRow[] = [];
  let at = 0;
  let line = 1;
  while (at < plain.length) {
    const begun = line;
    const cells: string[] = [];
    let isBlank = true;
    for (;;) {
      let value = "";
      if (plain[at] === '"') {
        isBlank = false;
        const opened = line;
        for (at += 1; ; at += 1) {
          const next = plain[at];
          if (next === undefined)
            return { ok: false, line: opened, message: 'a cell is opened with " and never closed' };
          if (next === '"' && plain[at + 1] === '"') at += 1;
          else if (next === '"') break;
          if (next === "\n") line += 1;
          value += next;
        }
        at += 1;
        if (at < plain.length && plain[at] !== delimiter && plain[at] !== "\r" && plain[at] !== "\n") {
          return { ok: false, line, message: 'a cell goes on after its closing "' };
        }
      } else {
        const begin = at;
        while (at < plain.length && plain[at] !== delimiter && plain[at] !== "\r" && plain[at] !== "\n")
          at += 1;
        value = plain.slice(begin, at);
        if (value !== "") isBlank = false;
      }
      cells.push(FORMULA.test(value) && value.startsWith("'") ? value.slice(1) : value);
      if (plain[at] !== delimiter) break;
      at += 1;
    }
    if (plain[at] === "\r") at += 1;
    if (plain[at] === "\n") at += 1;
    line += 1;
    if (!isBlank || cells.length > 1) rows.push({ line: begun, cells });
  }
  return { ok: true, rows };
}
