import { z } from "zod";
import { LAST_MOMENT_MS } from "#lib/domain/snapshot/last-moment.ts";
import { EARLIEST_MARK_MS, TOO_EARLY } from "./annotation.ts";
import { epochMs, storableText } from "./common.ts";

/** 0 stands for what was not given. */
const grafanaTime = z
  .int()
  .min(0)
  .max(LAST_MOMENT_MS)
  .refine((atMs) => atMs === 0 || atMs >= EARLIEST_MARK_MS, { message: TOO_EARLY });

/**
 * What Grafana's clients send to make an annotation. `dashboardUID` and the like name what is not here and are passed over;
 * tags `node:NAME` and `cluster:NAME` say which nodes, a tag that is a kind says which kind.
 */
export const grafanaAnnotationBody = z.object({
  dashboardId: z.number().optional(),
  dashboardUID: z.string().max(200).optional(),
  panelId: z.number().optional(),
  /** Epoch milliseconds; now where it is left out or 0. */
  time: grafanaTime.optional(),
  /** For a stretch of time. */
  timeEnd: grafanaTime.optional(),
  tags: z.array(storableText(300)).max(40).nullish(),
  /** Its first line becomes the title. */
  text: storableText(10_000).refine((value) => value.trim() !== "", "expected a text"),
});

/** What Grafana answers. */
export const grafanaAnnotationMade = z.strictObject({ message: z.string(), id: z.int() });

const idList = z.union([z.string().max(200), z.array(z.string().max(200)).max(20)]);

/** Grafana's parameters. Those that name what is not here (dashboards, panels, users, alerts) narrow nothing. */
export const grafanaAnnotationQuery = z.object({
  /** Epoch milliseconds. */
  from: z.coerce.number().int().min(0).optional(),
  to: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(0).max(2000).default(100),
  /** Repeated: all of them, or any with `matchAny`. A tag may be a kind, `node:NAME` or `cluster:NAME`. */
  tags: idList.optional(),
  matchAny: z.enum(["true", "false", ""]).default("false"),
  /** There are no alerts of Grafana's here, so `alert` answers none. */
  type: z.enum(["annotation", "alert", ""]).default(""),
  dashboardId: idList.optional(),
  dashboardUID: idList.optional(),
  panelId: idList.optional(),
  userId: idList.optional(),
  alertId: idList.optional(),
  alertUID: idList.optional(),
});

/** A mark as Grafana reads annotations: newest first. */
export const grafanaAnnotations = z.array(
  z.strictObject({
    id: z.int(),
    alertId: z.literal(0),
    alertName: z.literal(""),
    dashboardId: z.literal(0),
    dashboardUID: z.literal(""),
    panelId: z.literal(0),
    userId: z.literal(0),
    newState: z.literal(""),
    prevState: z.literal(""),
    created: epochMs,
    updated: epochMs,
    time: epochMs,
    /** As `time` for a moment. */
    timeEnd: epochMs,
    text: z.string(),
    /** Those written, the kind, and the clusters and nodes it is about (nodes up to twenty). */
    tags: z.array(z.string()),
    login: z.string(),
    email: z.literal(""),
    avatarUrl: z.literal(""),
    data: z.strictObject({}),
  }),
);

export type GrafanaAnnotationBody = z.infer<typeof grafanaAnnotationBody>;
export type GrafanaAnnotations = z.infer<typeof grafanaAnnotations>;
