import type { Artefact, Recogniser } from "./artefact.ts";
import { parseAmount, type Amount } from "./amount.ts";
import { captionOf } from "./caption.ts";
import { lineAfter, rowOf, type DumpLine } from "./dump-line.ts";

const AMOUNT = "\\d{1,15}(?:[.,]\\d{1,6})?(?:[BKMGTP]i?B?)?";
const ROW = new RegExp(`^\\s*(\\S[^\\d:：]{0,24}?)\\s?[:：]\\s*((?:${AMOUNT}\\s+){2,6}${AMOUNT})\\s*$`);
const HEADER = /^\s*(?:[^\s\d]\S*\s+){3,7}[^\s\d]\S*\s*$/;
const OLD_CACHE_ROW = /^\s*-\/\+ \S.*:\s/;

/** The columns by how many there are; free has never changed their order, and translates only their names. */
const LAYOUTS = {
  /** procps from 3.3.10 on, and busybox. */
  combined: ["MemTotal", "used", "free", "shared", "buff_cache", "available"],
  /** `free -w`. */
  wide: ["MemTotal", "used", "free", "shared", "buffers", "cache", "available"],
  /** Without its head, what both have in common. */
  headless: ["MemTotal", "used", "free", "shared"],
  /** procps before 3.3.10, which prints `-/+ buffers/cache` below. */
  old: ["MemTotal", "used", "free", "shared", "buffers", "cached"],
} as const;

const KIB_BY_FLAG: Readonly<Record<string, number>> = {
  b: 1 / 1024,
  bytes: 1 / 1024,
  k: 1,
  kibi: 1,
  m: 1024,
  mebi: 1024,
  g: 1024 ** 2,
  gibi: 1024 ** 2,
  tebi: 1024 ** 3,
  kilo: 1000 / 1024,
  mega: 1000 ** 2 / 1024,
  giga: 1000 ** 3 / 1024,
};

/**
 * `free` in any unit, layout and language: a row of words, then a row with a label and six or seven amounts, wherever
 * the language puts its colon. `shared`, `used` and so on are free's columns; amounts with decimals are rounded by free
 * and get names that end in `_approx`.
 */
export const freeDump: Recogniser = {
  kind: "free",
  recognise(lines) {
    const withHead = new Set<DumpLine>();
    return lines.flatMap((line) => {
      const text = rowOf(line);
      if (HEADER.test(text)) {
        const memory = nextRow(line, lines);
        const cells = memory === undefined ? undefined : cellsOf(memory);
        // Busybox had five columns; a row of five under six names is cut.
        const words = text.trim().split(/\s+/).length;
        if (memory === undefined || cells === undefined || cells.length < Math.min(words, 6)) return [];
        withHead.add(memory);
        return [artefactOf(line, memory, cells, lines)];
      }
      const cells = /^\s*Mem:/.test(text) && !withHead.has(line) ? cellsOf(line) : undefined;
      return cells === undefined || cells.length < 6 ? [] : [artefactOf(undefined, line, cells, lines)];
    });
  },
};

/** Some mailers double-space a table, so one blank line may stand between. */
function nextRow(line: DumpLine, lines: readonly DumpLine[]): DumpLine | undefined {
  const next = lineAfter(line, lines);
  return next?.text.trim() === "" ? lineAfter(next, lines) : next;
}

function cellsOf(line: DumpLine): readonly Amount[] | undefined {
  const match = ROW.exec(rowOf(line));
  if (!match) return undefined;
  const amounts = (match[2] ?? "").trim().split(/\s+/).map(parseAmount);
  return amounts.every((each) => each !== undefined) ? amounts : undefined;
}

function artefactOf(
  header: DumpLine | undefined,
  memory: DumpLine,
  cells: readonly Amount[],
  lines: readonly DumpLine[],
): Artefact {
  const own = header === undefined ? [memory] : [header, memory];
  const warnings: string[] = [];
  let row = nextRow(memory, lines);
  let hasOldRow = false;
  let swap: readonly Amount[] | undefined;
  for (let more = 0; more < 3 && row !== undefined; more += 1) {
    const isOld = OLD_CACHE_ROW.test(rowOf(row));
    const below = isOld ? undefined : cellsOf(row);
    if (!isOld && below?.length !== 3) break;
    hasOldRow ||= isOld;
    if (below?.length === 3) swap ??= below;
    own.push(row);
    row = nextRow(row, lines);
  }
  const isOld = hasOldRow || cells.length === 5 || (header !== undefined && !/\S\/\S/.test(header.text));
  const sixColumns = isOld ? LAYOUTS.old : header === undefined ? LAYOUTS.headless : LAYOUTS.combined;
  const layout = cells.length === 7 ? LAYOUTS.wide : sixColumns;
  if (layout === LAYOUTS.headless)
    warnings.push("Without the head of the table the last two columns are not known.");
  const unitKib = unitOf(memory.context, cells, warnings);
  const facts = new Map<string, number>();
  const put = (name: string, amount: Amount | undefined) => {
    if (amount === undefined) return;
    facts.set(amount.rounded ? `${name}_approx` : name, amount.value * (amount.hasUnit ? 1 : unitKib));
  };
  layout.forEach((name, column) => {
    put(name, cells[column]);
  });
  put("SwapTotal", swap?.[0]);
  put("swap_used", swap?.[1]);
  const caption = captionOf(header ?? memory, lines);
  return { kind: "free", lines: own, facts, label: caption, caption, warnings };
}

/** KiB of one unit of a table without suffixes. */
function unitOf(context: string, cells: readonly Amount[], warnings: string[]): number {
  if (cells.some(({ hasUnit }) => hasUnit)) return 1;
  if (/\bfree\b/.test(context)) {
    const options = [...context.matchAll(/\s--?([a-z]+)/g)].map(([, letters = ""]) => letters);
    const long = options.map((name) => KIB_BY_FLAG[name]).find((each) => each !== undefined);
    const short = [...options.join("")]
      .map((letter) => KIB_BY_FLAG[letter])
      .find((each) => each !== undefined);
    return long ?? short ?? 1;
  }
  const total = cells[0]?.value ?? 0;
  if (total > 0 && total < 65_536) {
    warnings.push(
      "The unit is not shown; it is taken to be MiB, because no machine that runs free has so few KiB.",
    );
    return 1024;
  }
  if (total >= 2 ** 38) {
    warnings.push(
      "The unit is not shown; it is taken to be bytes, because as KiB it would be more than 256 TiB.",
    );
    return 1 / 1024;
  }
  if (total < 4_194_304) warnings.push("The unit is not shown; it is taken to be KiB, the default of free.");
  return 1;
}
