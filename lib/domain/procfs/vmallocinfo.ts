import { isKernelKey } from "./kernel-key.ts";
import { collectWarnings, type Parsed } from "./parse-error.ts";
import { parseCount } from "./parse-count.ts";
import { scanLines, splitFields } from "./scan-lines.ts";

/** One area of the kernel's mapped address space. Addresses are not kept. */
export interface VmallocArea {
  /** Address space, guard page included. */
  readonly sizeBytes: number;
  /** The function that asked for it, without offset, or {@link UNPURGED_AREA}; absent for areas without owner. */
  readonly caller: string | undefined;
  /** The module that the function is part of. */
  readonly module: string | undefined;
  /** Pages of memory behind it; absent where there are none of its own (ioremap, vmap of foreign pages, percpu). */
  readonly pages: number | undefined;
  /** ioremap, vmalloc, vmap, user, vpages, ... as printed. */
  readonly flags: readonly string[];
}

export interface Vmallocinfo {
  readonly areas: readonly VmallocArea[];
}

/** What the kernel prints in place of a caller for address space that was freed and waits to be purged: in nobody's use. */
export const UNPURGED_AREA = "unpurged vm_area";

/**
 * /proc/vmallocinfo. Kernel document: Documentation/filesystems/proc.rst; since 2.6.28. Mode 0400: root only, takes
 * the lock of the address space, so minutes apart.
 */
export function parseVmallocinfo(text: string, path = "/proc/vmallocinfo"): Parsed<Vmallocinfo> {
  const warnings = collectWarnings(path);
  const areas: VmallocArea[] = [];
  for (const line of scanLines(text)) {
    const [range, size, ...rest] = splitFields(line.text);
    if (range === undefined) continue;
    const sizeBytes = parseCount(size);
    if (sizeBytes === undefined || !/^0x[0-9a-f]{1,16}-0x[0-9a-f]{1,16}$/i.test(range)) {
      warnings.add(line, "`0xSTART-0xEND SIZE caller ...`");
      continue;
    }
    if (!line.terminated) {
      warnings.add(line, "a line end: the line may be cut");
      continue;
    }
    areas.push(
      rest.join(" ") === UNPURGED_AREA
        ? { sizeBytes, caller: UNPURGED_AREA, module: undefined, pages: undefined, flags: [] }
        : readArea(sizeBytes, rest),
    );
  }
  return { value: { areas }, warnings: warnings.list };
}

function readArea(sizeBytes: number, fields: readonly string[]): VmallocArea {
  let caller: string | undefined;
  let module: string | undefined;
  let pages: number | undefined;
  const flags: string[] = [];
  for (const field of fields) {
    const plus = field.indexOf("+0x");
    if (plus > 0 && caller === undefined && isKernelKey(field)) caller = field.slice(0, plus);
    else if (module === undefined && /^\[[\w-]{1,100}\]$/.test(field)) module = field.slice(1, -1);
    else if (field.startsWith("pages=")) pages = parseCount(field.slice("pages=".length));
    else if (/^[a-z_]+$/.test(field)) flags.push(field);
  }
  return { sizeBytes, caller, module, pages, flags };
}

/** Areas that one function asked for, added up. */
export interface VmallocCaller {
  readonly caller: string;
  readonly module: string | undefined;
  readonly areas: number;
  /** Undefined when none of the areas says its pages: address space, or a kernel that does not print them. */
  readonly pages: number | undefined;
  readonly sizeBytes: number;
}

/** The function that asks for address space of the per-CPU allocator. */
export const PERCPU_CALLER = "pcpu_get_vm_areas";

/** Sums by caller, those with most memory first, then those with most address space. Areas without one are of `unknown`. */
export function sumByCaller({ areas }: Vmallocinfo): VmallocCaller[] {
  const sums = new Map<string, { -readonly [Key in keyof VmallocCaller]: VmallocCaller[Key] }>();
  for (const { caller = "unknown", module, pages, sizeBytes } of areas) {
    let sum = sums.get(caller);
    if (!sum) sums.set(caller, (sum = { caller, module, areas: 0, pages: undefined, sizeBytes: 0 }));
    sum.areas += 1;
    sum.sizeBytes += sizeBytes;
    if (pages !== undefined) sum.pages = (sum.pages ?? 0) + pages;
  }
  return [...sums.values()].sort(
    (a, b) => (b.pages ?? 0) - (a.pages ?? 0) || b.sizeBytes - a.sizeBytes || (a.caller < b.caller ? -1 : 1),
  );
}
