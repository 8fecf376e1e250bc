import { expect, test } from "vitest";
import { sampleAnnotation } from "../../scripts/testing/chart-samples.ts";
import { filterChoices, narrows, passes, readMarkFilter, toggled } from "./mark-filter.ts";

const of = (query: string) => {
  const parameters = new URLSearchParams(query);
  return readMarkFilter((name) => parameters.getAll(name));
};
const marks = [
  sampleAnnotation({ tags: ["cri-o", "prod"] }),
  sampleAnnotation({ kind: "deploy", tags: ["prod"] }),
  sampleAnnotation({ kind: "reboot", madeBy: "machine" }),
];

test.each([
  ["", 3],
  ["kind=deploy", 1],
  ["kind=deploy&kind=reboot", 2],
  ["tag=prod", 2],
  ["tag=prod&tag=cri-o", 1],
  ["kind=deploy&tag=cri-o", 0],
])("%j shows %i marks", (query, count) => {
  const { filter, faults } = of(query);
  expect(faults).toEqual([]);
  expect(narrows(filter)).toBe(query !== "");
  expect(marks.filter((mark) => passes(filter, mark))).toHaveLength(count);
});

test("a word that is no kind narrows nothing and is told", () => {
  const { filter, faults } = of(`kind=party&tag=${"x".repeat(65)}&tag=%00`);
  expect(filter).toEqual({ kinds: [], tags: [] });
  expect(faults.map(({ name, given }) => [name, given])).toEqual([["kind", "party"]]);
});

test("what is chosen stays to be chosen, also where no mark has it", () => {
  const { kinds, tags } = filterChoices(marks, { kinds: ["incident"], tags: ["gone"] });
  expect(kinds).toContainEqual({ value: "incident", count: 0, on: true });
  expect(tags).toEqual([
    { value: "prod", count: 2, on: false },
    { value: "cri-o", count: 1, on: false },
    { value: "gone", count: 0, on: true },
  ]);
  expect(toggled(toggled(["a"], "b"), "a")).toEqual(["b"]);
});
