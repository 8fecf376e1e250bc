import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJsonError } from "./json-position.ts";

describe("where JSON breaks", () => {
  it.each([
    ["", 1, 1, "a value"],
    ["{", 1, 2, 'a name in quotes and ":"'],
    ['{"a":1,}', 1, 8, 'a name in quotes and ":"'],
    ['{"a":}', 1, 6, "a value"],
    ['{"a" 1}', 1, 6, 'a name in quotes and ":"'],
    ['{"a":1 "b":2}', 1, 8, '"," or "}"'],
    ['{\n  "a": 1,\n  "b": tru\n}', 3, 8, "a value"],
    ["[1,2", 1, 5, '"," or "]"'],
    ["[01]", 1, 2, "a value"],
    ["1 2", 1, 3, "the end of the text"],
    ['{"node":"a', 1, 9, "a value"],
    ["[1.]", 1, 2, "a value"],
  ])("%j", (text, line, column, expected) => {
    expect(findJsonError(text)).toEqual({ line, column, expected });
  });

  it("does not trip over a million open brackets", () => {
    expect(findJsonError("[".repeat(1_000_000))).toEqual({ line: 1, column: 1_000_001, expected: "a value" });
  });

  it("passes once over a string that never ends", () => {
    const text = `{"a":"${"x\\n".repeat(4_000_000)}`;
    expect(findJsonError(text)).toEqual({ line: 1, column: 6, expected: "a value" });
    expect(findJsonError(`["${"x".repeat(16_000_000)}`)).toMatchObject({ line: 1, column: 2 });
  });

  it("points inside any text that JSON.parse refuses, and behind any that it takes", () => {
    const mutated = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom("", ",", "}", "]", '"', "{", "x", "\n", "\\"))
      .map(([text, where, insert]) => {
        const at = where % (text.length + 1);
        return text.slice(0, at) + insert + text.slice(at + 1);
      });
    fc.assert(
      fc.property(fc.oneof(fc.json(), mutated, fc.string()), (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        const { line, column, expected } = findJsonError(text);
        const lines = text.split("\n");
        const position =
          lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
        expect(position).toBeLessThanOrEqual(text.length);
        expect(expected === "the end of the text" && position === text.length).toBe(valid);
      }),
      { numRuns: 2000 },
    );
  });
});
