import { describe, expect, it } from "vitest";
import { readPaste } from "#lib/domain/diagnosis/read-paste.ts";
import { DUMP_EXAMPLES } from "./dump-examples.ts";
import {
  bandRows,
  differenceRows,
  dumpAnswer,
  keyNumberText,
  sampleColumns,
  totalRow,
} from "./dump-model.ts";

const example = (words: string) => {
  const found = DUMP_EXAMPLES.find(({ title }) => title.includes(words));
  if (!found) throw new Error(`no example ${words}`);
  return readPaste(found.text);
};
const week = example("a week");
const quiet = example("quiet");

describe("a reading in one sentence", () => {
  it("gives verdict, holder, amount and signature", () => {
    expect(dumpAnswer(week.explanation)).toMatch(/^A leak: slab-unreclaimable, 18\.8\sGiB\./);
    expect(dumpAnswer(quiet.explanation)).toBe("Not a leak: nothing is out of the ordinary.");
    expect(dumpAnswer(readPaste("our nodes die").explanation)).toBe("Nothing in this text was recognised.");
  });
});

describe("the bar of a composition", () => {
  it("has all of memory, unless a band is below zero", () => {
    const record = quiet.explanation.composition;
    if (!record) throw new Error("no composition");
    expect(bandRows(record).reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(1, 12);
    const negative = {
      ...record,
      bands: [...record.bands.slice(0, -1), { key: "unacc", label: "unaccounted", kib: -9 }],
    };
    expect(bandRows(negative).at(-1)).toMatchObject({ kib: "−9", part: 0 });
  });
});

describe("the difference of two compositions", () => {
  const [first, last] = [week.samples[0]?.composition, week.samples.at(-1)?.composition];
  if (!first || !last) throw new Error("no samples");

  it("marks the bands that changed most, and says which are not reported", () => {
    const rows = differenceRows(first, last);
    expect(rows.filter(({ large }) => large).map(({ key }) => key)).toEqual(["free", "sunrecl"]);
    const [free] = first.bands;
    const without = { ...first, bands: first.bands.filter(({ key }) => key !== "percpu") };
    expect(free?.key).toBe("free");
    expect(differenceRows(without, last).find(({ key }) => key === "percpu")).toMatchObject({
      before: "not reported",
      change: "–",
    });
  });
});

describe("the last row of a difference", () => {
  it("is all memory, which the bands add up to", () => {
    const [record] = week.samples.map(({ composition }) => composition);
    if (!record) throw new Error("no sample");
    expect(totalRow(record, { ...record, totalKib: record.totalKib + 1024 }).change).toMatch(
      /^\+1\.00\sMiB$/,
    );
    expect(totalRow(record, record).change).toBe("0");
  });
});

describe("samples as columns", () => {
  it("stand on one scale, with what is below zero below it", () => {
    const { columns, zero, description } = sampleColumns(week.samples, true);
    expect(zero).toBe(0);
    expect(columns).toHaveLength(4);
    expect(Math.max(...columns.flatMap(({ parts }) => parts.map(({ to }) => to)))).toBeCloseTo(1, 12);
    expect(description).toContain("4 samples");
    const [sample] = week.samples;
    if (!sample) throw new Error("no samples");
    const bands = [
      { key: "sunrecl", label: "", kib: 300 },
      { key: "unacc", label: "", kib: -100 },
    ];
    const model = sampleColumns([{ ...sample, composition: { totalKib: 200, bands, notes: [] } }], true);
    expect(model.zero).toBe(0.25);
    expect(model.columns[0]?.parts).toEqual([
      { key: "unacc", from: 0, to: 0.25 },
      { key: "sunrecl", from: 0.25, to: 1 },
    ]);
  });
});

describe("key numbers", () => {
  it("carry the unit of their name", () => {
    expect(keyNumberText("MemFree", 12_345)).toBe("12,345 KiB");
    expect(keyNumberText("cgroups_memory_count", 286_151)).toBe("286,151");
    expect(keyNumberText("hit_percent", 12.34)).toBe("12.3 %");
    expect(keyNumberText("x_bytes", 7)).toBe("7 bytes");
    expect(keyNumberText("used_approx", 1024)).toBe("≈ 1,024 KiB");
  });
});
