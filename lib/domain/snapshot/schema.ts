import { z } from "zod";
import { counterMap } from "./counter-map.ts";
import { LAST_MOMENT_MS } from "./last-moment.ts";
import { count, sourceSections, text } from "./source-sections.ts";
import { textMap } from "./text-map.ts";

/** Version of the wire format that this code writes and reads. A changed meaning gets a new name, never a new unit. */
export const SNAPSHOT_SCHEMA_VERSION = 1;

/** Bounds of one request and one snapshot; beyond them the answer is 413 or `invalid`, never a half-stored row. */
export const SNAPSHOT_LIMITS = {
  nodeNameChars: 253,
  snapshotsPerRequest: 1000,
  compressedBodyBytes: 8 * 1024 * 1024,
  bodyBytes: 32 * 1024 * 1024,
  slabCaches: 500,
  tmpfsMounts: 256,
  watchedDirectories: 64,
  events: 200,
  versions: 64,
  labels: 64,
  sources: 128,
  unknownSectionBytes: 16 * 1024,
  /** How far a collector's clock may run ahead of the server's before its snapshots are held back. */
  clockAheadMs: 5 * 60_000,
} as const;

const kib = count;

const outOfTime = "expected a moment from 1970 to 9999";

/** Whether a moment lies within the years that are taken, 1970 to 9999. */
function isMoment(epochMs: number): boolean {
  return epochMs >= 0 && epochMs <= LAST_MOMENT_MS;
}

/** ISO 8601 with zone, or epoch milliseconds; becomes epoch milliseconds. From 1970 to 9999. */
export const instant = z
  .union(
    [
      z.iso
        .datetime({ offset: true })
        .refine((value) => isMoment(Date.parse(value)), outOfTime)
        .transform((value) => Date.parse(value)),
      z.number().refine((value) => Number.isInteger(value) && isMoment(value), {
        message: "expected whole epoch milliseconds, from 1970 to 9999",
      }),
    ],
    { error: "expected ISO 8601 with zone, such as 2026-03-01T04:15:00Z, or epoch milliseconds" },
  )
  .meta({
    description: "ISO 8601 with zone, or epoch milliseconds",
    override: { anyOf: [{ type: "string", format: "date-time" }, { type: "integer" }] },
  });

/** An instant as it stands in an address or a line of text: ISO 8601 with zone, or the digits of epoch milliseconds. */
export const instantText = z
  .string()
  .transform((value) => (/^\d{1,16}$/.test(value) ? Number(value) : value))
  .pipe(instant);

/** How reading one source went. `absent` is not zero: a source that is not `ok` leaves its section out. */
export const sourceStatus = z.enum(["ok", "absent", "denied", "malformed", "truncated"]);

const slabCache = z.strictObject({
  name: text(200),
  activeObjs: count,
  numObjs: count,
  objSizeBytes: count,
  /** num_slabs × pages per slab × page size. */
  sizeKib: kib,
});

const tmpfsMount = z.strictObject({
  mount: text(1000),
  sizeKib: kib.optional(),
  usedKib: kib,
  inodes: count.optional(),
  inodesUsed: count.optional(),
});

const watchedDirectory = z.strictObject({
  path: text(1000),
  files: count,
  /** The directory holds more files than the collector counts. */
  atLeast: z.boolean().optional(),
});

const collectorEvent = z.strictObject({
  at: instant,
  /** When it was last seen, where it came more than once. */
  until: instant.optional(),
  /** How often it came from `at` to `until`. */
  count: z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
  kind: text(64),
  title: text(300),
  text: text(4000).optional(),
  /** The same key is the same event: sent again, with a later `until`, it takes the place of what was sent before. */
  key: text(200).optional(),
});

/**
 * One snapshot of one node, version 1. Memory is in KiB (what the kernel prints as kB), page counts say so in their
 * name. Only the first block is required; a section that could not be read is left out and its reason stands in
 * `sources`. Unknown top-level sections are kept, so that a newer collector works with an older server.
 */
export const snapshotSchema = z.looseObject({
  schemaVersion: z.literal(SNAPSHOT_SCHEMA_VERSION),
  node: text(SNAPSHOT_LIMITS.nodeNameChars),
  at: instant,
  bootId: text(64),
  uptimeSeconds: z.number().min(0).max(1e10),
  kernelRelease: text(200),
  cpus: z.int().min(1).max(65_536),
  meminfo: counterMap("/proc/meminfo; kB, HugePages_* are counts").refine(
    // Runs on what the map has refused too: nothing is a number here until it was asked.
    (value) => typeof value === "object" && typeof value?.MemTotal === "number" && value.MemTotal > 0,
    { message: "expected MemTotal above 0", path: ["MemTotal"] },
  ),

  pageSizeBytes: z
    .int()
    .min(4096)
    .max(1024 * 1024)
    .optional(),
  vmstat: counterMap("/proc/vmstat; pages unless the kernel says otherwise").optional(),
  /** Σ of all `count:` lines of /proc/zoneinfo, in pages. */
  pcpFreePages: count.optional(),
  cgroups: z
    .strictObject({
      /** Mode of the memory controller. */
      mode: z.enum(["v1", "v2"]).optional(),
      /** num_cgroups of the memory row of /proc/cgroups: live and dying. */
      memoryCount: count.optional(),
      live: count.optional(),
      dying: count.optional(),
    })
    .optional(),
  /** Containers started since boot, as far as the source can tell (a lower bound); never falls within a boot. */
  containersStarted: count.optional(),
  containersLive: count.optional(),
  /** `processes` of /proc/stat: forks since boot. */
  forks: count.optional(),
  slab: z.array(slabCache).max(SNAPSHOT_LIMITS.slabCaches).optional(),
  tmpfs: z.array(tmpfsMount).max(SNAPSHOT_LIMITS.tmpfsMounts).optional(),
  watch: z.array(watchedDirectory).max(SNAPSHOT_LIMITS.watchedDirectories).optional(),
  ...sourceSections,
  /** Whether kernel stacks live in vmalloc space, where /proc/vmallocinfo tells. */
  vmapStack: z.boolean().optional(),
  /** Text, data and bss of the kernel image, where known; the `-K` of smem. */
  kernelImageKib: kib.optional(),
  versions: textMap({
    entries: SNAPSHOT_LIMITS.versions,
    keyChars: 64,
    valueChars: 300,
    valuesAreText: true,
  }).optional(),
  labels: textMap({
    entries: SNAPSHOT_LIMITS.labels,
    keyChars: 200,
    valueChars: 500,
    valuesAreText: false,
  }).optional(),
  sources: z
    .record(
      text(128),
      z.strictObject({
        status: sourceStatus,
        readMs: z.number().min(0).optional(),
        detail: z.string().max(500).optional(),
      }),
    )
    .refine((value) => Object.keys(value).length <= SNAPSHOT_LIMITS.sources, "too many sources")
    .optional(),
  events: z.array(collectorEvent).max(SNAPSHOT_LIMITS.events).optional(),
  self: z
    .strictObject({
      cpuSeconds: z.number().min(0),
      rssKib: kib,
      version: text(64).optional(),
      /** What waits for the server on the node's disk. */
      spooledBytes: count.optional(),
      /** Snapshots given up since the collector started: no room, damaged, or refused for good. */
      droppedSnapshots: count.optional(),
    })
    .optional(),
});

/** What a collector sends. */
export type SnapshotInput = z.input<typeof snapshotSchema>;
/** A validated snapshot: `at` in epoch milliseconds. */
export type Snapshot = z.output<typeof snapshotSchema>;
export type SourceStatus = z.infer<typeof sourceStatus>;

/** Top-level names that version 1 defines; whatever else arrives is an unknown section. */
export const KNOWN_SECTIONS: ReadonlySet<string> = new Set(Object.keys(snapshotSchema.shape));
