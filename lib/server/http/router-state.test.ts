import { expect, it } from "vitest";
import { isRouterState } from "./router-state.ts";

const encoded = (value: unknown) => encodeURIComponent(JSON.stringify(value));
const page = [
  "",
  { children: ["(fleet)", { children: ["__PAGE__", {}, null, null] }, null, "refetch"] },
  null,
  null,
  16,
];

it.each([
  ["no header", undefined],
  ["the state of a first page", encoded(page)],
  ["a segment with a parameter", encoded(["", { children: [["nodeId", "7", "d", null], {}] }])],
  ["a segment with siblings", encoded(["", { children: [["nodeId", "7", "d", ["new"]], {}] }])],
  ["JSON without escapes", JSON.stringify(["", {}])],
])("lets %s pass", (_, header) => {
  expect(isRouterState(header)).toBe(true);
});

it.each([
  ["words", "x"],
  ["nothing", ""],
  ["a broken escape", "%5B%22%ZZ"],
  ["JSON cut short", encoded(page).slice(0, -6)],
  ["a number", "7"],
  ["an object", encoded({ children: page })],
  ["an empty array", "[]"],
  ["an array of other things", encoded([1, 2])],
  ["a state that holds a wrong one", encoded(["", { children: [{}, {}] }])],
  ["too many parts", encoded(["", {}, null, null, null, "", 1])],
  ["two states in one line", `${encoded(page)}, ${encoded(page)}`],
  ["a tree of 200,000 levels", "[".repeat(200_000)],
  ["a list of headers", [encoded(page)]],
])("refuses %s", (_, header) => {
  expect(isRouterState(header)).toBe(false);
});
