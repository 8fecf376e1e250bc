import { describe, expect, test } from "vitest";
import type { HistoryImport } from "#lib/contracts/history-import.ts";
import { importItem } from "./import-model.ts";

const nowMs = Date.parse("2026-12-03T14:20:00Z");
const DAY = 86_400_000;

const counts = {
  nodes: 3,
  names: ["a", "b"],
  snapshots: 1440,
  rolledUp: 20_000,
  duplicates: 0,
  ownCollector: 0,
  tooOld: 0,
  incomplete: {},
};
const found = (change: Partial<HistoryImport> = {}): HistoryImport => ({
  importId: 4,
  url: "http://prometheus:9090",
  cluster: "prod",
  from: nowMs - 4 * DAY,
  to: nowMs,
  match: ['job="node"'],
  nodeLabel: null,
  stepSeconds: null,
  createdAt: nowMs,
  createdBy: "local",
  runner: "worker",
  status: "running",
  statusAt: nowMs,
  cursorAt: nowMs - DAY,
  doneShare: 0.75,
  counts,
  error: null,
  ...change,
});
const NODES = [
  { nodeId: 7, cluster: "prod", name: "a" },
  { nodeId: 8, cluster: "other", name: "a" },
  { nodeId: 9, cluster: "prod", name: "b" },
];
const item = (change: Partial<HistoryImport> = {}) => importItem(found(change), NODES, nowMs);

describe("an import in the list", () => {
  test("says how far it is and what it stored, and leads to its own nodes over its window", () => {
    const shown = item();
    expect(shown.doneText).toBe("75\u202f%, up to Wed 2 Dec 14:20 UTC");
    expect(shown.stored).toBe("3 nodes: 1,440 snapshots, 20,000 more in roll-ups");
    const window = `from=${nowMs - 4 * DAY}&to=${nowMs}`;
    expect(shown.nodes).toEqual([
      { name: "a", href: `/nodes/7?${window}` },
      { name: "b", href: `/nodes/9?${window}` },
    ]);
    expect(shown.others?.text).toBe("and 1 more: all of prod");
    expect(item({ counts: { ...counts, nodes: 2 } }).others).toBeUndefined();
  });

  test("never says that all is done before it is", () => {
    expect(item({ doneShare: 0.9999 }).doneText).toContain("99\u202f%");
    expect(item({ status: "done", doneShare: 1 }).doneText).toBe("all of the window");
  });

  test("claims nothing while nothing is stored", () => {
    const none = { ...counts, nodes: 0, names: [], snapshots: 0, rolledUp: 0 };
    const begun = { counts: none, cursorAt: nowMs - 4 * DAY, doneShare: 0 };
    expect(item(begun)).toMatchObject({ stored: undefined, doneText: "asking which nodes there are" });
    expect(item({ ...begun, status: "queued" }).doneText).toBe("nothing stored yet");
    expect(item({ status: "done", doneShare: 1, counts: none }).stored).toBe("Nothing was stored.");
  });

  test.each([
    ["queued", true, false],
    ["running", true, false],
    ["paused", false, true],
    ["failed", false, true],
    ["cancelled", false, true],
    ["done", false, false],
  ] as const)("%s: may be cancelled %s, resumed %s", (status, mayCancel, mayResume) => {
    expect(item({ status })).toMatchObject({ mayCancel, mayResume, isLive: mayCancel });
  });
});
