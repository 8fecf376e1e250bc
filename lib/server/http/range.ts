import { parseDurationMs, parseTimeRange } from "#lib/contracts/time-range.ts";
import { AppError } from "#lib/errors.ts";

/** The window of a query in epoch milliseconds. @throws AppError `invalid` that names the end that is wrong. */
export function readRange(
  query: { from: string; to: string; timezone?: string | undefined },
  nowMs: number,
): { fromMs: number; toMs: number } {
  const range = parseTimeRange(query, { nowMs });
  if (range.ok) return { fromMs: range.fromMs, toMs: range.toMs };
  throw new AppError("invalid", `The window is wrong at ${range.path}: ${range.message}.`, {
    issues: [{ path: range.path, message: range.message }],
  });
}

/** A length of time such as `6h`, in milliseconds. @throws AppError `invalid` that names the parameter. */
export function readDuration(name: string, text: string): number {
  const durationMs = parseDurationMs(text);
  if (durationMs !== undefined) return durationMs;
  const message = "expected a length of time such as 90m, 6h, 7d";
  throw new AppError("invalid", `The query is wrong at ${name}: ${message}.`, {
    issues: [{ path: name, message }],
  });
}
