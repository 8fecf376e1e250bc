import { isKernelKey } from "./kernel-key.ts";
import { collectWarnings, type Parsed } from "./parse-error.ts";
import { parseCount } from "./parse-count.ts";
import { scanLines, splitFields, type Line } from "./scan-lines.ts";

/** One line of slabinfo. Columns that a text does not have (old formats, cut pastes) are absent. */
export interface SlabCache {
  /** As printed. SLUB merges caches of equal size, so the name may be that of another cache than the one that grew. */
  readonly name: string;
  /** Under SLUB the objects of per-CPU slabs count as active. */
  readonly activeObjs: number;
  readonly numObjs: number;
  readonly objSizeBytes: number | undefined;
  readonly objPerSlab: number | undefined;
  readonly pagesPerSlab: number | undefined;
  readonly activeSlabs: number | undefined;
  readonly numSlabs: number | undefined;
}

export interface Slabinfo {
  /** `2.1`, `2.0`, `1.1`, ...; absent when the text starts without its first line. */
  readonly version: string | undefined;
  /** In the order of the text. A name may stand twice: those are two caches. */
  readonly caches: readonly SlabCache[];
}

/** A line of garbage is no cache, whatever numbers it ends with. */
const LONGEST_NAME = 200;

const VERSION = /^slabinfo - version: (\d{1,3}\.\d{1,3})/;

/**
 * /proc/slabinfo. Kernel document: slabinfo(5) and mm/slab_common.c; 2.1 since 2.6.10, 2.0 in 2.6.0-2.6.9, 1.1 and 1.0
 * in 2.4 and 2.2, each also with `(statistics)` (more columns at the end, which are not read). Mode 0400: root only. A
 * name may contain blanks (old kernels) and colons (unmerged device-mapper caches). A text without version line is read as 2.1.
 */
export function parseSlabinfo(text: string, path = "/proc/slabinfo"): Parsed<Slabinfo> {
  const warnings = collectWarnings(path);
  const caches: SlabCache[] = [];
  let version: string | undefined;
  for (const line of scanLines(text)) {
    const trimmed = line.text.trim();
    if (trimmed === "" || trimmed.startsWith("#")) continue;
    if (trimmed.startsWith("slabinfo - version")) {
      version = VERSION.exec(trimmed)?.[1];
      if (version === undefined) warnings.add(line, "`slabinfo - version: N.N`");
      continue;
    }
    const cache = readCache(line, version?.startsWith("1.") === true);
    if (cache === undefined) warnings.add(line, "a cache name, its active and its total objects");
    else caches.push(cache);
  }
  return { value: { version, caches }, warnings: warnings.list };
}

function readCache(line: Line, versionOne: boolean): SlabCache | undefined {
  const fields = splitFields(line.text);
  // Without its line end the last number may be cut; a missing column is better than a wrong one.
  if (!line.terminated) fields.pop();
  const colon = fields.findIndex((field, index) => field === ":" && index > 2);
  const head = colon === -1 ? fields : fields.slice(0, colon);
  const nameLength = nameFields(head);
  const columns = head.slice(nameLength).map(parseCount);
  const [activeObjs, numObjs, objSizeBytes, fourth, fifth, sixth] = columns;
  if (nameLength === 0 || activeObjs === undefined || numObjs === undefined) return undefined;
  const name = head.slice(0, nameLength).join(" ");
  if (!head.slice(0, nameLength).every(isKernelKey) || name.length > LONGEST_NAME) return undefined;
  if (versionOne) {
    return {
      name,
      activeObjs,
      numObjs,
      objSizeBytes,
      objPerSlab: undefined,
      pagesPerSlab: sixth,
      activeSlabs: fourth,
      numSlabs: fifth,
    };
  }
  const slabdata = fields.indexOf("slabdata", head.length);
  const [activeSlabs, numSlabs] = slabdata === -1 ? [] : fields.slice(slabdata + 1).map(parseCount);
  return {
    name,
    activeObjs,
    numObjs,
    objSizeBytes,
    objPerSlab: fourth,
    pagesPerSlab: fifth,
    activeSlabs,
    numSlabs,
  };
}

/** How many fields the name takes: the first, and those after it up to the first number. */
function nameFields(head: readonly string[]): number {
  const firstNumber = head.findIndex((field, index) => index > 0 && /^\d+$/.test(field));
  return firstNumber === -1 ? head.length : firstNumber;
}

/**
 * Bytes that a cache holds, whole slabs with their free objects: `num_slabs x pagesperslab x page size`. Absent when
 * the text lacks one of the columns.
 */
export function slabCacheBytes(cache: SlabCache, pageSizeBytes: number): number | undefined {
  if (cache.numSlabs === undefined || cache.pagesPerSlab === undefined) return undefined;
  return cache.numSlabs * cache.pagesPerSlab * pageSizeBytes;
}
