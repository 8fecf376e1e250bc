import { bytesToKib } from "../memory/kib.ts";
import type { Artefact, Recogniser } from "./artefact.ts";
import { parseAmount } from "./amount.ts";
import { lineAfter, rowOf, type DumpLine } from "./dump-line.ts";
import { runsOf, splitSamples, type Entry } from "./samples.ts";

const KSTAT =
  /^\s*(size|c|c_min|c_max|arc_meta_used|metadata_size|data_size|dnode_size|dbuf_size|bonus_size|anon_size|mru_size|mfu_size|hdr_size|compressed_size|uncompressed_size|overhead_size|arc_no_grow|memory_\w+|arc_\w+|hits|misses|evict_\w+|demand_\w+|prefetch_\w+|deleted|mutex_miss|access_skip|hash_\w+|p|mru_\w+|mfu_\w+|anon_\w+|l2_\w+|other_size|duplicate_\w+|sync_wait\w*)\s+([1-7])\s+(\d{1,20})\s*$/;
const ARC_BYTES = /^(?:size|c|c_min|c_max|\w+_size|arc_meta_\w+)$/;

/** /proc/spl/kstat/zfs/arcstats: `arc_size` and its like, from bytes. */
export const arcstatsDump: Recogniser = {
  kind: "arcstats",
  recognise(lines) {
    const entries = lines.flatMap((line): Entry[] => {
      const match = KSTAT.exec(rowOf(line));
      return match ? [{ key: match[1] ?? "", value: Number(match[3]), line }] : [];
    });
    return splitSamples(entries)
      .filter(({ values }) => values.has("size") || values.has("c_max"))
      .map((sample): Artefact => {
        const facts = new Map<string, number>();
        for (const [key, value] of sample.values) {
          if (ARC_BYTES.test(key)) facts.set(key.startsWith("arc_") ? key : `arc_${key}`, bytesToKib(value));
        }
        return { kind: "arcstats", lines: sample.lines, facts, warnings: [] };
      });
  },
};

const TABLE_HEADER = /^\s*(?:time\s.*\barcsz\b.*|.*\barcsz\s+c\b.*)$/;

/** arcstat(1): the last row's `arcsz` and target `c`, in the units it prints. */
export const arcstatTableDump: Recogniser = {
  kind: "arcstat",
  recognise(lines) {
    return lines.flatMap((header): readonly Artefact[] => {
      if (!TABLE_HEADER.test(rowOf(header))) return [];
      const names = header.text.trim().split(/\s+/);
      const own = [header];
      const facts = new Map<string, number>();
      for (let row = lineAfter(header, lines); row !== undefined; row = lineAfter(row, lines)) {
        const cells = rowOf(row).trim().split(/\s+/);
        if (cells.length !== names.length || !/^\d/.test(cells[0] ?? "")) break;
        own.push(row);
        for (const [name, key] of [
          ["arcsz", "arc_size_approx"],
          ["c", "arc_c_approx"],
        ] as const) {
          const amount = parseAmount(cells[names.indexOf(name)]);
          if (amount?.hasUnit === true) facts.set(key, amount.value);
        }
      }
      return own.length > 1 ? [{ kind: "arcstat", lines: own, facts, warnings: [] }] : [];
    });
  },
};

const OPTION = /\bzfs_arc_(max|min|meta_limit)\s*[= ]\s*(\d{1,20})\b/;

/** ZFS module options in bytes: a limit, no use. */
export const zfsOptionsDump: Recogniser = {
  kind: "zfs module options",
  recognise(lines) {
    const entries = lines.flatMap((line): Entry[] => {
      const match = OPTION.exec(rowOf(line));
      return match ? [{ key: `zfs_arc_${match[1] ?? ""}`, value: bytesToKib(Number(match[2])), line }] : [];
    });
    return splitSamples(entries).map((sample) => ({
      kind: "zfs module options",
      lines: sample.lines,
      facts: sample.values,
      warnings: [],
    }));
  },
};

const SPL_HEADER = /^\s*(?:-+ cache -+.*|name\s+flags\s+size\s+alloc\s+slabsize\s.*)$/;
const SPL_ROW =
  /^\s*([a-z_][\w.-]{2,60})\s+0x[0-9a-f]{3,8}\s+(-|\d{1,18})\s+(-|\d{1,18})\s+(?:-|\d{1,12})\s+\d{1,12}\s/;

/**
 * /proc/spl/kmem/slab: `spl:NAME` is what an SPL cache holds, from bytes. Caches that live in the kernel's own slab have
 * `-` there and stand in /proc/slabinfo instead. This memory is in neither Slab nor Cached of /proc/meminfo.
 */
export const splSlabDump: Recogniser = {
  kind: "/proc/spl/kmem/slab",
  recognise(lines) {
    return runsOf(lines, (line) => SPL_HEADER.test(rowOf(line)) || SPL_ROW.test(rowOf(line)))
      .filter((run) => run.some(({ text }) => SPL_ROW.test(text)))
      .map((run): Artefact => {
        const facts = new Map<string, number>();
        for (const { text } of run) {
          const [, name = "", size = "-"] = SPL_ROW.exec(text) ?? [];
          if (size !== "-") facts.set(`spl:${name}`, bytesToKib(Number(size)));
        }
        const last: DumpLine | undefined = run.at(-1);
        return {
          kind: "/proc/spl/kmem/slab",
          lines: run,
          facts,
          truncated: last !== undefined && last.text.trim().split(/\s+/).length < 16,
          warnings: [],
        };
      });
  },
};
