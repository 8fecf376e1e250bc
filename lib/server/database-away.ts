/** SQLSTATE classes and codes, and what drivers say, when the database cannot be reached or is going down. */
const AWAY_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "ETIMEDOUT",
  "EPIPE",
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "P1001",
  "P1002",
  "P1008",
  "P1017",
  "P2024",
]);
const AWAY_MESSAGES =
  /^(timeout exceeded when trying to connect|connection terminated|client has encountered a connection error)/i;

/**
 * Follows `cause`, and where Prisma keeps what its adapter threw, so that an error wrapped by a library is still
 * recognised; bounded against cycles.
 */
export function* databaseErrors(error: unknown): Generator<{ code: string; message: string }> {
  let current = error;
  for (let depth = 0; depth < 8 && typeof current === "object" && current !== null; depth += 1) {
    // Prisma's adapter renames some codes of PostgreSQL and keeps the real one beside.
    yield {
      code: textAt(current, "originalCode") || textAt(current, "code"),
      message: textAt(current, "message"),
    };
    if (current instanceof AggregateError) yield* current.errors.flatMap((each) => [...databaseErrors(each)]);
    current = "cause" in current ? current.cause : driverErrorOf(current);
  }
}

function textAt(holder: object, key: string): string {
  const value: unknown = Reflect.get(holder, key);
  return typeof value === "string" ? value : "";
}

function driverErrorOf(error: object): unknown {
  const meta: unknown = Reflect.get(error, "meta");
  return typeof meta === "object" && meta !== null ? Reflect.get(meta, "driverAdapterError") : undefined;
}

/** Whether the database is away, as opposed to having refused a statement. */
export function isDatabaseAway(error: unknown): boolean {
  return [...databaseErrors(error)].some(
    ({ code, message }) => AWAY_CODES.has(code) || code.startsWith("08") || AWAY_MESSAGES.test(message),
  );
}
