import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { fixtureTrees, goldenPath, goldenText } from "../../../scripts/testing/fixture-trees.ts";

/** On purpose changed? `npm run fixtures:refresh`, and read the difference. */
describe("the golden compositions", () => {
  it.each(fixtureTrees())("hold for %s", (tree) => {
    expect(existsSync(goldenPath(tree)), "no golden file").toBe(true);
    expect(goldenText(tree)).toBe(readFileSync(goldenPath(tree), "utf8"));
  });

  it("stand for a tree each", () => {
    const names = readdirSync(path.dirname(goldenPath("")))
      .filter((file) => file.endsWith(".json"))
      .map((file) => file.replace(/\.json$/, ""));
    expect(names.sort()).toEqual(fixtureTrees());
  });
});
