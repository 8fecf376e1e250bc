import { describe, expect, it } from "vitest";

import { orderInTime, parseSampleTime } from "./sample-time.ts";

describe("the time beside a sample", () => {
  it.each([
    ["2016-09-10 10:53:32.92709", "calendar"],
    ["Thu Dec  7 00:05:14 2017", "calendar"],
    ["2026-06-03T02:32:45.385947-04:00", "calendar"],
    ["08:56:10, up 0 min", "boot"],
    ["19:14:32, up 6 days, 7:46", "boot"],
    ["515.958093 s after boot", "boot"],
    ["10:53:32", "day"],
  ])("%s is of the scale %s", (text, scale) => expect(parseSampleTime(text)?.scale).toBe(scale));

  it("counts since boot in milliseconds", () => {
    expect(parseSampleTime("11:21:30, up 6 days, 23:53")?.ms).toBe((6 * 24 + 23) * 3_600_000 + 53 * 60_000);
    expect(parseSampleTime("11:03:12, up  2:07")?.ms).toBe(127 * 60_000);
  });

  it("is not known of words", () => expect(parseSampleTime("some hours later")).toBeUndefined());
});

describe("the order of samples", () => {
  const order = (...at: (string | undefined)[]) =>
    orderInTime(at.map((each, place) => ({ at: each, place }))).map(({ sample, hours }) => [
      sample.place,
      hours,
    ]);

  it("is that of time, whatever that of the text", () => {
    expect(order("2016-09-10 10:00:00", "2016-09-10 12:00:00", "2016-09-10 11:00:00")).toEqual([
      [0, 0],
      [2, 1],
      [1, 2],
    ]);
  });

  it("is that of the text where a time is missing", () => {
    expect(order("2016-09-10 10:00:00", undefined)).toEqual([
      [0, undefined],
      [1, undefined],
    ]);
  });

  it("begins anew at a reboot", () => {
    expect(order("10:00:00, up 9 days, 1:00", "11:00:00, up 5 min", "12:00:00, up  1:05")).toEqual([
      [1, 0],
      [2, 1],
    ]);
  });
});
