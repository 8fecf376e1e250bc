import { describe, expect, test } from "vitest";
import {
  SAMPLE_NOW_MS,
  sampleAnnotation,
  sampleEffect,
  sampleTrend,
} from "../../scripts/testing/chart-samples.ts";
import { toCsv } from "#lib/contracts/csv.ts";
import { effectRows, flagText, flagWidthPx, marksOf, whiskerDomain } from "./marks-model.ts";
import { nodeAnswer } from "./node-answer.ts";
import { sparkline } from "./sparkline.ts";
import { effectVerdictText } from "./verdict.ts";

const view = { zone: "UTC", nowMs: SAMPLE_NOW_MS };
const window = { fromMs: SAMPLE_NOW_MS - 86_400_000, toMs: SAMPLE_NOW_MS };

describe("effectVerdictText", () => {
  test.each([
    [{ slopeVerdict: "unchanged", levelVerdict: "none" }, "no effect"],
    [{ slopeVerdict: "unchanged", levelVerdict: "inconclusive" }, "slope unchanged"],
    [{ slopeVerdict: "stopped", levelVerdict: "none" }, "stopped, memory not given back"],
    [{ slopeVerdict: "too-early", levelVerdict: "freed" }, "too early to tell"],
    [{ slopeVerdict: "inconclusive", levelVerdict: "none" }, "inconclusive"],
  ] as const)("%o", (verdicts, word) => {
    expect(effectVerdictText(sampleEffect(verdicts)).word).toBe(word);
  });

  test("an amount that came back at once is said", () => {
    const freed = sampleEffect({
      slopeVerdict: "unchanged",
      levelVerdict: "freed",
      levelChange: { value: -6246 * 1024, ci95: [-6290 * 1024, -6202 * 1024] },
    });
    expect(effectVerdictText(freed)).toEqual({ word: "freed 6.10\u00a0GiB at once", tone: "ok" });
  });
});

test("marks are numbered by time, with their effects, and only those of the window", () => {
  const marks = marksOf(
    [
      sampleAnnotation({ annotationId: 3, at: SAMPLE_NOW_MS - 60_000 }),
      sampleAnnotation(),
      sampleAnnotation({ annotationId: 9, at: SAMPLE_NOW_MS - 90_000_000 }),
      sampleAnnotation({
        annotationId: 4,
        at: SAMPLE_NOW_MS - 90_000_000,
        endsAt: SAMPLE_NOW_MS - 80_000_000,
      }),
    ],
    [sampleEffect()],
    window,
  );
  expect(marks.map((mark) => [mark.number, mark.annotation.annotationId, mark.verdict?.word])).toEqual([
    [1, 4, undefined],
    [2, 1, "stopped, memory not given back"],
    [3, 3, undefined],
  ]);
});

test("the table of effects gives estimate and interval, and what is missing", () => {
  const marks = marksOf(
    [sampleAnnotation(), sampleAnnotation({ annotationId: 2, at: SAMPLE_NOW_MS - 600_000 })],
    [
      sampleEffect(),
      sampleEffect({
        annotationId: 2,
        slopeVerdict: "too-early",
        after: { from: 0, to: 1, n: 2, slopePerHour: null, ci95: null },
        slopeChange: null,
        levelChange: null,
        enoughAt: SAMPLE_NOW_MS + 4_800_000,
      }),
    ],
    window,
  );
  const [first, second] = effectRows(marks, view);
  expect(first).toMatchObject({
    when: "04:20",
    before: { value: "312", interval: "298–327" },
    after: { value: "4", interval: "−6 to 13" },
    slopeChange: { value: "−308", interval: "−325 to −291" },
  });
  expect(second?.after).toBeUndefined();
  expect(second?.pending).toBe("due 15:40 UTC");
  const [low, high] = whiskerDomain(effectRows(marks, view));
  expect(low).toBeLessThan(-6);
  expect(high).toBeGreaterThan(327);
});

describe("what a mark without a verdict lacks", () => {
  const none = { from: 0, to: 0, n: 0, slopePerHour: null, ci95: null };
  const side = (n: number, minutes: number) => ({ ...none, to: minutes * 60_000, n });
  const known = {
    from: 0,
    to: 330_000,
    n: 22,
    slopePerHour: 1024,
    ci95: [-9000, 11_000] as [number, number],
  };
  const pending = (before: typeof none | typeof known, after: typeof none | typeof known) => {
    const lacking = sampleEffect({
      slopeVerdict: "inconclusive",
      levelVerdict: "inconclusive",
      before,
      after,
      enoughAt: null,
    });
    return effectRows(marksOf([sampleAnnotation()], [lacking], window), view)[0]?.pending;
  };

  test.each([
    ["before all data", none, side(71, 300), "no data before"],
    ["soon after the first data", side(4, 1), side(71, 300), "4 of 12 points before"],
    ["on a node that samples often", side(40, 3), side(71, 300), "3 min of 5 min before"],
    ["at the end of the data", known, none, "no data after"],
    ["shortly before the next mark", known, side(7, 2), "7 of 10 points after"],
  ])("%s", (_, before, after, text) => {
    expect(pending(before, after)).toBe(text);
  });

  test("no wait helps where the side before is what is uncertain", () => {
    const sure = { ...known, n: 60, to: 900_000, ci95: [500, 1500] as [number, number] };
    expect(pending(known, sure)).toBe("the 6 min before are too little to tell");
    expect(pending(sure, known)).toBe("");
  });
});

test("a title that would turn the line around is shown without that", () => {
  const [mark] = marksOf([sampleAnnotation({ title: "\u202edeppots" })], [], window);
  expect(mark?.title).toBe("deppots");
  expect(mark && flagText(mark, "UTC").title).toBe("deppots");
  expect(mark?.annotation.title).toBe("\u202edeppots");
});

test("the answer is the newest mark that told something, with the trend below it", () => {
  const marks = marksOf([sampleAnnotation()], [sampleEffect()], window);
  const { sentence, below } = nodeAnswer(sampleTrend(), marks, view);
  expect(sentence).toBe(sampleEffect().text);
  expect(below).toMatch(/^Looked at anew over .+ before and .+ after the mark\. /);
  expect(below.endsWith(sampleTrend().text)).toBe(true);
  const quiet = marksOf([sampleAnnotation()], [sampleEffect({ slopeVerdict: "unchanged" })], window);
  expect(nodeAnswer(sampleTrend(), quiet, view).sentence).toBe(sampleTrend().text);
});

test("no moment that has passed is promised", () => {
  const early = (enoughAt: number) =>
    nodeAnswer(
      sampleTrend({
        exhaustion: { what: "memory", at: enoughAt, ci95: [enoughAt, null] },
      }),
      marksOf([sampleAnnotation()], [sampleEffect({ slopeVerdict: "too-early", enoughAt })], window),
      view,
    ).below;
  expect(early(SAMPLE_NOW_MS + 3_600_000)).toMatch(/memory runs out in .*too early to tell, due /);
  expect(early(SAMPLE_NOW_MS - 60_000)).not.toMatch(/runs out|due/);
});

test("a slope that changed leads, and what was freed later stands below", () => {
  const marks = marksOf(
    [
      sampleAnnotation(),
      sampleAnnotation({ annotationId: 2, at: SAMPLE_NOW_MS - 600_000, title: "Files removed" }),
    ],
    [
      sampleEffect(),
      sampleEffect({
        annotationId: 2,
        slopeVerdict: "inconclusive",
        levelVerdict: "freed",
        levelChange: { value: -6_400_000, ci95: [-6_500_000, -6_300_000] },
        text: "second",
      }),
    ],
    window,
  );
  const answer = nodeAnswer(sampleTrend(), marks, view);
  expect(answer.sentence).toBe(sampleEffect().text);
  expect(answer.below).toContain("Files removed");
  expect(answer.below).toMatch(/freed 6\.10\sGiB at once/);
});

test("long titles are cut and wide scripts get wide flags", () => {
  const [mark] = marksOf([sampleAnnotation({ title: "x".repeat(200) })], [], window);
  expect(mark && flagText(mark, "UTC").title).toHaveLength(36);
  expect(flagWidthPx({ when: "1 04:15", title: "日本語日本語", verdict: "" })).toBeGreaterThan(90);
});

test("a sparkline stays flat for noise and breaks at gaps", () => {
  const size = { widthPx: 80, heightPx: 20, least: 512 };
  const noise = sparkline([0, 1, 2], [1000, 1001, 1000], size).path;
  expect(noise.match(/\d+\.\d$/)?.[0]).toBe("10.0");
  expect(sparkline([0, 1, 2, 3], [1, null, 3, 4], size).path.match(/M/g)).toHaveLength(2);
  expect(sparkline([], [], size)).toEqual({ path: "", last: undefined });
});

test("CSV quotes what needs it and defuses formulas", () => {
  expect(
    toCsv({
      columns: ["a", 'b "c"'],
      rows: [
        [1.5, '=cmd|"x"'],
        [null, "x,y"],
      ],
    }),
  ).toBe('a,"b ""c"""\r\n1.5,"\'=cmd|""x"""\r\n,"x,y"\r\n');
});
