import { expect, test } from "vitest";
import {
  defaultAddress,
  readAddress,
  readPageNumber,
  resolveWindow,
  zoneOf,
  zoomWindow,
} from "./view-address.ts";

const nowMs = Date.parse("2026-12-03T14:20:30Z");
const defaults = { from: "now-6h", to: "now", timezone: "utc" };
const given = (values: Record<string, string>) => readAddress((name) => values[name], nowMs, defaults);

test("an address without a window takes the default, one with a window is kept as written", () => {
  expect(given({})).toEqual({ address: defaults, faults: [] });
  const written = { from: "1764735300000", to: "now", timezone: "Europe/Berlin" };
  expect(given(written)).toEqual({ address: written, faults: [] });
});

test.each([
  [{ from: "abc" }, "from", "abc", /^expected now, now-6h/],
  [{ from: "1900-01-01", to: "2100-01-01" }, "from", "1900-01-01", /from 1970 on/],
  [{ from: "now-9999d" }, "from", "now-9999d", /at most ten years/],
  [{ from: "now", to: "now-1h" }, "to", "now-1h", /after from/],
  [{ to: "9".repeat(90) }, "to", `${"9".repeat(60)}\u2026`, /expected/],
])("an impossible window %o says what is wrong and takes the default", (values, name, shown, message) => {
  const { address, faults } = given({ ...values, timezone: "Europe/Berlin" });
  expect(address).toEqual({ ...defaults, timezone: "Europe/Berlin" });
  expect(faults).toEqual([{ name, given: shown, message: expect.stringMatching(message) as string }]);
});

test("a zone that is none is said, and the window kept", () => {
  const { address, faults } = given({ from: "now-2h", timezone: "Mars/Olympus" });
  expect(address).toEqual({ from: "now-2h", to: "now", timezone: "utc" });
  expect(faults.map((each) => [each.name, each.given])).toEqual([["timezone", "Mars/Olympus"]]);
});

test("the default is the shortest window that holds what the node sent", () => {
  const from = (minutes: number) => defaultAddress({ firstSeenAt: nowMs - minutes * 60_000 }, nowMs).from;
  expect([0, 4, 60, 61, 360, 361, 1440, 100_000].map(from)).toEqual([
    "now-1h",
    "now-1h",
    "now-1h",
    "now-6h",
    "now-6h",
    "now-24h",
    "now-24h",
    "now-24h",
  ]);
});

test("days of a relative window are days of the zone of the view", () => {
  const address = { from: "now/d", to: "now/d", timezone: "Asia/Tokyo" };
  expect(resolveWindow(address, nowMs, "UTC")).toEqual({
    fromMs: Date.parse("2026-12-02T15:00:00Z"),
    toMs: Date.parse("2026-12-03T14:59:59.999Z"),
  });
});

test("an empty or backward window is none", () => {
  expect(resolveWindow({ from: "now", to: "now-1h", timezone: "utc" }, nowMs, "UTC")).toBeUndefined();
});

test.each([
  ["", 1, 0],
  ["3", 3, 0],
  ["foo", 1, 1],
  ["0", 1, 1],
  ["-2", 1, 1],
  ["10000", 1, 1],
])("page %o of a list is %i, with %i faults", (text, page, faultCount) => {
  const faults: Parameters<typeof readPageNumber>[1] = [];
  expect(readPageNumber(text, faults)).toBe(page);
  expect(faults).toHaveLength(faultCount);
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
