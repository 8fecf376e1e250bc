export type LogFields = Record<string, string | number | boolean | undefined>;

/** One line of JSON on stderr for each event, so that stdout stays free for what `print` prints. */
export type Log = (level: "info" | "warn" | "error", message: string, fields?: LogFields) => void;

export const logToStderr: Log = (level, message, fields = {}) => {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`);
};

/** What went wrong, in one line. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of a system error, `ENOENT` and the like. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
