import { describe, expect, it } from "vitest";
import {
  copiedCompareRange,
  fixedRangesPath,
  pastedRangesPath,
  readCompareRanges,
  zoomedRangesPath,
} from "./compare-range.ts";

const NOW_MS = Date.parse("2026-12-03T14:00:00Z");
const HOUR_MS = 3_600_000;
const EARLIER = "a=1&b=1&from=now-6h&to=now&a.from=now-6h-1d&a.to=now-1d&timezone=utc";

function rangesOf(query: string) {
  const ranges = readCompareRanges(query, NOW_MS, "UTC");
  if (ranges === undefined) throw new Error(`no ranges in ${query}`);
  return ranges;
}
const hoursOf = (path: string) => {
  const { a, b } = rangesOf(path.slice(path.indexOf("?") + 1));
  return [a, b].map(({ window }) => [window.fromMs, window.toMs].map((ms) => (ms - NOW_MS) / HOUR_MS));
};

describe("the ranges of a comparison", () => {
  it("are read as the server reads them, and there are none of a boot or a mark", () => {
    expect(hoursOf(`/compare?${EARLIER}`)).toEqual([
      [-30, -24],
      [-6, 0],
    ]);
    expect(hoursOf("/compare?a=1&b=2")).toEqual([
      [-6, 0],
      [-6, 0],
    ]);
    expect(readCompareRanges("a=1&b=1&align=boot", NOW_MS, "UTC")).toBeUndefined();
    expect(readCompareRanges("a=1&b=1&from=nonsense", NOW_MS, "UTC")).toBeUndefined();
  });
  it("become moments, on both sides", () => {
    const path = fixedRangesPath(EARLIER, rangesOf(EARLIER));
    expect(path).not.toContain("now");
    expect(hoursOf(path)).toEqual(hoursOf(`/compare?${EARLIER}`));
    expect(path).toContain("a=1&b=1&timezone=utc");
  });
  it("grow and shrink together", () => {
    expect(hoursOf(zoomedRangesPath(EARLIER, rangesOf(EARLIER), 0.5, NOW_MS))).toEqual([
      [-28.5, -25.5],
      [-4.5, -1.5],
    ]);
    // Side B cannot reach ahead of now; side A stays a day before it.
    expect(hoursOf(zoomedRangesPath(EARLIER, rangesOf(EARLIER), 2, NOW_MS))).toEqual([
      [-36, -24],
      [-12, 0],
    ]);
    const same = "a=1&b=2&from=now-12h&to=now-6h";
    expect(zoomedRangesPath(same, rangesOf(same), 2, NOW_MS)).not.toContain("a.from");
  });
  it("take a pasted range, side A at its distance", () => {
    const pasted = { from: "now-3h", to: "now-1h" };
    const path = pastedRangesPath(EARLIER, rangesOf(EARLIER), pasted, NOW_MS, "UTC") ?? "";
    expect(hoursOf(path)).toEqual([
      [-27, -25],
      [-3, -1],
    ]);
    expect(path).toContain("from=now-3h&");
    const same = "a=1&b=2";
    expect(pastedRangesPath(same, rangesOf(same), pasted, NOW_MS, "UTC")).toBe(
      "/compare?a=1&b=2&from=now-3h&to=now-1h",
    );
  });
  it("are copied as those of a node", () => {
    expect(copiedCompareRange(rangesOf(EARLIER))).toBe('{"from":"now-6h","to":"now"}');
  });
});
