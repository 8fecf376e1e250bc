import { describe, expect, it } from "vitest";
import { placeLogTime, readLogTime } from "./log-time.ts";

const UTC = (year: number, month: number, day: number, msOfDay: number) =>
  Date.UTC(year, month - 1, day) + msOfDay;
const CONTEXT = {
  nowMs: Date.UTC(2026, 10, 30, 12),
  bootMs: Date.UTC(2026, 10, 29),
  fromLocal: UTC,
};

function placed(line: string): string | undefined {
  const time = readLogTime(line);
  return time === undefined ? undefined : new Date(placeLogTime(time, CONTEXT)).toISOString();
}

describe("readLogTime and placeLogTime", () => {
  it.each([
    ["2026-11-30T11:15:48.123456+01:00 node-1 kernel: x", "2026-11-30T10:15:48.123Z"],
    ["2026-11-30T11:15:48Z node-1 kernel: x", "2026-11-30T11:15:48.000Z"],
    ["<4>1 2026-11-30T11:15:48.5-0130 node-1 kernel - - - x", "2026-11-30T12:45:48.500Z"],
    ["2026-11-30 11:15:48,250 x", "2026-11-30T11:15:48.250Z"],
    ["Nov 30 11:15:48 node-1 kernel: x", "2026-11-30T11:15:48.000Z"],
    // No year: the last one that is not to come.
    ["Dec 24 18:00:00 node-1 kernel: x", "2025-12-24T18:00:00.000Z"],
    ["Nov  3 01:15:48.999 node-1 kernel: x", "2026-11-03T01:15:48.999Z"],
    ["[Mon Nov 30 11:15:48 2026] x", "2026-11-30T11:15:48.000Z"],
    ["Mon Nov 30 11:15:48 CET 2026 x", "2026-11-30T11:15:48.000Z"],
    ["[ 5140.900123] x", "2026-11-29T01:25:40.900Z"],
    ["4,1234,5140900123,-;x", "2026-11-29T01:25:40.900Z"],
  ])("places %j", (line, expected) => {
    expect(placed(line)).toBe(expected);
  });

  it.each(["", "x", "11:15:48 x", "Foo 30 11:15:48 node-1 kernel: x"])("finds no time in %j", (line) => {
    expect(readLogTime(line)).toBeUndefined();
  });
});
