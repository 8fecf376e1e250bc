import { readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { fixtureTrees, goldenPath, goldenText } from "./testing/fixture-trees.ts";

/**
 * Rewrites fixtures/golden from fixtures/trees and removes what no tree stands behind. Read the difference before
 * committing it: it is what a change of the parsers or of the composition does to real machines.
 */
const trees = fixtureTrees();
for (const tree of trees) writeFileSync(goldenPath(tree), goldenText(tree));

const wanted = new Set(trees.map((tree) => path.basename(goldenPath(tree))));
const folder = path.dirname(goldenPath(""));
for (const file of readdirSync(folder)) {
  if (file.endsWith(".json") && !wanted.has(file)) rmSync(path.join(folder, file));
}

console.log(`${trees.length} golden files written`);
