import type { Artefact, Recogniser } from "./artefact.ts";
import { parseAmount } from "./amount.ts";
import { lineAfter, rowOf, type DumpLine } from "./dump-line.ts";
import { runsOf } from "./samples.ts";

const SUMMARY =
  /^\s*Active \/ Total (Objects|Slabs|Caches|Size) \(% used\)\s*:\s*(\d[\d.,]*[KMGT]?) \/ (\d[\d.,]*[KMGT]?) \((\d+[.,]\d+)%\)\s*$/;
const SUMMARY_LIKE = /^\s*(?:Active \/ Total|Minimum \/ Average)/;
const HEADER = /^\s*OBJS\s+ACTIVE\s+USE\b/;
const ROW =
  /^\s*(\d+)\s+(\d+)\s+(\d+)%\s+(\d+(?:[.,]\d+)?[KMG]?)\s+(\d+)\s+(\d+)\s+(\d+(?:[.,]\d+)?[KMG]?)\s+(\S.{0,100}?)\s*$/;
const ROW_WITHOUT_NAME = /^\s*\d+\s+\d+\s+\d+%\s+\S+\s+\d+\s+\d+\s+\d+(?:[.,]\d+)?[KMG]?\s*$/;
const NAME = /^\s*[A-Za-z_][\w.:()-]{0,60}\s*$/;
const ROW_LIKE = /^\s*\d+\s+\d+\s+\d+%\s/;
const OBJECTS_COUNT = { active: "objects_active_count", total: "objects_total_count" };
const PERCENT_TOLERANCE = 0.11;

/**
 * slabtop, once (`-o`), as a saved screen, with or without its summary, every sort order. A row is taken only when it is
 * whole and its numbers agree (slabs x objects per slab = objects); an interactive screen that overwrote itself fails
 * that and gives nothing.
 */
export const slabtopDump: Recogniser = {
  kind: "slabtop",
  recognise(lines) {
    const names = wrappedNames(lines);
    return runsOf(lines, (line) => {
      const text = rowOf(line);
      return names.has(line) || SUMMARY_LIKE.test(text) || HEADER.test(text) || ROW_LIKE.test(text);
    })
      .flatMap(splitScreens)
      .flatMap((run) => artefactOf(run) ?? []);
  },
};

/** Lines that are nothing but the name of the row above, where a mailer wrapped it. */
function wrappedNames(lines: readonly DumpLine[]): ReadonlySet<DumpLine> {
  const names = new Set<DumpLine>();
  for (const line of lines) {
    if (!ROW_WITHOUT_NAME.test(rowOf(line))) continue;
    const next = lineAfter(line, lines);
    if (next !== undefined && NAME.test(rowOf(next))) names.add(next);
  }
  return names;
}

/** One screen after the other (`watch`, a log of slabtop): each starts with its first summary line, or its header. */
function splitScreens(run: readonly DumpLine[]): readonly (readonly DumpLine[])[] {
  const screens: DumpLine[][] = [];
  let hasRows = true;
  for (const line of run) {
    const isRow = ROW_LIKE.test(line.text) || NAME.test(line.text);
    if (hasRows && !isRow) screens.push([]);
    if (screens.length === 0) screens.push([]);
    screens.at(-1)?.push(line);
    hasRows = isRow;
  }
  return screens;
}

function artefactOf(run: readonly DumpLine[]): Artefact | undefined {
  const facts = new Map<string, number>();
  const objects = new Map<string, number>();
  let unreadable = 0;
  for (const [place, line] of run.entries()) {
    const ownText = rowOf(line);
    const next = run[place + 1]?.text ?? "";
    const text = ROW_WITHOUT_NAME.test(ownText) && NAME.test(next) ? `${ownText} ${next.trim()}` : ownText;
    if (NAME.test(text)) continue;
    if (HEADER.test(text) || /^\s*Minimum .* : \d+[.,]\d+K \/ \d+[.,]\d+K \/ \d+[.,]\d+K$/.test(text))
      continue;
    // Of a name that the text may have cut nothing is certain.
    const read = SUMMARY_LIKE.test(text)
      ? readSummary(text, facts)
      : !line.mayBeCut && readRow(text, facts, objects);
    if (!read) unreadable += 1;
  }
  // Rows alone are too little to tell slabtop from another table.
  if (facts.size === 0 && !run.some(({ text }) => HEADER.test(text) || SUMMARY_LIKE.test(text)))
    return undefined;
  const warnings =
    unreadable === 0
      ? []
      : [
          `${unreadable === 1 ? "A line is cut or was" : `${unreadable} lines are cut or were`} overwritten on the screen and not used; slabtop -o prints once.`,
        ];
  return { kind: "slabtop", lines: run, facts, objects, truncated: unreadable > 0, warnings };
}

function readSummary(text: string, facts: Map<string, number>): boolean {
  const match = SUMMARY.exec(text);
  if (!match) return false;
  const [, what, activeToken, totalToken, percent = ""] = match;
  const active = parseAmount(ungrouped(activeToken))?.value;
  const total = parseAmount(ungrouped(totalToken))?.value;
  if (active === undefined || total === undefined || active > total) return false;
  const share = total === 0 ? 0 : (100 * active) / total;
  if (total > 0 && Math.abs(share - Number(percent.replace(",", "."))) > PERCENT_TOLERANCE) return false;
  if (what === "Objects") facts.set(OBJECTS_COUNT.active, active).set(OBJECTS_COUNT.total, total);
  if (what === "Size") facts.set("slabtop_active", active).set("slabtop_total", total);
  return true;
}

function ungrouped(token: string | undefined): string | undefined {
  return token?.replace(/,(?=\d{3}(?!\d))/g, "");
}

function readRow(text: string, facts: Map<string, number>, counts: Map<string, number>): boolean {
  const match = ROW.exec(text);
  if (!match) return false;
  const [, objects, active, percent, , slabs, perSlab, sizeToken, name = ""] = match;
  const size = parseAmount(sizeToken);
  if (size === undefined || Number(active) > Number(objects)) return false;
  const share = Number(objects) === 0 ? 0 : (100 * Number(active)) / Number(objects);
  // procps 3.3.11 and 3.3.12 print 0 for everything below 100.
  if (Number(objects) > 0 && percent !== "0" && Math.abs(share - Number(percent)) > 1) return false;
  // SLUB counts what slabs hold, SLAB may lag by a slab; a row that is off by more was damaged.
  const holds = Number(slabs) * Number(perSlab);
  if (holds < Number(objects) * 0.9 || holds * 0.9 > Number(objects) + Number(perSlab)) return false;
  const key = `slab:${name}`;
  facts.set(key, (facts.get(key) ?? 0) + size.value);
  counts.set(name, (counts.get(name) ?? 0) + Number(active));
  return true;
}
