import { describe, expect, it } from "vitest";
import { insufficient } from "#lib/domain/statistics/insufficient.ts";
import { lackingText } from "./lacking-text.ts";

describe("lackingText", () => {
  it.each([
    ["points", 12, 1, "1 point, 12 needed"],
    ["points", 12, 0, "0 points, 12 needed"],
    ["points before the mark", 12, 1.9, "1 point before the mark, 12 needed"],
    ["minutes of data", 30, 1, "1 minute of data, 30 needed"],
    ["independent columns in the design", 2, 1, "1 independent column in the design, 2 needed"],
    ["treated nodes with an estimate", 2, 1, "1 treated node with an estimate, 2 needed"],
    [
      "percent of the common stretch with samples",
      50,
      1,
      "1 percent of the common stretch with samples, 50 needed",
    ],
    [
      "containers started in this window",
      1200,
      1100,
      "1,100 containers started in this window, 1,200 needed",
    ],
  ])("says how many %s there are", (reason, needed, had, text) => {
    expect(lackingText(insufficient(reason, needed, had))).toBe(text);
  });
  it("says whose they are", () => {
    expect(lackingText(insufficient("points in the common stretch", 24, 7), " on side B")).toBe(
      "7 points in the common stretch on side B, 24 needed",
    );
  });
});
