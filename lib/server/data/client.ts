import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { logger } from "#lib/server/log.ts";
import { Prisma, PrismaClient } from "./generated/client.ts";

/** SQL NULL in a JSON column, where `null` would be read as JSON's. */
export const DB_NULL = Prisma.DbNull;

/**
 * The database of this process: one pool. `prisma` (ordinary tables, model API) and `pool` (time series, SQL) share
 * it, so that one number bounds all connections.
 */
export interface Database {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
}

/** A connection or the pool: whatever a statement can be sent to. */
export type Queryable = Pick<pg.Pool, "query">;

/**
 * Sent when a connection starts. Prisma's adapter drops the zone of a timestamptz and takes what is left for UTC: in a
 * session of another zone each time would be off by hours. A plain PostgreSQL accepts the setting of an extension that it does not have; with
 * Citus it keeps one connection a shard open instead of reopening them at each insert (4 times the rate).
 */
const START_OPTIONS =
  "-c timezone=UTC -c citus.max_cached_conns_per_worker=8 -c statement_timeout=60000 -c jit=off";

const INT8 = 20;

/** bigint as number. @throws RangeError beyond ±(2^53 − 1): a wrong digit is worse than an error. */
export function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a number`);
  return value;
}

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === INT8 && format !== "binary"
      ? parseBigint
      : (pg.types.getTypeParser as (oid: number, format?: string) => unknown)(
          oid,
          format,
        )) as typeof pg.types.getTypeParser,
};

/** Whether the address leaves the start options to us: a pgbouncer refuses them. */
function mayCarryOptions(url: string): boolean {
  const { searchParams } = new URL(url);
  return !searchParams.has("options") && searchParams.get("pgbouncer") !== "true";
}

/** For connections without start options. The pool waits for what this returns before it hands the connection out. */
function setZone(client: pg.ClientBase): unknown {
  return client.query("set timezone to 'UTC'");
}

/**
 * Opens the pool; connects at the first statement.
 * @param options.url of PostgreSQL 15 or newer, or of a Citus coordinator; `?pgbouncer=true` sends no start options.
 */
export function openDatabase(options: {
  url: string;
  poolSize?: number;
  connectTimeoutMs?: number;
}): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: "plumbline",
    types,
    ...(mayCarryOptions(options.url) ? { options: START_OPTIONS } : { onConnect: setZone }),
  });
  // An idle connection that breaks is replaced at the next statement; unheard, the event would end the process.
  pool.on("error", (error) => logger("database").warn({ err: error }, "idle connection lost"));
  return { pool, prisma: new PrismaClient({ adapter: new PrismaPg(pool) }) };
}

/** Waits for running statements and closes all connections. */
export async function closeDatabase(db: Database): Promise<void> {
  await db.prisma.$disconnect();
  await db.pool.end();
}
