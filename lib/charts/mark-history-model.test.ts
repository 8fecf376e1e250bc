import { expect, test } from "vitest";
import { SAMPLE_NOW_MS, sampleAnnotation } from "../../scripts/testing/chart-samples.ts";
import { historyRows } from "./mark-history-model.ts";

test("the newest version stands first, with what it changed and what stood before", () => {
  const { at, endsAt, scope, nodeIds, controls, controlNodeIds, kind, title, text, tags } =
    sampleAnnotation();
  const mark = { at, endsAt, scope, nodeIds, controls, controlNodeIds, kind, title, text, tags };
  const version = (minutes: number, change: object = {}) => ({
    at: SAMPLE_NOW_MS + minutes * 60_000,
    by: "r.hale",
    changed: [],
    mark: { ...mark, ...change },
  });
  const later = { title: "\u202estopped", scope: { labels: { zone: "a" } }, nodeIds: [1, 2] };
  const rows = historyRows(
    {
      annotationId: 1,
      deletedAt: SAMPLE_NOW_MS,
      versions: [
        { ...version(0), action: "created" },
        { ...version(1, later), action: "changed" },
        { ...version(2, later), action: "deleted" },
      ],
    },
    { zone: "UTC", nowMs: SAMPLE_NOW_MS },
  );
  expect(rows.map(({ when, what }) => `${when} ${what}`)).toEqual([
    "14:22 UTC deleted by r.hale",
    "14:21 UTC changed by r.hale",
    "14:20 UTC created by r.hale",
  ]);
  expect(rows[0]?.changes).toEqual([]);
  expect(rows[1]?.changes).toEqual([
    { field: "what", before: "pull-monitor stopped", after: "stopped" },
    { field: "where", before: "1 node by name (1 node)", after: "nodes with zone=a (2 nodes)" },
  ]);
  expect(rows[2]?.changes.map(({ field, before }) => [field, before])).toEqual([
    ["when", undefined],
    ["kind", undefined],
    ["what", undefined],
    ["where", undefined],
    ["compare", undefined],
  ]);
});
