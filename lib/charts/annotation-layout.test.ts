import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { layoutFlags, layoutNumbers, layoutSpans, mergeSpans } from "./annotation-layout.ts";
import type { FlagInput, FlagPlace } from "./annotation-layout.ts";

const flag = fc.record({
  xPx: fc.integer({ min: 0, max: 1000 }),
  widthPx: fc.integer({ min: 30, max: 260 }),
});
const sorted = (flags: FlagInput[]) => flags.toSorted((a, b) => a.xPx - b.xPx);

function faults(flags: readonly FlagInput[], places: readonly FlagPlace[]): string[] {
  const found: string[] = [];
  places.forEach((a, i) => {
    const pole = flags[i]?.xPx ?? NaN;
    if (a.leftPx < 0 || a.rightPx > 1000) found.push(`${i} leaves the plot`);
    if (a.leftPx !== pole && a.rightPx !== pole) found.push(`${i} does not touch its pole`);
    places.forEach((b, j) => {
      if (i >= j && a.row === b.row && i !== j && a.leftPx < b.rightPx && b.leftPx < a.rightPx)
        found.push(`${i} and ${j} overlap`);
      if (a.row > b.row && pole > b.leftPx && pole < b.rightPx)
        found.push(`the pole of ${i} runs through the flag of ${j}`);
    });
  });
  return found;
}

describe("layoutFlags", () => {
  test("no flag overlaps another and no pole runs through another's flag", () => {
    let laidOut = 0;
    fc.assert(
      fc.property(fc.array(flag, { maxLength: 9 }), (input) => {
        const flags = sorted(input);
        const places = layoutFlags(flags, 0, 1000);
        if (!places) return;
        laidOut++;
        expect(places).toHaveLength(flags.length);
        expect(faults(flags, places)).toEqual([]);
      }),
      { numRuns: 500 },
    );
    expect(laidOut).toBeGreaterThan(250);
  });

  test("takes the fewest rows: with one row less there is no layout", () => {
    fc.assert(
      fc.property(fc.array(flag, { minLength: 2, maxLength: 6 }), (input) => {
        const flags = sorted(input);
        const places = layoutFlags(flags, 0, 1000);
        if (!places) return;
        const rows = Math.max(...places.map((place) => place.row)) + 1;
        if (rows > 1) expect(layoutFlags(flags, 0, 1000, rows - 1)).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });

  test("flags that fit in one row stay in one row, to the right of their poles", () => {
    const places = layoutFlags(
      [
        { xPx: 10, widthPx: 100 },
        { xPx: 200, widthPx: 100 },
      ],
      0,
      1000,
    );
    expect(places?.map(({ row, side }) => [row, side])).toEqual([
      [0, "right"],
      [0, "right"],
    ]);
  });

  test("two marks at one moment share a pole", () => {
    const flags = [
      { xPx: 500, widthPx: 100 },
      { xPx: 500, widthPx: 120 },
    ];
    expect(faults(flags, layoutFlags(flags, 0, 1000) ?? [])).toEqual([]);
    expect(layoutFlags(flags, 0, 1000)).toHaveLength(2);
  });

  test("says so when there is no room", () => {
    const crowd = Array.from({ length: 12 }, (_, index) => ({ xPx: 480 + index * 4, widthPx: 200 }));
    expect(layoutFlags(crowd, 0, 1000)).toBeUndefined();
    expect(layoutFlags([{ xPx: 50, widthPx: 200 }], 0, 120)).toBeUndefined();
  });

  test("a crowded window does not hang it", () => {
    const crowd = Array.from({ length: 16 }, (_, index) => ({ xPx: 60 * index, widthPx: 190 }));
    const begun = performance.now();
    layoutFlags(crowd, 0, 1000);
    expect(performance.now() - begun).toBeLessThan(2000);
  });
});

const span = fc
  .tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 200 }))
  .map(([fromPx, widthPx]) => ({ fromPx, toPx: fromPx + widthPx }));

describe("layoutSpans", () => {
  test("no two in a row touch, and there are only as many rows as lie over one another somewhere", () => {
    fc.assert(
      fc.property(fc.array(span, { minLength: 1, maxLength: 14 }), (spans) => {
        const rows = layoutSpans(spans, 2);
        spans.forEach((a, i) =>
          spans.forEach((b, j) => {
            if (i < j && rows[i] === rows[j])
              expect(a.toPx + 2 <= b.fromPx || b.toPx + 2 <= a.fromPx).toBe(true);
          }),
        );
        const deepest = Math.max(
          ...spans.map(
            ({ fromPx }) => spans.filter((each) => each.fromPx <= fromPx && fromPx < each.toPx + 2).length,
          ),
        );
        expect(Math.max(...rows) + 1).toBe(deepest);
      }),
    );
  });
});

describe("mergeSpans", () => {
  test("covers just what the stretches cover, each pixel once", () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 14 }), fc.integer({ min: 0, max: 700 }), (spans, at) => {
        const covers = ({ fromPx, toPx }: (typeof spans)[number]) => fromPx <= at && at < toPx;
        const merged = mergeSpans(spans);
        expect(merged.filter(covers)).toHaveLength(spans.some(covers) ? 1 : 0);
      }),
    );
  });
});

describe("layoutNumbers", () => {
  test("numbers never touch, keep their order and none is lost", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 40 }), (poles) => {
        const ordered = poles.toSorted((a, b) => a - b);
        const places = layoutNumbers(ordered, 20);
        expect(places.flatMap(({ first, last }) => [first, last])).toEqual(
          places.flatMap(({ first, last }) => [first, last]).toSorted((a, b) => a - b),
        );
        expect(places.reduce((sum, { first, last }) => sum + last - first + 1, 0)).toBe(poles.length);
        places.forEach((place, index) => {
          const next = places[index + 1];
          if (next) expect(next.xPx - place.xPx).toBeGreaterThanOrEqual(20);
        });
      }),
    );
  });
});
