import { parseSlabinfo, slabCacheBytes, type SlabCache } from "../procfs/slabinfo.ts";
import { splitFields } from "../procfs/scan-lines.ts";
import { bytesToKib } from "../memory/kib.ts";
import { pageSizeWarnings, type Artefact, type DumpContext, type Recogniser } from "./artefact.ts";
import { rowOf, type DumpLine } from "./dump-line.ts";

const VERSION = /^\s*slabinfo - version: (\d\.\d)/;
const HEADER = /^\s*#\s*name\s+<active_objs>/;
const HEADER_REST = /^\s*(?:(?:<\w+>|tunables|slabdata|[:#])\s*)+$/;
const ROW = /^\s*([A-Za-z_:]\S{0,100}?(?:\([^)\s]{1,40}\))?)((?:\s+\d+){2,12})(\s+:.*)?$/;
const CONTINUED = /^(?:\d+|:|tunables|slabdata)$/;

interface Row {
  readonly cache: SlabCache;
  readonly lines: readonly DumpLine[];
  readonly whole: boolean;
}

/**
 * /proc/slabinfo of all versions, also single rows (`grep ^dentry`), rows that a mailer wrapped, and tables whose right
 * columns are missing. `slab:NAME` is num_slabs x pagesperslab x page size; where these columns are missing,
 * `NAME_objects_size` is num_objs x objsize, which leaves out what a slab wastes. `slabinfo_unused_objects` is what
 * objects hold that are not in use, of a whole table.
 */
export const slabinfoDump: Recogniser = {
  kind: "slabinfo",
  recognise(lines, context) {
    const artefacts: Artefact[] = [];
    let rows: Row[] = [];
    let names = new Set<string>();
    let own: DumpLine[] = [];
    let version: string | undefined;
    let inTable = false;
    const finish = () => {
      if (rows.length > 0) artefacts.push(artefactOf(rows, own, context));
      rows = [];
      names = new Set();
      own = [];
      version = undefined;
      inTable = false;
    };
    for (let place = 0; place < lines.length; place += 1) {
      const line = lines[place];
      if (line === undefined) break;
      const text = rowOf(line);
      const header = VERSION.exec(text)?.[1];
      if (header !== undefined || HEADER.test(text)) {
        if (rows.length > 0) finish();
        version ??= header;
        own.push(line);
        inTable = true;
      } else if (inTable && rows.length === 0 && HEADER_REST.test(text) && text.trim() !== "") own.push(line);
      else if (text.trim() !== "") {
        const row = rowAt(lines, place, inTable, version);
        if (row === undefined) finish();
        else {
          if (names.has(row.cache.name) && rows.length > 20) finish();
          names.add(row.cache.name);
          inTable = true;
          rows.push(row);
          own.push(...row.lines);
          place += row.lines.length - 1;
        }
      }
    }
    finish();
    return artefacts;
  },
};

function rowAt(
  lines: readonly DumpLine[],
  place: number,
  inTable: boolean,
  version: string | undefined,
): Row | undefined {
  const line = lines[place];
  if (line === undefined || !ROW.test(rowOf(line))) return undefined;
  const parts = [line];
  let text = rowOf(line);
  const numbers = (ROW.exec(text)?.[2] ?? "").trim().split(/\s+/).length;
  const next = lines[place + 1];
  if (text.includes(":") && !/slabdata\s+\d+\s+\d+/.test(text) && next?.index === line.index + 1) {
    const rest = rowOf(next);
    const words = splitFields(rest);
    if (/\d/.test(rest) && words.every((word) => CONTINUED.test(word))) {
      parts.push(next);
      text = `${text} ${rest.trim()}`;
    }
  }
  const hasTunables = /:\s*tunables\b/.test(text);
  if (!hasTunables && (!inTable || numbers < 3)) return undefined;
  const versionLine = version?.startsWith("1.") === true ? `slabinfo - version: ${version}\n` : "";
  const [cache] = parseSlabinfo(`${versionLine}${text}\n`).value.caches;
  if (cache === undefined) return undefined;
  return { cache, lines: parts, whole: cache.numSlabs !== undefined };
}

function artefactOf(rows: readonly Row[], own: readonly DumpLine[], context: DumpContext): Artefact {
  const facts = new Map<string, number>();
  let sumKib = 0;
  const objects = new Map<string, number>();
  let unusedKib = 0;
  for (const { cache } of rows) {
    objects.set(cache.name, (objects.get(cache.name) ?? 0) + cache.activeObjs);
    if (cache.objSizeBytes !== undefined)
      unusedKib += bytesToKib(Math.max(0, cache.numObjs - cache.activeObjs) * cache.objSizeBytes);
    const bytes = slabCacheBytes(cache, context.pageSizeBytes);
    if (bytes !== undefined) {
      const key = `slab:${cache.name}`;
      facts.set(key, (facts.get(key) ?? 0) + bytesToKib(bytes));
      sumKib += bytesToKib(bytes);
    } else if (cache.objSizeBytes !== undefined) {
      facts.set(`${cache.name}_objects_size`, bytesToKib(cache.numObjs * cache.objSizeBytes));
    }
  }
  const cut = rows.filter(({ whole }) => !whole).length;
  const warnings = [...(cut < rows.length ? pageSizeWarnings(context) : [])];
  if (cut > 0) {
    warnings.push(
      `${cut} of ${rows.length} rows lack the slabdata columns: for these only the size of their objects is known.`,
    );
  }
  if (cut === 0 && rows.length >= 20 && own.some(({ text }) => VERSION.test(text)))
    facts.set("slabinfo_sum_of_all", sumKib).set("slabinfo_unused_objects", unusedKib);
  return { kind: "slabinfo", lines: own, facts, objects, truncated: cut > 0, warnings };
}
