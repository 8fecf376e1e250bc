import { expect, test } from "vitest";
import { formatEditable, formatIso, formatMoment, formatWindow, zoneName } from "./format-time.ts";

const nowMs = Date.parse("2026-12-03T14:20:00Z");
const at = (iso: string) => Date.parse(iso);

test("the day stands there when it is not today, the year when it is not this one", () => {
  expect(formatMoment(at("2026-12-03T04:15:00Z"), "UTC", nowMs)).toBe("04:15 UTC");
  expect(formatMoment(at("2026-12-02T22:10:00Z"), "UTC", nowMs)).toBe("Wed 2 Dec 22:10 UTC");
  expect(formatMoment(at("2025-09-02T22:10:00Z"), "UTC", nowMs)).toBe("Tue 2 Sep 2025 22:10 UTC");
});

test("every moment names its zone, and the day is the zone's", () => {
  expect(formatMoment(at("2026-12-02T23:30:00Z"), "Europe/Berlin", nowMs)).toBe("00:30 CET");
  expect(zoneName(at("2026-07-01T00:00:00Z"), "Europe/Berlin")).toBe("CEST");
  expect(zoneName(nowMs, "Asia/Kolkata")).toBe("GMT+5:30");
});

test("windows, fields and exports", () => {
  const day = [at("2026-12-02T14:20:00Z"), nowMs] as const;
  expect(formatWindow(...day, "UTC", nowMs)).toBe("Wed 2 Dec 14:20 – Thu 3 Dec 14:20");
  const hour = [at("2020-09-13T12:26:00Z"), at("2020-09-13T13:26:00Z")] as const;
  expect(formatWindow(...hour, "UTC", nowMs)).toBe("Sun 13 Sep 2020 12:26 – 13:26");
  expect(formatEditable(at("2026-12-03T04:15:00Z"), "Asia/Tokyo")).toBe("2026-12-03 13:15");
  expect(formatIso(at("2026-12-03T04:15:00Z"))).toBe("2026-12-03T04:15:00Z");
});
