import type { Artefact, Recogniser } from "./artefact.ts";
import { parseAmount } from "./amount.ts";
import { lineAfter, rowOf, type DumpLine } from "./dump-line.ts";

const HEADER = /^\s*Area\s+Used\s+Cache\s+Noncache\s*$/;
const ROW =
  /^\s*(firmware\/hardware|kernel image|kernel dynamic memory|userspace memory|free memory)\s+(\S{1,20})\s+(\S{1,20})\s+(\S{1,20})\s*$/;
const ROW_CUT =
  /^\s*(?:firmware\/hardware|kernel image|kernel dynamic memory|userspace memory|free memory)\b/;
const TOTAL = /^\s*(\S{1,20})\s+(\S{1,20})\s+(\S{1,20})\s*$/;

const PERCENT = /^(\d{1,3}(?:[.,]\d{1,4})?)%$/;

const NAMES: Readonly<Record<string, string>> = {
  "firmware/hardware": "smem_firmware",
  "kernel image": "smem_kernel_image",
  "kernel dynamic memory": "smem_kernel",
  "userspace memory": "smem_user",
  "free memory": "smem_free",
};

/**
 * `smem -w`, also with `-t` and `-k`: `smem_kernel_noncache` and its like. With `-k` amounts have one decimal and get
 * `_approx`. With `-p` they are shares of a total that is not there: `smem_kernel_noncache_percent`, and no amounts.
 */
export const smemDump: Recogniser = {
  kind: "smem -w",
  recognise(lines) {
    const artefacts: Artefact[] = [];
    let own: DumpLine[] = [];
    let seen = new Set<string>();
    const finish = () => {
      if (own.some((line) => ROW.test(rowOf(line)))) artefacts.push(artefactOf(own, lines));
      own = [];
      seen = new Set();
    };
    for (const line of lines) {
      const text = rowOf(line);
      const area = ROW_CUT.exec(text)?.[0].trim();
      if (HEADER.test(text) || (area !== undefined && seen.has(area))) finish();
      if (area !== undefined) seen.add(area);
      if (HEADER.test(text) || area !== undefined) own.push(line);
    }
    finish();
    return artefacts;
  },
};

function artefactOf(rows: readonly DumpLine[], lines: readonly DumpLine[]): Artefact {
  const facts = new Map<string, number>();
  const own = [...rows];
  const put = (name: string, cells: readonly (string | undefined)[]) => {
    ["used", "cache", "noncache"].forEach((column, index) => {
      const percent = PERCENT.exec(cells[index] ?? "")?.[1];
      if (percent !== undefined) facts.set(`${name}_${column}_percent`, Number(percent.replace(",", ".")));
      const amount = parseAmount(cells[index]);
      // A plain number with decimals is Python's division, exact; only amounts with a unit are abbreviated.
      if (amount === undefined) return;
      facts.set(`${name}_${column}${amount.rounded && amount.hasUnit ? "_approx" : ""}`, amount.value);
    });
  };
  let unreadable = 0;
  for (const line of rows) {
    const row = ROW.exec(rowOf(line));
    if (row) put(NAMES[row[1] ?? ""] ?? "", row.slice(2));
    else if (!HEADER.test(line.text)) unreadable += 1;
  }
  const percent = rows.some(({ text }) => /\d%/.test(text));
  const last = rows.at(-1);
  const ruler = last === undefined ? undefined : lineAfter(last, lines);
  const total =
    ruler !== undefined && /^\s*-{10,}\s*$/.test(ruler.text) ? lineAfter(ruler, lines) : undefined;
  if (ruler !== undefined && total !== undefined && TOTAL.test(rowOf(total))) {
    own.push(ruler, total);
    put("smem_total", TOTAL.exec(rowOf(total))?.slice(1) ?? []);
  }
  const warnings = percent ? ["These are shares without a total, so no amounts follow from them."] : [];
  return { kind: "smem -w", lines: own, facts, truncated: unreadable > 0, warnings };
}
