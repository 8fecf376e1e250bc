import { describe, expect, test } from "vitest";
import type { FindingWithHistory, SignatureCount } from "#lib/contracts/finding.ts";
import {
  countText,
  explainedText,
  findingBadge,
  findingVerdict,
  fleetFindingsHead,
  historyLines,
  nodeFindingsHead,
  readText,
  sourceAddress,
  standingText,
} from "./finding-model.ts";

const NOW = Date.parse("2026-03-10T12:00:00Z");
const HOUR = 3_600_000;
const view = { zone: "UTC", nowMs: NOW };

const finding: FindingWithHistory = {
  ...{ findingId: 1, nodeId: 7, cluster: "athena", node: "w02", simulated: false },
  ...{ signature: "S01", severity: "warning", certainty: "firm", state: "new" },
  ...{ stateAt: NOW - 2 * HOUR, firstSeenAt: NOW - 2 * HOUR, lastSeenAt: NOW, score: 0.9 },
  ...{ name: "Exit files pin dead memory cgroups", kind: "leak", what: "What happens." },
  ...{ explainedKib: 45 * 1024 * 1024, explainedShare: 0.989 },
  ...{ evidence: [], counterEvidence: [], missing: [], confirm: { command: "ls", reading: "Many." } },
  ...{ mitigate: "Delete.", fix: "Upgrade.", affectedVersions: "All.", sources: [] },
  history: [
    { at: NOW - 2 * HOUR, by: "worker", became: "new", note: null },
    { at: NOW - HOUR, by: "r.hale", became: "acknowledged", note: "Looking." },
  ],
};

test("how sure it is, that it is over, and that it is no leak are one word each", () => {
  expect(
    [
      finding,
      { ...finding, certainty: "suspected" as const },
      { ...finding, state: "resolved" as const },
      { ...finding, severity: "info" as const },
    ].map((each) => findingVerdict(each).word),
  ).toEqual(["firm", "suspected", "resolved", "no leak"]);
});

test("since when it stands as it does", () => {
  expect(standingText(finding, view)).toBe("first seen 10:00 UTC");
  expect(standingText({ ...finding, state: "returned", stateAt: NOW - HOUR }, view)).toBe(
    "first seen 10:00 UTC, returned 11:00 UTC",
  );
  expect(standingText({ ...finding, state: "resolved" }, view)).toBe(
    "first seen 10:00 UTC, last 12:00 UTC, resolved 10:00 UTC",
  );
});

test("an amount that is not known is not told", () => {
  expect(explainedText(finding)).toMatch(/^accounts for 45\.0\sGiB, 99\s% of what grew$/);
  expect(explainedText({ explainedKib: 2048, explainedShare: null })).toMatch(/^accounts for 2\.00\sMiB$/);
  expect(explainedText({ explainedKib: null, explainedShare: null })).toBeUndefined();
});

describe("the heads", () => {
  test("of a node say what is surest, what is suspected, or that nothing was found", () => {
    const head = (findings: FindingWithHistory[], computedAt: number | null = NOW) =>
      nodeFindingsHead({ computedAt, findings });
    expect(head([finding, { ...finding, signature: "S02" }])).toBe(
      "Exit files pin dead memory cgroups, and 1 more to tell it from.",
    );
    expect(head([{ ...finding, certainty: "suspected" }])).toBe(
      "Suspected: Exit files pin dead memory cgroups.",
    );
    const none = "No known leak was found in the history of this node.";
    expect(head([{ ...finding, state: "resolved" }])).toBe(none);
    expect(head([{ ...finding, severity: "info" }])).toBe(none);
    expect(head([], null)).toBe("The history of this node has not been read yet.");
  });

  test("of the fleet name the leak that fits best on most nodes", () => {
    const count: SignatureCount = {
      signature: "S01",
      name: "Exit files",
      kind: "leak",
      severity: "warning",
      nodes: 3,
      firm: 2,
      first: 2,
      states: { new: 1, acknowledged: 1, resolved: 0, returned: 1 },
    };
    expect(fleetFindingsHead([count])).toBe("One known leak on 3 nodes: Exit files.");
    expect(fleetFindingsHead([count, { ...count, signature: "S02" }])).toBe(
      "2 known leaks fit; on 2 nodes the likeliest is: Exit files.",
    );
    expect(fleetFindingsHead([{ ...count, severity: "info" }])).toBe("No known leak was found on any node.");
    expect(countText(count)).toBe("3 nodes, 2 firm, likeliest on 2; 1 acknowledged; 1 returned");
  });
});

test("which stretch was read", () => {
  expect(readText({ computedAt: NOW, from: NOW - 168 * HOUR, to: NOW }, view)).toContain(
    "From the last 7 d of its newest boot, read 12:00 UTC.",
  );
  expect(readText({ computedAt: null, from: null, to: null }, view)).toContain("within minutes");
});

test("a history reads from its end, with notes", () => {
  expect(historyLines(finding, view)).toEqual([
    "11:00 UTC: acknowledged by r.hale: Looking.",
    "10:00 UTC: found by worker",
  ]);
});

test("only what names a repository and a number is a link", () => {
  expect(sourceAddress("cri-o/cri-o#2854")).toBe("https://github.com/cri-o/cri-o/issues/2854");
  expect(sourceAddress("linux-mm msg174254")).toBeUndefined();
});

test("a fleet row tells the best, how many more, and all by name", () => {
  const brief = { signature: "S01", name: "Exit files", certainty: "firm", state: "new" } as const;
  expect(findingBadge([])).toBeUndefined();
  expect(
    findingBadge([brief, { ...brief, signature: "S02", name: "Page cache", certainty: "suspected" }]),
  ).toEqual({ text: "S01 +1", title: "Exit files (firm, new); Page cache (suspected, new)", firm: true });
  expect(findingBadge([{ ...brief, signature: "unknown" }])?.text).toBe("unnamed leak");
});
