import { describe, expect, it } from "vitest";

import { readTreeFile } from "../../../scripts/testing/fixture-trees.ts";
import { parseVmstat } from "./vmstat.ts";

describe("parseVmstat", () => {
  it("keeps every counter of a 6.18 kernel", () => {
    const text = readTreeFile("6.18-debian12-x86_64", "proc/vmstat") ?? "";
    const { value, warnings } = parseVmstat(text);
    expect(warnings).toEqual([]);
    expect(value.values.size).toBe(text.trimEnd().split("\n").length);
    expect([...value.values].map(([key, number]) => `${key} ${number}\n`).join("")).toBe(text);
  });

  it("leaves out what is cut, wrapped or not a counter, and says so", () => {
    const { value, warnings } = parseVmstat(
      "nr_free_pages 10\nnr_dirty 18446744073709551615\nnr_x\nnr_y 1 2\nnr_free_pages 11\nnr_z 12",
    );
    expect([...value.values]).toEqual([["nr_free_pages", 10]]);
    expect(warnings.map((each) => [each.lineNumber, each.expected])).toEqual([
      [2, "a key and an integer below 2^53"],
      [3, "a key and an integer below 2^53"],
      [4, "a key and an integer below 2^53"],
      [5, "each key once"],
      [6, "a line end: the last number may be cut"],
    ]);
  });
});
