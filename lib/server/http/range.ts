import { parseDurationMs, parseTime, parseTimeRange, resolveTimezone } from "#lib/contracts/time-range.ts";
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

/** One moment in the forms of a window's end, in epoch milliseconds. @throws AppError `invalid` that names the parameter. */
export function readTime(name: string, text: string, timezone: string | undefined, nowMs: number): number {
  const time = parseTime(text, { nowMs, zone: readZone(timezone) });
  if (time.ok) return time.timeMs;
  throw new AppError("invalid", `The query is wrong at ${name}: ${time.message}.`, {
    issues: [{ path: name, message: time.message }],
  });
}

/** The zone of an address; UTC where it leaves that to the browser. @throws AppError `invalid`. */
export function readZone(timezone: string | undefined): string {
  const zone = resolveTimezone(timezone);
  if (zone !== undefined) return zone;
  const message = "expected utc, browser or an IANA name such as Europe/Berlin";
  throw new AppError("invalid", `The query is wrong at timezone: ${message}.`, {
    issues: [{ path: "timezone", message }],
  });
}
