import { isHugePageCount } from "../procfs/meminfo.ts";
import type { Artefact, Recogniser } from "./artefact.ts";
import { parseGroupedCount } from "./amount.ts";
import { captionOf } from "./caption.ts";
import { contradictionsOf } from "./contradictions.ts";
import { dataOf, lineAfter, type DumpLine } from "./dump-line.ts";
import { meminfoFacts, MEMINFO_KEYS } from "./meminfo-facts.ts";
import { splitSamples, type Entry } from "./samples.ts";

const KNOWN: ReadonlySet<string> = new Set(MEMINFO_KEYS);

/** `Key: 123 kB`, any number of times in a line; the unit may be missing (awk), the number may not. */
const PAIR =
  /(?<![\w(/:.-])([A-Z]\w{2,30}(?:\((?:anon|file)\))?)\s{0,3}[:=]\s{0,20}(\d[\d.,'’]{0,25})(?![\d.,'’\w%])(\s{0,3}(?:kB|KB|KiB)\b)?(?!\s{0,3}(?:[KMGTkmgt]i?B?|B|bytes|pages)\b)/g;
/** A key whose number is missing: the paste was cut, or the value removed. */
const KEY_ALONE = /^\s*([A-Z]\w{2,30}(?:\((?:anon|file)\))?):\s*$/;
/** A vendor's own counters are taken too, where this many known ones are in the same sample. */
const KNOWN_FOR_VENDOR_KEYS = 3;

const MOST_COLUMNS = 8;

interface Found extends Entry {
  readonly column: number;
  readonly known: boolean;
}

/**
 * /proc/meminfo, whole or in part, also the lines that grep left, several samples in a row, two machines side by side,
 * or all fields on one line. Keys as the kernel spells them. Lines of /proc/PID/smaps and of a NUMA node's meminfo
 * belong to recognisers before this one.
 */
export const meminfoDump: Recogniser = {
  kind: "meminfo",
  recognise(lines) {
    const found = lines.flatMap(pairsIn);
    const columns = found.reduce((most, { column }) => Math.max(most, column + 1), 1);
    const artefacts: Artefact[] = [];
    for (let column = 0; column < columns; column += 1) {
      for (const sample of splitSamples(found.filter((each) => each.column === column))) {
        const vendor = [...sample.values.keys()].filter((key) => !KNOWN.has(key));
        if (sample.values.size - vendor.length < KNOWN_FOR_VENDOR_KEYS) {
          for (const key of vendor) sample.values.delete(key);
        }
        if (sample.values.size === 0) continue;
        artefacts.push(
          artefactOf(sample.values, sample.lines, lines, columns > 1 ? `column ${column + 1}` : undefined),
        );
      }
    }
    return artefacts;
  },
};

function pairsIn(line: DumpLine): readonly Found[] {
  const text = dataOf(line);
  if (!text.includes(":")) return [];
  const seen = new Map<string, number>();
  const found: Found[] = [];
  for (const [, key = "", token, unit] of text.matchAll(PAIR)) {
    const value = parseGroupedCount(token);
    const known = KNOWN.has(key);
    const isCount = isHugePageCount(key);
    if (value === undefined || (isCount && unit !== undefined) || (!known && unit === undefined)) continue;
    const column = seen.get(key) ?? 0;
    seen.set(key, column + 1);
    found.push({ key, value, line, column, known });
  }
  // A line with a sentence around the pair is prose or a log message of something else.
  const words = text.replace(PAIR, " ").replace(/\(.*?\)/g, " ");
  return /[a-z]{3,}.*\s[a-z]{3,}/i.test(words) ? [] : oneSampleWhenCollapsed(found);
}

/** More than two columns side by side are rare; the same keys again and again on one line are samples in a row. */
function oneSampleWhenCollapsed(found: readonly Found[]): readonly Found[] {
  const distinct = new Set(found.map(({ key }) => key)).size;
  const repeats = Math.max(0, ...found.slice(0, 1000).map(({ column }) => column));
  return distinct > 3 || repeats >= MOST_COLUMNS ? found.map((each) => ({ ...each, column: 0 })) : found;
}

function artefactOf(
  values: Map<string, number>,
  sampleLines: readonly DumpLine[],
  lines: readonly DumpLine[],
  column: string | undefined,
): Artefact {
  const warnings: string[] = [];
  const last = sampleLines.at(-1);
  const after = last === undefined ? undefined : lineAfter(last, lines);
  const cutKey = after === undefined ? undefined : KEY_ALONE.exec(after.text)?.[1];
  const own =
    after !== undefined && cutKey !== undefined && KNOWN.has(cutKey) ? [...sampleLines, after] : sampleLines;
  if (own !== sampleLines) warnings.push(`${cutKey} has no value: the text is cut there.`);
  const { facts, truncated, warnings: more } = meminfoFacts(values);
  const caption = column === undefined ? captionOf(sampleLines[0], lines) : undefined;
  return {
    kind: "meminfo",
    lines: own,
    facts,
    meminfo: values,
    label: column ?? caption,
    caption,
    truncated: truncated || own !== sampleLines,
    warnings: [...warnings, ...more],
    contradictions: contradictionsOf(values),
  };
}
