import { z } from "zod";
import { instant } from "#lib/domain/snapshot/schema.ts";
import { epochMs, shortText } from "./common.ts";

/** Where an import stands. `paused`: it was stopped half-way and goes on when told to. */
export const importStatus = z.enum(["queued", "running", "paused", "done", "failed", "cancelled"]);

const matcher = shortText(500).refine(
  (text) =>
    /^[a-zA-Z_][a-zA-Z0-9_]*\s*(?:=~|!~|!=|=)\s*(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')$/.test(text),
  'expected one matcher, such as job="node" or instance=~"10[.]0[.].*"',
);

const bearer = z
  .string()
  .max(8192)
  .regex(/^[\x21-\x7e]+$/, "expected a token without spaces");

/** What history to bring in, and from where. */
export const startImport = z
  .strictObject({
    /** Address of the Prometheus, up to where `/api/v1` begins. */
    url: z
      .string()
      .max(2000)
      .refine((text) => {
        if (!URL.canParse(text)) return false;
        const { protocol, username, password } = new URL(text);
        return /^https?:$/.test(protocol) && username === "" && password === "";
      }, "expected an http or https address without a password in it, such as http://prometheus:9090"),
    from: instant,
    to: instant,
    cluster: shortText(100).default("default"),
    /** All of them must hold for a series of a node. */
    match: z.array(matcher).max(20).default([]),
    /** The label that names the nodes; by default `node`, else `instance` without its port. */
    nodeLabel: z
      .string()
      .regex(/^[a-zA-Z_][a-zA-Z0-9_]{0,100}$/, "expected the name of a label")
      .optional(),
    /** One sample each so many seconds; by default every sample as it was scraped. */
    stepSeconds: z
      .int()
      .min(5, "expected at least 5 seconds")
      .max(3600, "expected at most an hour")
      .optional(),
    bearer: bearer.optional(),
  })
  .refine(({ from, to }) => from < to, { message: "expected a time after from", path: ["to"] });

/** Stops an import for good, or goes on with one; a token is not kept while it stands still. */
export const changeImport = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("cancel") }),
  z.strictObject({ action: z.literal("resume"), bearer: bearer.optional() }),
]);

/** Nodes that an import names; there may be more. */
export const NAMED_NODES = 20;

export const importCounts = z.strictObject({
  nodes: z.int(),
  /** Of nodes with something stored, in order, the first so many. */
  names: z.array(z.string()).max(NAMED_NODES),
  /** Stored as snapshots, or in roll-ups where snapshots of that time are no longer kept. */
  snapshots: z.int(),
  rolledUp: z.int(),
  /** There already. */
  duplicates: z.int(),
  /** Of a time at which the node's own collector reports. */
  ownCollector: z.int(),
  /** Older than anything that is kept. */
  tooOld: z.int(),
  /** Moments without what a snapshot cannot do without, by the missing series. */
  incomplete: z.record(z.string(), z.int()),
});

export const historyImport = z.strictObject({
  importId: z.int(),
  url: z.string(),
  cluster: z.string(),
  from: epochMs,
  to: epochMs,
  match: z.array(z.string()),
  nodeLabel: z.string().nullable(),
  stepSeconds: z.int().nullable(),
  createdAt: epochMs,
  createdBy: z.string(),
  runner: z.enum(["worker", "command line"]),
  status: importStatus,
  statusAt: epochMs,
  /** Everything before this is stored. */
  cursorAt: epochMs,
  /** Share of the time between `from` and `to` that is done. */
  doneShare: z.number().min(0).max(1),
  counts: importCounts,
  /** Why it failed, as a sentence. */
  error: z.string().nullable(),
});

export const importList = z.strictObject({
  imports: z.array(historyImport),
  /** The nodes that the imports name. */
  nodes: z.array(z.strictObject({ nodeId: z.int(), cluster: z.string(), name: z.string() })),
});

export type ChangeImport = z.infer<typeof changeImport>;
export type ImportList = z.infer<typeof importList>;
export type StartImport = z.infer<typeof startImport>;
export type ImportCounts = z.infer<typeof importCounts>;
export type HistoryImport = z.infer<typeof historyImport>;
export type ImportStatus = z.infer<typeof importStatus>;
