import { z } from "zod";

const days = (fallback: number) => z.coerce.number().int().min(1).max(3650).default(fallback);

const environmentSchema = z.object({
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "expected postgresql://…")
    .optional(),
  PLUMBLINE_DATABASE_POOL: z.coerce.number().int().min(2).max(100).default(10),
  PLUMBLINE_DATA_DIR: z.string().min(1).optional(),
  PLUMBLINE_HOST: z.string().min(1).default("127.0.0.1"),
  PLUMBLINE_PORT: z.coerce.number().int().min(0).max(65_535).default(4400),
  PLUMBLINE_RETENTION_RAW_DAYS: days(14),
  PLUMBLINE_RETENTION_5MIN_DAYS: days(90),
  PLUMBLINE_RETENTION_1H_DAYS: days(730),
  PLUMBLINE_SILENT_AFTER_SECONDS: z.coerce.number().int().min(30).max(86_400).default(300),
  PLUMBLINE_CITUS_SHARDS: z.coerce.number().int().min(1).max(1024).default(16),
  PLUMBLINE_LOCAL_SECRET: z.string().min(16).optional(),
  PLUMBLINE_TRUST_LOOPBACK: z.enum(["on", "off"]).optional(),
  PLUMBLINE_ANONYMOUS_VIEWER: z.enum(["on", "off"]).default("off"),
  PLUMBLINE_LOCAL_COLLECTOR: z.enum(["on", "off"]).default("on"),
  PLUMBLINE_DEMO: z.enum(["off", "full", "small"]).default("off"),
  PLUMBLINE_WEB_PROCESSES: z.coerce.number().int().min(1).max(64).default(1),
  PLUMBLINE_LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

/** How many days each resolution is kept. A finer one is never kept longer than a coarser one. */
export interface Retention {
  rawDays: number;
  fiveMinuteDays: number;
  hourDays: number;
}

/** Settings of the server, read once from the environment. */
export interface Config {
  /** Absent while the supervisor has not started a database yet. */
  databaseUrl: string | undefined;
  databasePool: number;
  dataDir: string | undefined;
  host: string;
  port: number;
  retention: Retention;
  /** A node is called silent when its newest snapshot is older than this. */
  silentAfterMs: number;
  citusShards: number;
  /** Signs sessions; the same for all web processes. */
  localSecret: string | undefined;
  /** Whether a person at the server's machine stays administrator once somebody has an account; undefined when nobody said. */
  trustLoopback: "on" | "off" | undefined;
  /** Whether everybody who reaches the server may read. */
  anonymousViewer: boolean;
  /** Whether `npm run up` collects from its own machine. */
  localCollector: boolean;
  /** The simulated fleets that this server shows; undefined for a real one. */
  demo: "full" | "small" | undefined;
  /** Web processes that share the port. */
  webProcesses: number;
  logLevel: z.infer<typeof environmentSchema>["PLUMBLINE_LOG_LEVEL"];
}

/**
 * Reads and checks the environment; an empty variable counts as not set.
 * @throws Error that names each variable that is wrong and what was expected.
 */
export function parseConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const result = environmentSchema.safeParse(given);
  if (!result.success) {
    const faults = result.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`The environment is not usable:\n${faults.join("\n")}`);
  }
  const env = result.data;
  const rawDays = env.PLUMBLINE_RETENTION_RAW_DAYS;
  const fiveMinuteDays = Math.max(rawDays, env.PLUMBLINE_RETENTION_5MIN_DAYS);
  return {
    databaseUrl: env.DATABASE_URL,
    databasePool: env.PLUMBLINE_DATABASE_POOL,
    dataDir: env.PLUMBLINE_DATA_DIR,
    host: env.PLUMBLINE_HOST,
    port: env.PLUMBLINE_PORT,
    retention: {
      rawDays,
      fiveMinuteDays,
      hourDays: Math.max(fiveMinuteDays, env.PLUMBLINE_RETENTION_1H_DAYS),
    },
    silentAfterMs: env.PLUMBLINE_SILENT_AFTER_SECONDS * 1000,
    citusShards: env.PLUMBLINE_CITUS_SHARDS,
    localSecret: env.PLUMBLINE_LOCAL_SECRET,
    trustLoopback: env.PLUMBLINE_TRUST_LOOPBACK,
    anonymousViewer: env.PLUMBLINE_ANONYMOUS_VIEWER === "on",
    localCollector: env.PLUMBLINE_LOCAL_COLLECTOR === "on",
    demo: env.PLUMBLINE_DEMO === "off" ? undefined : env.PLUMBLINE_DEMO,
    webProcesses: env.PLUMBLINE_WEB_PROCESSES,
    logLevel: env.PLUMBLINE_LOG_LEVEL,
  };
}

let known: Config | undefined;

/** The configuration of this process. @throws Error as `parseConfig` does, at the first call. */
export function config(): Config {
  known ??= parseConfig(process.env);
  return known;
}

/** The database's address. @throws Error where none is set. */
export function requireDatabaseUrl(): string {
  const { databaseUrl } = config();
  if (databaseUrl === undefined) {
    throw new Error("DATABASE_URL is not set; `npm run up` starts a database and sets it.");
  }
  return databaseUrl;
}
