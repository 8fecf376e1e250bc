import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  DEFAULT_ADDRESS,
  readAddress,
  resolveBound,
  resolveWindow,
  zoneOf,
  zoomWindow,
} from "./view-address.ts";

const nowMs = Date.parse("2026-12-03T14:20:30Z");
const at = (bound: string, end: "from" | "to" = "from", zone = "UTC") => {
  const value = resolveBound(bound, nowMs, zone, end);
  return value === undefined ? undefined : new Date(value).toISOString();
};

describe("resolveBound", () => {
  test("Grafana's relative forms", () => {
    expect(at("now")).toBe("2026-12-03T14:20:30.000Z");
    expect(at("now-6h")).toBe("2026-12-03T08:20:30.000Z");
    expect(at("now-1d/d")).toBe("2026-12-02T00:00:00.000Z");
    expect(at("now/d", "to")).toBe("2026-12-03T23:59:59.999Z");
    expect(at("now/d", "from", "Asia/Tokyo")).toBe("2026-12-02T15:00:00.000Z");
    expect(at("now-1M")).toBe("2026-11-03T14:20:30.000Z");
  });

  test("epoch milliseconds, epoch seconds and ISO", () => {
    expect(at("1764735300000")).toBe("2025-12-03T04:15:00.000Z");
    expect(at("1764735300")).toBe("2025-12-03T04:15:00.000Z");
    expect(at("2026-12-03T04:15:00Z")).toBe("2026-12-03T04:15:00.000Z");
    expect(at("2026-12-03T04:15", "from", "Europe/Berlin")).toBe("2026-12-03T03:15:00.000Z");
  });

  test("anything else is not a time, and no text makes it throw", () => {
    expect(at("now-6x")).toBeUndefined();
    expect(at("yesterday")).toBeUndefined();
    fc.assert(
      fc.property(fc.string(), (text) => {
        const value = resolveBound(text, nowMs, "UTC", "from");
        expect(value === undefined || Number.isFinite(value)).toBe(true);
      }),
    );
  });
});

test("an address that cannot be read takes the default and keeps a good zone", () => {
  const read = readAddress((name) => ({ from: "garbage", to: "now", timezone: "Europe/Berlin" })[name]);
  expect(read).toEqual({ ...DEFAULT_ADDRESS, timezone: "Europe/Berlin" });
  expect(readAddress((name) => ({ timezone: "Mars/Olympus" })[name]).timezone).toBe("utc");
  expect(readAddress((name) => ({ from: "1764735300000", to: "now" })[name]).from).toBe("1764735300000");
});

test("an empty or backward window is none", () => {
  expect(resolveWindow({ from: "now", to: "now-1h", timezone: "utc" }, nowMs, "UTC")).toBeUndefined();
});

test("zones", () => {
  expect(zoneOf("utc", "Asia/Tokyo")).toBe("UTC");
  expect(zoneOf("browser", "Asia/Tokyo")).toBe("Asia/Tokyo");
  expect(zoneOf("Europe/Berlin", "Asia/Tokyo")).toBe("Europe/Berlin");
});

test("zooming keeps the moment under the cursor in place and out again is back", () => {
  const window = { fromMs: nowMs - 86_400_000, toMs: nowMs };
  const middle = nowMs - 43_200_000;
  const nearer = zoomWindow(window, middle, 0.5, nowMs);
  expect((middle - nearer.fromMs) / (nearer.toMs - nearer.fromMs)).toBeCloseTo(0.5, 6);
  const back = zoomWindow(nearer, middle, 2, nowMs);
  expect(back).toEqual(window);
  expect(zoomWindow(window, nowMs, 1e-9, nowMs).toMs - zoomWindow(window, nowMs, 1e-9, nowMs).fromMs).toBe(
    60_000,
  );
});
