import type { Artefact, Recogniser } from "./artefact.ts";
import type { DumpLine } from "./dump-line.ts";

/** sysstat's names of what /proc/meminfo has. */
const NAMES: Readonly<Record<string, string>> = {
  memfree: "MemFree",
  avail: "MemAvailable",
  buffers: "Buffers",
  cached: "Cached",
  commit: "Committed_AS",
  active: "Active",
  inactive: "Inactive",
  dirty: "Dirty",
  anonpg: "AnonPages",
  slab: "Slab",
  kstack: "KernelStack",
  pgtbl: "PageTables",
  vmused: "VmallocUsed",
  swpfree: "SwapFree",
  swpcad: "SwapCached",
};
const START = /^\s*\{\s*"sysstat"\s*:|^\s*\{?\s*$/;
const LONGEST_JSON_LINES = 200_000;

/** `sadf -j -- -r ALL`: one sample for each statistic. Field names as the kernel spells them. */
export const sadfDump: Recogniser = {
  kind: "sadf -j",
  recognise(lines) {
    const mention = lines.findIndex(({ text }) => text.includes('"sysstat"'));
    if (mention === -1) return [];
    const start = lines[mention]?.text.trim().startsWith("{") === true ? mention : mention - 1;
    if (!START.test(lines[start]?.text ?? "none")) return [];
    const end = endOfObject(lines, start);
    const own = lines.slice(start, (end ?? lines.length - 1) + 1);
    const parsed = end === undefined ? undefined : parseJson(own.map(({ text }) => text).join("\n"));
    if (parsed === undefined) {
      return [
        {
          kind: "sadf -j",
          lines: own,
          facts: new Map(),
          truncated: true,
          warnings: ["The JSON is not whole, so nothing of it is used."],
        },
      ];
    }
    const statistics = items(field(items(field(field(parsed, "sysstat"), "hosts"))[0], "statistics"));
    const samples = statistics.flatMap((statistic): readonly Omit<Artefact, "lines">[] => {
      const memory = field(statistic, "memory");
      const facts = new Map<string, number>();
      for (const [name, key] of Object.entries(NAMES)) {
        const value = field(memory, name);
        if (typeof value === "number" && Number.isFinite(value)) facts.set(key, value);
      }
      const date = field(field(statistic, "timestamp"), "date");
      const time = field(field(statistic, "timestamp"), "time");
      const at = typeof date === "string" && typeof time === "string" ? `${date} ${time}` : undefined;
      return facts.size === 0 ? [] : [{ kind: "sadf -j", facts, at, warnings: [] }];
    });
    return samples.map((sample) => ({ ...sample, lines: own }));
  },
};

function endOfObject(lines: readonly DumpLine[], start: number): number | undefined {
  let depth = 0;
  for (let place = start; place < Math.min(lines.length, start + LONGEST_JSON_LINES); place += 1) {
    for (const character of (lines[place]?.text ?? "").replace(/"[^"]*"/g, "")) {
      if (character === "{") depth += 1;
      else if (character === "}") depth -= 1;
    }
    if (depth <= 0) return place;
  }
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}
