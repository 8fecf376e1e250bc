/**
 * The last moment that is taken, the end of the year 9999 in UTC: beyond it a time has a year of five digits, which neither
 * ISO 8601 nor the drivers of the database read back.
 */
export const LAST_MOMENT_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
