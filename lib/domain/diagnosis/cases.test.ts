import { expect, it } from "vitest";

import { readCases } from "../../../scripts/testing/read-cases.ts";

const results = readCases();
const named = (wrong: (result: (typeof results)[number]) => boolean) =>
  results.filter(wrong).map(({ name }) => name);

it("reads the verdict of every real dump rightly", () => {
  expect(results.length).toBeGreaterThanOrEqual(44);
  expect(named(({ verdictIsRight }) => !verdictIsRight)).toEqual([]);
});

it("names the first suspect of every real dump rightly", () => {
  expect(named(({ suspectIsRight }) => !suspectIsRight)).toEqual([]);
});

it("is sure of growth of none of them: a paste has no trend of a day", () => {
  const firm = results.flatMap(({ explanation }) =>
    explanation.findings.filter(({ certainty }) => certainty === "firm"),
  );
  expect(firm.map(({ kind }) => kind).filter((kind) => kind === "leak")).toEqual([]);
});

it("asks for something wherever it does not know, and for nothing where it does", () => {
  for (const { name, explanation } of results) {
    if (explanation.verdict === "unclear") expect(explanation.askNext, name).toBeDefined();
    if (explanation.verdict === "not-a-leak") expect(explanation.askNext, name).toBeUndefined();
  }
});
