import { expect, test } from "vitest";
import { importLosses } from "./import-losses.ts";

test("says what was left out, and why; nothing of what was not", () => {
  const none = { ownCollector: 0, tooOld: 0, incomplete: {} };
  expect(importLosses(none)).toEqual([]);
  expect(importLosses({ ...none, ownCollector: 1, incomplete: { node_boot_time_seconds: 1200 } })).toEqual([
    "1 moment left out: the node's own collector reports from then on.",
    "1,200 moments left out: there is no node_boot_time_seconds, without which there is no snapshot.",
  ]);
});
