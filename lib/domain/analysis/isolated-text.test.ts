import fc from "fast-check";
import { expect, test } from "vitest";
import { isolatedText } from "./isolated-text.ts";

test("ordinary text stays as it is", () => {
  expect(isolatedText("CRI-O neu gestartet \u65e5\u672c\u8a9e \ud83d\ude80")).toBe(
    "CRI-O neu gestartet \u65e5\u672c\u8a9e \ud83d\ude80",
  );
});

test("an override that would turn the rest of the line around is taken out", () => {
  expect(isolatedText("\u202egnp.exe\u2067 x")).toBe("gnp.exe x");
});

test("right-to-left text keeps its order to itself", () => {
  expect(isolatedText("\u05d0\u05d1 1")).toBe("\u2068\u05d0\u05d1 1\u2069");
});

test("whatever is written, isolates open and close in pairs and nothing else directs", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
      const shown = isolatedText(text);
      const marks = shown.match(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g) ?? [];
      expect(["", "\u2068\u2069"]).toContain(marks.join(""));
    }),
    { seed: 20261130, numRuns: 300 },
  );
});
