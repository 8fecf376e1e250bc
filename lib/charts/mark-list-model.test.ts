import { expect, test } from "vitest";
import { SAMPLE_NOW_MS, sampleAnnotation } from "../../scripts/testing/chart-samples.ts";
import { markRows } from "./mark-list-model.ts";

test("a line says when, for how long, where, and whether it may be changed", () => {
  const names = new Map([
    [7, "ceria"],
    [8, "\u202ebia"],
  ]);
  const [moment, stretch, gone, brief] = markRows(
    [
      sampleAnnotation(),
      sampleAnnotation({
        endsAt: SAMPLE_NOW_MS - 9 * 3_600_000,
        scope: { labels: { zone: "a" } },
        nodeIds: [7, 8, 9, 10, 11],
        title: "<b>\u202ex</b>",
      }),
      sampleAnnotation({ madeBy: "machine", nodeIds: [], scope: {}, deletedAt: SAMPLE_NOW_MS }),
      sampleAnnotation({ endsAt: sampleAnnotation().at }),
    ],
    (nodeId) => names.get(nodeId),
    { zone: "UTC", nowMs: SAMPLE_NOW_MS },
  );
  expect(moment).toMatchObject({
    when: "04:20 UTC",
    length: "",
    where: "ceria",
    isEditable: true,
  });
  expect(moment?.href).toMatch(/^\/nodes\/7\?from=\d+&to=\d+$/);
  // One that ends as it begins is a moment too, not "for 0 s".
  expect(brief?.length).toBe("");
  expect(stretch).toMatchObject({
    length: "for 60 min",
    where: "nodes with zone=a: ceria, bia, #9 and 2 more",
    title: "<b>x</b>",
  });
  expect(gone).toMatchObject({ where: "all nodes", href: undefined, isEditable: false });
  expect(gone?.gone).toBe("taken away 14:20 UTC");
});
