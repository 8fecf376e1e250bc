import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDurationMs, parseTime, parseTimeRange, resolveTimezone } from "./time-range.ts";

/** A Wednesday. */
const nowMs = Date.parse("2026-03-11T10:20:30.400Z");

function at(text: string, options: { zone?: string; roundUp?: boolean } = {}) {
  const time = parseTime(text, { nowMs, ...options });
  return time.ok ? new Date(time.timeMs).toISOString() : time.message;
}

describe("one end of a window", () => {
  it.each([
    ["now", "2026-03-11T10:20:30.400Z"],
    ["now-6h", "2026-03-11T04:20:30.400Z"],
    ["now+90m", "2026-03-11T11:50:30.400Z"],
    ["now-1M", "2026-02-11T10:20:30.400Z"],
    ["now-1d+2h", "2026-03-10T12:20:30.400Z"],
    ["now/d", "2026-03-11T00:00:00.000Z"],
    ["now/w", "2026-03-09T00:00:00.000Z"],
    ["now-1d/d", "2026-03-10T00:00:00.000Z"],
    ["now/d+6h", "2026-03-11T06:00:00.000Z"],
    ["now/Q", "2026-01-01T00:00:00.000Z"],
    ["1772944815000", "2026-03-08T04:40:15.000Z"],
    ["2026-03-01T04:15:00Z", "2026-03-01T04:15:00.000Z"],
    ["2026-03-01T04:15:00+02:00", "2026-03-01T02:15:00.000Z"],
    ["2026-03-01 04:15:00", "2026-03-01T04:15:00.000Z"],
    ["2026-03-01", "2026-03-01T00:00:00.000Z"],
  ])("reads %s", (text, iso) => {
    expect(at(text)).toBe(iso);
  });

  it("rounds the upper end to the last millisecond of the unit", () => {
    expect(at("now/d", { roundUp: true })).toBe("2026-03-11T23:59:59.999Z");
    expect(at("now-1w/w", { roundUp: true })).toBe("2026-03-08T23:59:59.999Z");
  });

  it("takes days and wall-clock times from the zone of the address", () => {
    expect(at("now/d", { zone: "Asia/Kolkata" })).toBe("2026-03-10T18:30:00.000Z");
    expect(at("2026-03-01T04:15:00", { zone: "Europe/Berlin" })).toBe("2026-03-01T03:15:00.000Z");
    // The day that summer time began in New York had 23 hours.
    expect(at("now-3d/d", { zone: "America/New_York" })).toBe("2026-03-08T05:00:00.000Z");
    expect(at("now-2d/d", { zone: "America/New_York" })).toBe("2026-03-09T04:00:00.000Z");
  });

  it.each([
    "",
    "yesterday",
    "now-",
    "now-6",
    "now-6x",
    "now6h",
    "now/",
    "2026-13-01",
    "2026-02-30",
    "-1",
    "1e9",
    "253402300800000",
    "now+9000y",
  ])("says what it expected instead of %j", (text) => {
    expect(parseTime(text, { nowMs })).toMatchObject({ ok: false });
  });

  it("answers any text with a time or an explanation", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.stringMatching(/^now([+-][0-9]{1,9}[smhdwMQy]|\/[smhdwMQy]){0,6}$/),
          fc.bigInt().map(String),
        ),
        fc.boolean(),
        (text, roundUp) => {
          const time = parseTime(text, { nowMs, roundUp });
          if (time.ok) expect(Number.isSafeInteger(time.timeMs)).toBe(true);
          else expect(time.message).not.toBe("");
        },
      ),
    );
  });
});

describe("a window", () => {
  it("reads today from now/d to now/d", () => {
    expect(parseTimeRange({ from: "now/d", to: "now/d" }, { nowMs })).toEqual({
      ok: true,
      fromMs: Date.parse("2026-03-11T00:00:00Z"),
      toMs: Date.parse("2026-03-11T23:59:59.999Z"),
    });
  });

  it("uses the reader's zone for browser and the named one otherwise", () => {
    const today = { from: "now/d", to: "now" };
    const start = (timezone: string, browserZone?: string) => {
      const range = parseTimeRange({ ...today, timezone }, { nowMs, ...(browserZone && { browserZone }) });
      return range.ok && new Date(range.fromMs).toISOString();
    };
    expect(start("browser", "Asia/Tokyo")).toBe("2026-03-10T15:00:00.000Z");
    expect(start("Asia/Tokyo")).toBe("2026-03-10T15:00:00.000Z");
    expect(start("utc", "Asia/Tokyo")).toBe("2026-03-11T00:00:00.000Z");
  });

  it.each([
    [{ from: "nonsense", to: "now" }, "from"],
    [{ from: "now-1h", to: "later" }, "to"],
    [{ from: "now", to: "now-1h" }, "to"],
    [{ from: "now", to: "now" }, "to"],
    [{ from: "0", to: "now" }, "from"],
    [{ from: "now-1h", to: "now", timezone: "Mars/Olympus" }, "timezone"],
  ])("names the wrong end of %j", (range, path) => {
    expect(parseTimeRange(range, { nowMs })).toMatchObject({ ok: false, path });
  });
});

describe("zones and lengths", () => {
  it("knows utc, browser and IANA names", () => {
    expect(resolveTimezone("UTC")).toBe("UTC");
    expect(resolveTimezone(undefined, "Europe/Paris")).toBe("Europe/Paris");
    expect(resolveTimezone("America/Los_Angeles")).toBe("America/Los_Angeles");
    expect(resolveTimezone("nowhere")).toBeUndefined();
  });

  it("reads lengths of time", () => {
    expect(parseDurationMs("90s")).toBe(90_000);
    expect(parseDurationMs("6h")).toBe(21_600_000);
    expect(parseDurationMs("2w")).toBe(1_209_600_000);
    for (const bad of ["", "0h", "6", "h", "-1h", "1.5h", "9999999w", "6h6m"]) {
      expect(parseDurationMs(bad), bad).toBeUndefined();
    }
  });
});
