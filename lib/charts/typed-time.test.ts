import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readTypedTime } from "./typed-time.ts";

const nowMs = Date.parse("2026-12-03T14:20:00Z");
const utc = { zone: "UTC", nowMs };

function iso(typed: string, view = utc): string {
  const read = readTypedTime(typed, view);
  return read.kind === "read" ? new Date(read.atMs).toISOString() : read.message;
}

describe("readTypedTime", () => {
  test.each([
    ["04:15 GMT", "2026-12-03T04:15:00.000Z"],
    ["4:15", "2026-12-03T04:15:00.000Z"],
    ["at 04:15:30", "2026-12-03T04:15:30.000Z"],
    ["yesterday 22:10", "2026-12-02T22:10:00.000Z"],
    ["yesterday at 22:10 GMT", "2026-12-02T22:10:00.000Z"],
    ["2026-12-03T04:15Z", "2026-12-03T04:15:00.000Z"],
    ["2026-12-03T04:15:00+02:00", "2026-12-03T02:15:00.000Z"],
    ["2026-12-03 04:15", "2026-12-03T04:15:00.000Z"],
    ["2026-12-03T04:15", "2026-12-03T04:15:00.000Z"],
    ["04:15 Europe/Berlin", "2026-12-03T03:15:00.000Z"],
    ["04:15 CET", "2026-12-03T03:15:00.000Z"],
    ["04:15 UTC+2", "2026-12-03T02:15:00.000Z"],
    ["04:15+05:30", "2026-12-02T22:45:00.000Z"],
    ["20 min ago", "2026-12-03T14:00:00.000Z"],
    ["2 hours ago", "2026-12-03T12:20:00.000Z"],
    ["Dec 2 08:30", "2026-12-02T08:30:00.000Z"],
    ["2 Dec 2026 08:30 GMT", "2026-12-02T08:30:00.000Z"],
    ["now", "2026-12-03T14:20:00.000Z"],
    ["now-30d", "2026-11-03T14:20:00.000Z"],
    ["Now - 6h", "2026-12-03T08:20:00.000Z"],
    ["now/d", "2026-12-03T00:00:00.000Z"],
    ["1764735300", "2025-12-03T04:15:00.000Z"],
    ["1764735300000", "2025-12-03T04:15:00.000Z"],
  ])("%s", (typed, expected) => {
    expect(iso(typed)).toBe(expected);
  });

  test("a time without a zone is meant in the zone of the view", () => {
    expect(iso("04:15", { zone: "America/New_York", nowMs })).toBe("2026-12-03T09:15:00.000Z");
    expect(iso("yesterday 22:10", { zone: "Asia/Tokyo", nowMs })).toBe("2026-12-02T13:10:00.000Z");
    expect(iso("2026-12-03 04:15", { zone: "Asia/Tokyo", nowMs })).toBe("2026-12-02T19:15:00.000Z");
  });

  test("the day is today's in the stated zone, not in the reader's", () => {
    // 00:30 on 4 December in Tokyo while it is still the 3rd in UTC.
    const late = { zone: "Asia/Tokyo", nowMs: Date.parse("2026-12-03T15:30:00Z") };
    expect(iso("04:15 GMT", late)).toBe("2026-12-03T04:15:00.000Z");
  });

  test("a bare time that has not come yet means yesterday and says so", () => {
    const read = readTypedTime("22:10", utc);
    expect(read).toMatchObject({ kind: "read", atMs: Date.parse("2026-12-02T22:10:00Z") });
    expect(read.kind === "read" && read.notes.join()).toContain("yesterday");
  });

  test("what begins like a relative form and is none is not read", () => {
    expect(readTypedTime("now-6 lightyears", utc)).toMatchObject({ kind: "unreadable" });
  });

  test("the future is said", () => {
    const read = readTypedTime("2026-12-04T04:15Z", utc);
    expect(read).toMatchObject({ kind: "read" });
    expect(read.kind === "read" && read.reading).toContain("in 14 h");
    expect(read.kind === "read" && read.notes.join()).toContain("future");
  });

  test("a time that came twice in autumn is said, and one that never came in spring is refused", () => {
    const berlin = { zone: "Europe/Berlin", nowMs };
    const twice = readTypedTime("2026-10-25 02:30", berlin);
    expect(twice).toMatchObject({ kind: "read", atMs: Date.parse("2026-10-25T00:30:00Z") });
    expect(twice.kind === "read" && twice.notes.join()).toMatch(/twice/);
    expect(readTypedTime("2026-03-29 02:30", berlin)).toMatchObject({ kind: "unreadable" });
  });

  test("an abbreviation with several meanings says which one was taken", () => {
    const read = readTypedTime("04:15 CST", utc);
    expect(read).toMatchObject({ atMs: Date.parse("2026-12-03T10:15:00Z") });
    expect(read.kind === "read" && read.notes.join()).toContain("US Central");
  });

  test.each([
    "04:75",
    "25:00",
    "",
    "soon",
    "2026-13-40 10:00",
    "2026-02-30 10:00",
    "04:15 tomorrowish or so",
  ])("refuses %j with a hint", (typed) => {
    const read = readTypedTime(typed, utc);
    expect(read.kind).toBe("unreadable");
    expect(read.kind === "unreadable" && read.message).toContain("04:15 GMT");
  });

  test("is total: any text gets an answer", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (typed) => {
        const read = readTypedTime(typed, utc);
        expect(read.kind === "read" ? Number.isFinite(read.atMs) : read.message.length > 0).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  test("a time printed with its zone is read back as the same moment", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 48 * 60 }), (minutesAgo) => {
        const atMs = nowMs - minutesAgo * 60_000;
        expect(iso(new Date(atMs).toISOString())).toBe(new Date(atMs).toISOString());
      }),
    );
  });

  test.each(["8640000000000000", "99999999999999999", "253402300800000", "1969-12-31T23:59:59Z"])(
    "reads no moment outside the years 1970 to 9999: %s",
    (typed) => {
      expect(readTypedTime(typed, utc).kind).toBe("unreadable");
    },
  );
});
