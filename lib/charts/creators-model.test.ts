import { expect, test } from "vitest";
import type { CreatorList } from "#lib/contracts/creators.ts";
import { creatorsModel } from "./creators-model.ts";

const NONE: CreatorList = {
  from: 0,
  to: 1,
  coveredMs: 0,
  seen: 0,
  made: 0,
  creators: [],
  more: 0,
  startedBy: null,
  text: "",
};

test("a collector that told nothing is not taken for one that saw nothing", () => {
  const titleOf = (seen: number | null) => creatorsModel({ ...NONE, seen }, "containers.started").emptyTitle;
  expect(titleOf(0)).toBe("No new container was seen");
  expect(titleOf(null)).toBe("Who creates containers was not reported");
});
