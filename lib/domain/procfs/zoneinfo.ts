import { isKernelKey } from "./kernel-key.ts";
import { collectWarnings, type Parsed } from "./parse-error.ts";
import { parseCount } from "./parse-count.ts";
import { scanLines, splitFields } from "./scan-lines.ts";

/** One zone of one NUMA node. All numbers are pages; what the text does not give is absent. */
export interface Zone {
  readonly node: number;
  /** DMA, DMA32, Normal, Movable, ... */
  readonly name: string;
  readonly freePages: number | undefined;
  readonly minPages: number | undefined;
  readonly lowPages: number | undefined;
  readonly highPages: number | undefined;
  readonly spannedPages: number | undefined;
  readonly presentPages: number | undefined;
  readonly managedPages: number | undefined;
  /** Free pages parked in the per-CPU lists of this zone; absent when the text lists none. */
  readonly pcpPages: number | undefined;
  /** How far each per-CPU counter may lag behind, in units of that counter. */
  readonly statThreshold: number | undefined;
  /** Everything else that the zone prints as `key value`. */
  readonly other: ReadonlyMap<string, number>;
}

export interface Zoneinfo {
  readonly zones: readonly Zone[];
  /** `per-node stats` by NUMA node (kernel 4.8 and later). */
  readonly nodeStats: ReadonlyMap<number, ReadonlyMap<string, number>>;
  /**
   * The sum of all `count:` lines: pages that are free and yet not in MemFree. Absent when there are none, and when a
   * zone ends before its own last line, because the sum of half a file is a wrong number.
   */
  readonly pcpFreePages: number | undefined;
}

type Section = "zone" | "node" | "pagesets";

interface ZoneBuilder {
  node: number;
  name: string;
  values: Map<string, number>;
  pcpPages: number | undefined;
  statThreshold: number | undefined;
  /** A populated zone ends with `start_pfn:`, an empty one prints no page sets. */
  complete: boolean;
}

const HEADER = /^Node (\d{1,9}), zone +(\S+)$/;
/** What stands once for each CPU; the lines after the last CPU are the zone's again. */
const PER_CPU = new Set(["count:", "low:", "high:", "batch:", "high_min:", "high_max:"]);
const NAMED = ["free", "min", "low", "high", "spanned", "present", "managed"] as const;

/**
 * /proc/zoneinfo. Kernel document: Documentation/admin-guide/mm/ and mm/vmstat.c (`zoneinfo_show_print`); since
 * 2.6.13, `per-node stats` since 4.8. World-readable, 0.1 ms on a small machine, grows with zones times CPUs.
 */
export function parseZoneinfo(text: string, path = "/proc/zoneinfo"): Parsed<Zoneinfo> {
  const warnings = collectWarnings(path);
  const builders: ZoneBuilder[] = [];
  const nodeStats = new Map<number, Map<string, number>>();
  let zone: ZoneBuilder | undefined;
  let section: Section = "zone";
  let whole = true;

  for (const line of scanLines(text)) {
    const trimmed = line.text.trim();
    if (trimmed === "") continue;
    const header = HEADER.exec(trimmed);
    if (header) {
      zone = startZone(header);
      builders.push(zone);
      section = "zone";
      continue;
    }
    if (zone === undefined) {
      warnings.add(line, "`Node N, zone NAME`");
      continue;
    }
    if (!line.terminated) {
      warnings.add(line, "a line end: the last number may be cut");
      whole = false;
      continue;
    }
    if (trimmed === "per-node stats") section = "node";
    else if (trimmed === "pagesets") {
      section = "pagesets";
      zone.complete = false;
    } else if (trimmed.startsWith("pages free")) {
      section = "zone";
      if (!readValue(trimmed.slice("pages ".length), zone.values)) warnings.add(line, "`pages free N`");
    } else if (trimmed.startsWith("protection:") || trimmed.startsWith("cpu:")) continue;
    else if (!readLine(trimmed, zone, section, nodeStats)) {
      warnings.add(line, "`key N` with N below 2^53");
      if (trimmed.startsWith("count:")) whole = false;
    }
  }

  const zones = builders.map(finishZone);
  const counted = zones.filter((each) => each.pcpPages !== undefined);
  const pcpFreePages =
    whole && counted.length > 0 && builders.every((each) => each.complete)
      ? counted.reduce((sum, each) => sum + (each.pcpPages ?? 0), 0)
      : undefined;
  return { value: { zones, nodeStats, pcpFreePages }, warnings: warnings.list };
}

function startZone(header: RegExpExecArray): ZoneBuilder {
  return {
    node: Number(header[1]),
    name: header[2] ?? "",
    values: new Map(),
    pcpPages: undefined,
    statThreshold: undefined,
    complete: true,
  };
}

function readLine(
  trimmed: string,
  zone: ZoneBuilder,
  section: Section,
  nodeStats: Map<number, Map<string, number>>,
): boolean {
  if (trimmed.startsWith("vm stats threshold:")) {
    const threshold = parseCount(trimmed.slice("vm stats threshold:".length).trim());
    zone.statThreshold = threshold ?? zone.statThreshold;
    return threshold !== undefined;
  }
  if (section === "pagesets") {
    const [key, token, ...rest] = splitFields(trimmed);
    const value = parseCount(token);
    if (value === undefined || rest.length > 0) return false;
    if (key === "count:") zone.pcpPages = (zone.pcpPages ?? 0) + value;
    if (key === "start_pfn:") zone.complete = true;
    return key !== undefined && PER_CPU.has(key) ? true : readValue(trimmed, zone.values);
  }
  if (section === "node") {
    const stats = nodeStats.get(zone.node) ?? new Map<string, number>();
    nodeStats.set(zone.node, stats);
    return readValue(trimmed, stats);
  }
  return readValue(trimmed, zone.values);
}

function readValue(trimmed: string, into: Map<string, number>): boolean {
  const [key, token, ...rest] = splitFields(trimmed);
  const value = parseCount(token);
  if (key === undefined || value === undefined || rest.length > 0 || !isKernelKey(key)) return false;
  const name = key.endsWith(":") ? key.slice(0, -1) : key;
  if (!into.has(name)) into.set(name, value);
  return true;
}

function finishZone(builder: ZoneBuilder): Zone {
  const { values } = builder;
  const other = new Map(values);
  for (const key of NAMED) other.delete(key);
  return {
    node: builder.node,
    name: builder.name,
    freePages: values.get("free"),
    minPages: values.get("min"),
    lowPages: values.get("low"),
    highPages: values.get("high"),
    spannedPages: values.get("spanned"),
    presentPages: values.get("present"),
    managedPages: values.get("managed"),
    pcpPages: builder.pcpPages,
    statThreshold: builder.statThreshold,
    other,
  };
}
