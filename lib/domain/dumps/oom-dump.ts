import { pagesToKib } from "../memory/kib.ts";
import { pageSizeWarnings, type Artefact, type DumpContext, type Recogniser } from "./artefact.ts";
import { dataOf, type DumpLine } from "./dump-line.ts";

/** Lines that only the kernel's out-of-memory and allocation-failure reports have. */
const START =
  /\binvoked oom-killer:|page allocation failure(?:: |\. )order:\d+|: page allocation failure|^\s*Mem-Info:/;
const PAGE_COUNTS =
  /\b(active_anon|inactive_anon|isolated_anon|active_file|inactive_file|isolated_file|unevictable|dirty|writeback|unstable|slab_reclaimable|slab_unreclaimable|slab|mapped|shmem|pagetables|sec_pagetables|bounce|kernel_misc_reclaimable|free|free_pcp|free_cma):(\d{1,15})(?![\d.]*[kKMG]?B|\d)/g;
/** Nothing but counters, however a mailer wrapped them. */
const PAGE_LINE =
  /^\s*(?:(?:active_anon|inactive_anon|isolated_anon|active_file|inactive_file|isolated_file|unevictable|dirty|writeback|unstable|slab_reclaimable|slab_unreclaimable|slab|mapped|shmem|pagetables|sec_pagetables|bounce|kernel_misc_reclaimable|free|free_pcp|free_cma|[Aa]ctive|inactive):\d+(?:\s+|$))+$/;
const NODE_LINE = /^\s*(?:Node \d+ )?active_anon:\d+kB(?:\s|$)/;
const ZONE_LINE = /^\s*(?:Node (\d{1,4}) )?(DMA|DMA32|Normal|HighMem|Movable|Device) free:\d+kB(?:\s|$)/;
const KIB_VALUES = /\b([a-z_]+(?:\([a-z]+\))?):\s?(\d{1,15})[kK]B/g;
/** The rest of a node's or a zone's line where a mailer wrapped it. */
const WRAPPED_LINE = /^\s*(?:\d+kB|[\w()]{0,24}:(?:\s?\d+kB)?)(?:\s|$)/;
const OTHER_LINES =
  /^\s*(?:lowmem_reserve\[\]:|Node \d+ (?:DMA|DMA32|Normal|HighMem|Movable): \d|(?:DMA|DMA32|Normal|HighMem|Movable): \d+\*|Node \d+ hugepages_total=|\d+ total pagecache pages|\d+ pages (?:in swap cache|RAM|HighMem|reserved|cma reserved|hwpoisoned)|Swap cache stats:|(?:Free|Total) swap\s+= \d|Call Trace:|Tasks state \(|\[\s*pid\s*\]\s+uid|\[\s*\d+\]\s+\d+\s+\d+\s+\d+\s|oom[-_]kill:|Out of memory|(?:Memory cgroup o|O)ut of memory: Kill|Killed process|oom_reaper:|oom_score_adj=|memory(?:\+swap)?: usage \d|kmem: usage \d|swap: usage \d|Memory cgroup (?:stats for|min)|Task in \/|CPU: \d+ PID: \d+|cpuset=|[\w:. -]+ cpuset=|gfp_mask=|order=\d|kill:constraint=|total-vm:\d|(?:anon|file|shmem)-rss:\d)/;
const KILLED = /Killed process (\d+) \(([^)]{1,64})\)/;

/** Kernels from 4.8 to 5.9 print stacks and page tables by zone. */
const ZONE_KEYS: ReadonlySet<string> = new Set(["managed", "kernel_stack", "pagetables"]);
const NODE_KEYS: ReadonlySet<string> = new Set([
  ...["kernel_stack", "pagetables", "sec_pagetables", "shmem", "mapped", "dirty", "writeback"],
  ...["active_anon", "inactive_anon", "active_file", "inactive_file", "unevictable", "slab_reclaimable"],
  ...["slab_unreclaimable", "shmem_thp", "anon_thp", "Balloon"],
]);
const FARTHEST = 40;

/**
 * What the kernel logs when it runs out of memory or cannot allocate: the `Mem-Info` counters (pages), the per-node and
 * per-zone lines (kB), and the reports of a memory cgroup (kB), whole or in fragments. Where the total is printed in
 * pages it counts; per-node values are summed only for what the total does not have, because both are read one after
 * another and differ. `managed` is the sum over the zones shown.
 */
export const oomDump: Recogniser = {
  kind: "oom report",
  recognise(lines, context) {
    const artefacts: Artefact[] = [];
    let own: DumpLine[] = [];
    let seen = new Set<string>();
    const finish = () => {
      const artefact = artefactOf(own, context);
      if (artefact !== undefined) artefacts.push(artefact);
      own = [];
      seen = new Set();
    };
    for (const line of lines) {
      const text = line.text.length > 4000 ? "" : dataOf(line);
      const last = own.at(-1);
      const isRest = last !== undefined && line.index === last.index + 1 && WRAPPED_LINE.test(text);
      if (text.trim() === "" || !(isPart(text) || isRest)) continue;
      const begins = /\binvoked oom-killer:|page allocation failure/.test(text) && own.length > 0;
      const marks = marksOf(text);
      if (
        (last !== undefined && line.index - last.index > FARTHEST) ||
        begins ||
        marks.some((mark) => seen.has(mark))
      ) {
        finish();
      }
      for (const mark of marks) seen.add(mark);
      own.push(line);
    }
    finish();
    return artefacts;
  },
};

function isPart(text: string): boolean {
  return (
    START.test(text) ||
    PAGE_LINE.test(text) ||
    NODE_LINE.test(text) ||
    ZONE_LINE.test(text) ||
    OTHER_LINES.test(text) ||
    KILLED.test(text)
  );
}

/** What stands once in a report; when it comes again, another report has begun. */
function marksOf(text: string): readonly string[] {
  if (PAGE_LINE.test(text)) return [...text.matchAll(PAGE_COUNTS)].map(([, key = ""]) => `pages ${key}`);
  const node = /^\s*Node (\d+) active_anon:/.exec(text)?.[1];
  if (node !== undefined) return [`node ${node}`];
  const zone = ZONE_LINE.exec(text);
  if (zone) return [`zone ${zone[1] ?? ""} ${zone[2] ?? ""}`];
  return [];
}

function artefactOf(own: readonly DumpLine[], context: DumpContext): Artefact | undefined {
  const decisive = own.some(
    ({ text }) =>
      START.test(text) ||
      (PAGE_LINE.test(text) && /:\d+\s+\w+:/.test(text)) ||
      NODE_LINE.test(text) ||
      ZONE_LINE.test(text) ||
      KILLED.test(text) ||
      /oom-kill:constraint=|Memory cgroup (?:stats|out of)|memory: usage \d/.test(text),
  );
  if (!decisive) return undefined;
  const facts = new Map<string, number>();
  const nodes = new Map<string, number>();
  const zones = new Map<string, number>();
  let usedPages = false;
  for (const text of unwrapped(own)) {
    if (PAGE_LINE.test(text)) {
      for (const [, key = "", value] of text.matchAll(PAGE_COUNTS)) {
        facts.set(key, pagesToKib(Number(value), context.pageSizeBytes));
        usedPages = true;
      }
    } else if (NODE_LINE.test(text)) addKib(text, NODE_KEYS, nodes);
    else if (ZONE_LINE.test(text)) addKib(text, ZONE_KEYS, zones);
    else readCgroupAndVictim(text, facts);
  }
  for (const [key, value] of [...nodes, ...zones]) if (!facts.has(key)) facts.set(key, value);
  for (const text of own.map(dataOf)) readOthers(text, facts, context);
  const hasCounters = usedPages || nodes.size > 0 || facts.has("memcg_usage") || facts.has("memcg_rss");
  const isOom = own.some(({ text }) => /invoked oom-killer/.test(text));
  return {
    kind:
      own.some(({ text }) => /page allocation failure/.test(text)) && !isOom
        ? "page allocation failure"
        : "oom report",
    lines: own,
    facts,
    truncated: isOom && !hasCounters,
    warnings: [
      ...(usedPages ? pageSizeWarnings(context) : []),
      ...(isOom && !hasCounters ? ["The report's Mem-Info counters are not shown."] : []),
    ],
  };
}

function addKib(text: string, keys: ReadonlySet<string>, sums: Map<string, number>): void {
  for (const [, key = "", value] of text.matchAll(KIB_VALUES)) {
    if (keys.has(key)) sums.set(key, (sums.get(key) ?? 0) + Number(value));
  }
}

/** The lines of nodes and zones in one piece each, as the kernel printed them. */
function unwrapped(own: readonly DumpLine[]): readonly string[] {
  const texts: string[] = [];
  let open = false;
  for (const text of own.map(dataOf)) {
    if (open && WRAPPED_LINE.test(text) && !PAGE_LINE.test(text)) {
      texts.push(`${texts.pop() ?? ""} ${text.trim()}`);
      continue;
    }
    open = NODE_LINE.test(text) || ZONE_LINE.test(text);
    texts.push(text);
  }
  return texts;
}

function readCgroupAndVictim(text: string, facts: Map<string, number>): void {
  const limits =
    /\b(memory|memory\+swap|swap|kmem): usage (\d{1,15})kB, limit (\d{1,18})kB, failcnt (\d{1,15})/.exec(
      text,
    );
  if (limits) {
    const [, which = "", usage = "", limit = "", failcnt = ""] = limits;
    const name = which === "memory" ? "memcg" : `memcg_${which.replace("+", "_")}`;
    facts.set(`${name}_usage`, Number(usage));
    // Without a limit the kernel prints its largest number.
    if (Number(limit) < 9_007_199_254_740_000) facts.set(`${name}_limit`, Number(limit));
    facts.set(`${name}_failcnt_count`, Number(failcnt));
  }
  // The group that met its limit comes first; those below it follow.
  if (/Memory cgroup stats for /.test(text) && !facts.has("memcg_cache") && !facts.has("memcg_rss")) {
    for (const [, key = "", value] of text.matchAll(KIB_VALUES)) facts.set(`memcg_${key}`, Number(value));
  }
  if (/\b(?:total-vm|anon-rss|file-rss):\d/.test(text)) {
    for (const [, key = "", value] of text.matchAll(
      /\b(total-vm|anon-rss|file-rss|shmem-rss|pgtables):(\d{1,15})kB/g,
    )) {
      facts.set(`${key.replace("-", "_")}_killed`, Number(value));
    }
  }
  const order = /\border[=:](\d{1,2})\b/.exec(text)?.[1];
  if (order !== undefined) facts.set("allocation_order_count", Number(order));
}

function readOthers(text: string, facts: Map<string, number>, context: DumpContext): void {
  const ram = /^\s*(\d{1,15}) pages (RAM|reserved)\b/.exec(text);
  if (ram)
    facts.set(
      ram[2] === "RAM" ? "pages_ram" : "pages_reserved",
      pagesToKib(Number(ram[1]), context.pageSizeBytes),
    );
  const swap = /^\s*(Free|Total) swap\s+= (\d{1,15})kB/.exec(text);
  if (swap) facts.set(swap[1] === "Free" ? "SwapFree" : "SwapTotal", Number(swap[2]));
  const huge = /hugepages_total=(\d{1,12}) hugepages_free=(\d{1,12}) .*hugepages_size=(\d{1,12})kB/.exec(
    text,
  );
  if (huge) {
    facts.set("hugetlb_total", (facts.get("hugetlb_total") ?? 0) + Number(huge[1]) * Number(huge[3]));
    facts.set("hugetlb_free", (facts.get("hugetlb_free") ?? 0) + Number(huge[2]) * Number(huge[3]));
  }
}
