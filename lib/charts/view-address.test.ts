import { expect, test } from "vitest";
import { DEFAULT_ADDRESS, readAddress, resolveWindow, zoneOf, zoomWindow } from "./view-address.ts";

const nowMs = Date.parse("2026-12-03T14:20:30Z");
const given = (values: Record<string, string>) => readAddress((name) => values[name], nowMs);

test("an address that cannot be read takes the default and keeps a good zone", () => {
  expect(given({ from: "garbage", to: "now", timezone: "Europe/Berlin" })).toEqual({
    ...DEFAULT_ADDRESS,
    timezone: "Europe/Berlin",
  });
  expect(given({ timezone: "Mars/Olympus" }).timezone).toBe("utc");
  expect(given({ from: "1764735300000", to: "now" }).from).toBe("1764735300000");
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
