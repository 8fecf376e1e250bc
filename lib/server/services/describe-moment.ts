import { DateTime } from "luxon";

/** A moment inside a sentence: "04:15 UTC", with the date when it is not today's. */
export function momentText(timeMs: number, zone: string, nowMs: number): string {
  const time = DateTime.fromMillis(timeMs, { zone, locale: "en" });
  const today = time.hasSame(DateTime.fromMillis(nowMs, { zone }), "day");
  return time.toFormat(today ? "HH:mm ZZZZ" : "yyyy-MM-dd HH:mm ZZZZ");
}

/** The clock alone, for a moment that stands beside another of the same day; with the date where it is another day's. */
export function clockBeside(timeMs: number, besideMs: number, zone: string): string {
  const time = DateTime.fromMillis(timeMs, { zone, locale: "en" });
  const sameDay = time.hasSame(DateTime.fromMillis(besideMs, { zone }), "day");
  return time.toFormat(sameDay ? "HH:mm" : "yyyy-MM-dd HH:mm");
}
