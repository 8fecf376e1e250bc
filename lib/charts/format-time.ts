import { DateTime, IANAZone } from "luxon";

/** The zone of the machine this runs in, as an IANA name. */
export function machineZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Whether `name` is a zone this machine knows. */
export function isZone(name: string): boolean {
  return IANAZone.isValidZone(name);
}

function inZone(atMs: number, zone: string): DateTime {
  return DateTime.fromMillis(atMs, { zone, locale: "en-US" });
}

/** Short name of the zone at a moment: `UTC`, `GMT+2`, `BST`. */
export function zoneName(atMs: number, zone: string): string {
  if (zone === "UTC") return "UTC";
  return inZone(atMs, zone).setLocale("en-GB").offsetNameShort ?? zone;
}

/** `04:15` */
export function formatClock(atMs: number, zone: string): string {
  return inZone(atMs, zone).toFormat("HH:mm");
}

/** `Thu 3 Dec` */
export function formatDay(atMs: number, zone: string): string {
  return inZone(atMs, zone).toFormat("ccc d LLL");
}

/** Whether two moments lie on the same day of a zone. */
export function sameDay(aMs: number, bMs: number, zone: string): boolean {
  return inZone(aMs, zone).hasSame(inZone(bMs, zone), "day");
}

/** `04:15 UTC` today, `Thu 3 Dec 14:20 UTC` otherwise, with the year when it is another one. */
export function formatMoment(atMs: number, zone: string, nowMs: number): string {
  const at = inZone(atMs, zone);
  const now = inZone(nowMs, zone);
  const day = at.hasSame(now, "day")
    ? ""
    : at.hasSame(now, "year")
      ? at.toFormat("ccc d LLL ")
      : at.toFormat("ccc d LLL yyyy ");
  return `${day}${at.toFormat("HH:mm")} ${zoneName(atMs, zone)}`;
}

/** The whole of it: `Thu 3 Dec 2026 04:15:00 UTC`. */
export function formatMomentFull(atMs: number, zone: string): string {
  return `${inZone(atMs, zone).toFormat("ccc d LLL yyyy HH:mm:ss")} ${zoneName(atMs, zone)}`;
}

/** `Wed 2 Dec 14:20 – Thu 3 Dec 14:20`: the second day only when it is another, the year when it is not this one. */
export function formatWindow(fromMs: number, toMs: number, zone: string, nowMs: number): string {
  const from = inZone(fromMs, zone);
  const to = inZone(toMs, zone);
  const thisYear = from.hasSame(inZone(nowMs, zone), "year") && from.hasSame(to, "year");
  const day = thisYear ? "ccc d LLL HH:mm" : "ccc d LLL yyyy HH:mm";
  return `${from.toFormat(day)} \u2013 ${to.toFormat(from.hasSame(to, "day") ? "HH:mm" : day)}`;
}

/** ISO 8601 with Z, for exports and machine-readable attributes. */
export function formatIso(atMs: number): string {
  return inZone(atMs, "UTC").toISO({ suppressMilliseconds: true }) ?? String(atMs);
}

/** `2026-12-03 04:15`, as a time field shows it. */
export function formatEditable(atMs: number, zone: string): string {
  const at = inZone(atMs, zone);
  return at.toFormat(at.second === 0 ? "yyyy-MM-dd HH:mm" : "yyyy-MM-dd HH:mm:ss");
}
