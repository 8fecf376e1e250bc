import type { Artefact, Recogniser } from "./artefact.ts";
import { parseAmount } from "./amount.ts";
import { rowOf, type DumpLine } from "./dump-line.ts";
import { runsOf } from "./samples.ts";

const XSOS =
  /^\s*(\d{1,9}(?:\.\d{1,3})?) ([KMGT]iB)\s(?:\((?:\d{1,3})%[^)]{0,20}\)\s)?((?:total|used|dirty|of|pre-allocated|available|shared|allocated)\b.{0,80})$/;
const XSOS_HEADING =
  /^\s*(?:MEMORY|RAM:|HugePages:|THP:|LowMem\/Slab\/PageTables\/Shmem(?:\/Percpu)?:|(?:No|ZERO) ram pre-allocated to HugePages|Swap:|Stats graphed as percent of MemTotal:|MemUsed\s.*|Buffers\s.*|Cached\s.*|HugePages\s.*|Dirty\s.*)\s*$/;
const XSOS_NAMES: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^total ram$/i, "xsos_ram_total_approx"],
  [/^used excluding buffers/i, "xsos_used_excluding_cache_approx"],
  [/^used$/i, "xsos_used_approx"],
  [/^pre-allocated to hugepages/i, "xsos_hugepages_approx"],
  [/^of hugepages .*in-use by applications/i, "xsos_hugepages_used_approx"],
  [/^of total ram used for slab/i, "xsos_slab_approx"],
  [/^of total ram used for pagetables/i, "xsos_pagetables_approx"],
  [/^of total ram used for percpu/i, "xsos_percpu_approx"],
  [/^of total ram used for shmem/i, "xsos_shmem_approx"],
];

/** The memory part of xsos, which rounds to 0.1: names end in `_approx`. */
export const xsosDump: Recogniser = {
  kind: "xsos",
  recognise: (lines) =>
    runsOf(lines, (line) => XSOS.test(rowOf(line)) || XSOS_HEADING.test(rowOf(line)))
      .filter((run) => run.some(({ text }) => XSOS.test(text)))
      .map((run): Artefact => {
        const facts = new Map<string, number>();
        for (const { text } of run) {
          const [, number = "", unit = "", words = ""] = XSOS.exec(text) ?? [];
          const name = XSOS_NAMES.find(([pattern]) => pattern.test(words.trim()))?.[1];
          const amount = parseAmount(`${number}${unit}`);
          if (name !== undefined && amount !== undefined) facts.set(name, amount.value);
        }
        return { kind: "xsos", lines: run, facts, warnings: [] };
      }),
};

const TOP_LINE = /^\s*(?:([KMGT]iB) )?(Mem|Swap)\s?:\s+\d/;
const TOP_VALUE =
  /(\d{1,15}(?:\.\d{1,3})?)\s?([kKmMgGtT]?)\+?\s(total|used|free|buffers|cached|buff\/cache|avail Mem)/g;

/** `Mem: 1947200K used, 88232K free, 12344K shrd, 23212K buff, 190212K cached`. */
const BUSYBOX_TOP =
  /^\s*Mem: (\d{1,15})K used, (\d{1,15})K free, (\d{1,15})K shrd, (\d{1,15})K buff, (\d{1,15})K cached\s*$/;
const BUSYBOX_NAMES = ["used", "free", "shared", "buffers", "cached"] as const;

function busyboxTop(line: DumpLine): readonly Artefact[] {
  const match = BUSYBOX_TOP.exec(rowOf(line));
  if (!match) return [];
  const numbers = match.slice(1).map(Number);
  const facts = new Map<string, number>(BUSYBOX_NAMES.map((name, place) => [name, numbers[place] ?? 0]));
  // Its used is all that is not free.
  facts.set("MemTotal", (numbers[0] ?? 0) + (numbers[1] ?? 0));
  return [{ kind: "top", lines: [line], facts, warnings: [] }];
}

/** The memory lines of top: all versions, in their own unit. `cached` and `avail Mem` stand in the line of the swap. */
export const topDump: Recogniser = {
  kind: "top",
  recognise: (lines) => [
    ...lines.flatMap(busyboxTop),
    ...runsOf(lines, (line) => TOP_LINE.test(rowOf(line)) && /\btotal\b/.test(line.text)).map(
      (run): Artefact => {
        const facts = new Map<string, number>();
        const warnings: string[] = [];
        for (const { text } of run) {
          const [, unit, row] = TOP_LINE.exec(text) ?? [];
          for (const [, number = "", suffix = "", what = ""] of text.matchAll(TOP_VALUE)) {
            const ownUnit = suffix === "" ? (unit ?? "").slice(0, 1) : suffix;
            const amount = parseAmount(`${number}${ownUnit}`);
            if (amount === undefined) continue;
            if (!amount.hasUnit) warnings.push("top shows no unit here: KiB is taken.");
            facts.set(`${topName(what, row)}${amount.rounded ? "_approx" : ""}`, amount.value);
          }
        }
        return { kind: "top", lines: run, facts, warnings: [...new Set(warnings)] };
      },
    ),
  ],
};

function topName(what: string, row: string | undefined): string {
  if (what === "cached") return "cached";
  if (what === "avail Mem") return "available";
  if (what === "buff/cache") return "buff_cache";
  if (row === "Swap") return what === "total" ? "SwapTotal" : `swap_${what}`;
  return what === "total" ? "MemTotal" : what;
}

const KUBECTL_HEADER = /^\s*NAME\s+CPU\(cores\)\s+(?:CPU[%(]\S*\s+)?MEMORY\(bytes\)/;
const KUBECTL_ROW =
  /^\s*[a-z0-9][\w.-]{0,200}\s+\d{1,9}m?\s+(?:\d{1,4}%\s+)?\d{1,12}[KMG]i?\s*(?:\d{1,4}%)?\s*$/;

/** `kubectl top`: recognised so that nobody takes it for something else. Working sets of several machines: no facts. */
export const kubectlTopDump: Recogniser = {
  kind: "kubectl top",
  recognise: (lines) =>
    runsOf(lines, (line) => KUBECTL_HEADER.test(rowOf(line)) || KUBECTL_ROW.test(rowOf(line)))
      .filter((run) => run.some(({ text }) => KUBECTL_HEADER.test(text)))
      .map((run) => ({
        kind: "kubectl top",
        lines: run,
        facts: new Map<string, number>(),
        warnings: ["Working sets leave out kernel memory of the node, and shares are of what pods may have."],
      })),
};

const VMSTAT_TOTALS: Readonly<Record<string, string>> = {
  "total memory": "MemTotal",
  "used memory": "used",
  "active memory": "active",
  "inactive memory": "inactive",
  "free memory": "free",
  "buffer memory": "buffers",
  "swap cache": "cached",
  "total swap": "SwapTotal",
  "used swap": "swap_used",
  "free swap": "SwapFree",
};
const VMSTAT_TOTAL = /^\s*(\d{1,15}) ([KkMm]) ([a-z]{4,8} [a-z]{4,6})\s*$/;
/** Ticks and events below the totals. */
const VMSTAT_EVENT =
  /^\s*\d{1,20} (?:[a-z-]{2,12} (?:user|system|idle|cpu)?.{0,20}ticks|pages .{2,20}|interrupts|CPU context switches|boot time|forks|.{0,30}ticks)\s*$/;

/** `vmstat -s`. What it calls swap cache is Cached and SReclaimable, as the cache of free. */
export const vmstatTotalsDump: Recogniser = {
  kind: "vmstat -s",
  recognise: (lines) =>
    runsOf(lines, (line) => VMSTAT_TOTAL.test(rowOf(line)) || VMSTAT_EVENT.test(rowOf(line)))
      .filter((run) => run.some(({ text }) => VMSTAT_TOTAL.exec(text)?.[3] === "total memory"))
      .map((run): Artefact => {
        const facts = new Map<string, number>();
        for (const { text } of run) {
          const [, number, unit = "", words = ""] = VMSTAT_TOTAL.exec(text) ?? [];
          const name = VMSTAT_TOTALS[words];
          if (name !== undefined) facts.set(name, Number(number) * vmstatUnitKib(unit));
        }
        return { kind: "vmstat -s", lines: run, facts, warnings: [] };
      }),
};

/** The unit that `-S` chose: K and M are of 1,024, k and m of 1,000. */
function vmstatUnitKib(unit: string): number {
  return unit === "M" ? 1024 : unit === "m" ? 1000 ** 2 / 1024 : unit === "k" ? 1000 / 1024 : 1;
}

const VMSTAT_HEADER = /^\s*r\s+b\s+swpd\s+free\s+(?:buff|inact)\s+(?:cache|active)\s/;
const VMSTAT_TITLE = /^\s*procs\s-+memory-+/;
const VMSTAT_ROW = /^\s*\d+\s+\d+(?:\s+\d+){12,16}\s*$/;

/** vmstat(8). Its memory columns are KiB unless `-S` says otherwise: facts from the last row, the only one not an average. */
export const vmstatCommandDump: Recogniser = {
  kind: "vmstat",
  recognise: (lines) =>
    runsOf(lines, (line) => {
      const text = rowOf(line);
      return VMSTAT_TITLE.test(text) || VMSTAT_HEADER.test(text) || VMSTAT_ROW.test(text);
    })
      .filter((run) => run.some(({ text }) => VMSTAT_HEADER.test(text)))
      .map(vmstatArtefact),
};

function vmstatArtefact(run: readonly DumpLine[]): Artefact {
  const facts = new Map<string, number>();
  const header = run.find(({ text }) => VMSTAT_HEADER.test(text));
  const names = header?.text.trim().split(/\s+/) ?? [];
  const last =
    run
      .findLast(({ text }) => VMSTAT_ROW.test(text))
      ?.text.trim()
      .split(/\s+/) ?? [];
  const kib = vmstatUnitKib(/-\w*S\s*([kKmM])/.exec(header?.context ?? "")?.[1] ?? "K");
  for (const column of ["swpd", "free", "buff", "cache"]) {
    const value = last[names.indexOf(column)];
    if (value !== undefined) facts.set(column === "buff" ? "buffers" : column, Number(value) * kib);
  }
  return { kind: "vmstat", lines: run, facts, warnings: [] };
}
