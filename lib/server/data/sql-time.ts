import { LAST_MOMENT_MS } from "#lib/domain/snapshot/last-moment.ts";

/**
 * A moment that was read, in epoch milliseconds. The database holds later years than the driver reads; such a moment, taken in
 * before they were refused, reads as the last one there is, so that its row can be seen and taken away.
 */
export function readMomentMs(moment: Date): number {
  const timeMs = moment.getTime();
  return Number.isNaN(timeMs) ? LAST_MOMENT_MS : Math.min(timeMs, LAST_MOMENT_MS);
}

/** A moment to look for, no later than any that is stored. */
export function soughtMoment(timeMs: number): Date {
  return new Date(Math.min(timeMs, LAST_MOMENT_MS));
}

/** Epoch milliseconds as PostgreSQL reads a timestamptz. */
export function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** SQL for the epoch milliseconds of a timestamptz expression, as a number that node-postgres reads without loss. */
export function epochMs(expression: string): string {
  return `(date_part('epoch', ${expression}) * 1000)::float8`;
}
