import { describe, expect, test } from "vitest";
import type { CohortComparison } from "#lib/contracts/cohort.ts";
import {
  cohortModel,
  cohortPath,
  cohortWindowOf,
  DEFAULT_COHORT_ADDRESS,
  fleetPathOf,
  pValueText,
  readCohortAddress,
  zoomedCohortWindow,
} from "./cohort-model.ts";

const counts = { nodes: 5, leaking: 2, healthy: 2, undecided: 0, unknown: 1 };
const summary = {
  attribute: "version.runc",
  label: "runc",
  verdict: "separates",
  text: "runc rc8: 2 of 2 leak; other versions: 0 of 2.",
  separation: 0.934,
  pValue: 0.0004,
  sameAs: [],
} as const;
const node = (nodeId: number, mib: number | null, verdict: "leaking" | "flat" | null) => ({
  nodeId,
  name: `node-${nodeId}`,
  cluster: "east",
  verdict,
  slopePerHour: mib === null ? null : mib * 1024,
});
const data: CohortComparison = {
  metric: "total.kernelUnreclaimable",
  label: "unreclaimable kernel memory",
  unit: "KiB",
  window: "24h",
  cluster: null,
  computedAt: Date.parse("2026-03-01T12:00:00Z"),
  counts,
  simulated: 0,
  text: summary.text,
  attributes: [{ ...summary, sameAs: [], values: 2 }],
  selected: {
    ...summary,
    sameAs: [],
    values: [
      {
        value: "rc8",
        counts: { nodes: 2, leaking: 2, healthy: 0, undecided: 0, unknown: 0 },
        leaking: { difference: 1, ci95: [0.3, 1], pValue: 0.0004 },
        slopes: {
          superiority: 1,
          superiorityCi95: [0.6, 1],
          shiftPerHour: 312 * 1024,
          shiftCi95: [298 * 1024, 327 * 1024],
          pValue: 0.03,
        },
        quartilesPerHour: [300 * 1024, 310 * 1024, 320 * 1024],
        nodes: [node(1, 300, "leaking"), node(2, 300.1, "leaking")],
      },
      {
        value: null,
        counts: { nodes: 3, leaking: 0, healthy: 2, undecided: 0, unknown: 1 },
        leaking: null,
        slopes: null,
        quartilesPerHour: null,
        nodes: [node(3, 0, "flat"), node(4, -1, "flat"), node(5, null, null)],
      },
    ],
  },
};

describe("cohortModel", () => {
  const model = cohortModel(data, DEFAULT_COHORT_ADDRESS);

  test("prints effects with their intervals and corrected p values", () => {
    const [leaky, rest] = model.chosen?.rows ?? [];
    expect(leaky).toMatchObject({
      leaking: "2 of 2",
      aside: "",
      median: "310",
      difference: { value: "+100", interval: "30–100", pValue: "<\u00a00.001" },
      shift: { value: "+312", interval: "298–327", pValue: "0.030" },
      superiority: { value: "1.00", interval: "0.60–1.00" },
    });
    expect(rest).toMatchObject({
      label: "not reported",
      aside: "1 cannot say yet",
      difference: undefined,
      box: undefined,
    });
    expect(model.attributes[0]).toMatchObject({ separation: "0.93", chosen: true, values: "2" });
    expect(model.below).toBe(
      "unreclaimable kernel memory over 24\u00a0h; trends of Sun 1 Mar 2026 12:00:00 UTC",
    );
  });

  test("says of what foretells nothing that it does not", () => {
    const [first] = data.attributes;
    if (first === undefined) throw new Error("no attribute");
    const none = { ...data, attributes: [{ ...first, separation: -1 }] };
    expect(cohortModel(none, DEFAULT_COHORT_ADDRESS).attributes[0]?.separation).toBe("none");
  });

  test("draws a dot for every node that has a slope, none on another", () => {
    const dots = model.chosen?.rows.flatMap((row) => row.dots) ?? [];
    expect(dots.map(({ nodeId, kind }) => [nodeId, kind])).toEqual([
      [1, "leaking"],
      [2, "leaking"],
      [4, "healthy"],
      [3, "healthy"],
    ]);
    expect(dots[0]?.offPx).not.toBe(dots[1]?.offPx);
    for (const { at } of dots) {
      expect(at).toBeGreaterThanOrEqual(0);
      expect(at).toBeLessThanOrEqual(1);
    }
    expect(dots[0]?.title).toBe("node-1: 300 MiB/h, leaking");
  });

  test("gives the same numbers as a table, absent ones empty", () => {
    expect(model.chosen?.table.rows[0]?.slice(0, 8)).toEqual(["rc8", 2, 2, 0, 0, 0, 310, 1]);
    expect(model.chosen?.table.rows[1]?.slice(6)).toEqual(new Array(12).fill(null));
  });
});

test("an address holds the view and nothing that is as by default", () => {
  expect(cohortPath(DEFAULT_COHORT_ADDRESS)).toBe("/cohorts");
  const address = { attribute: "label.a/b c", metric: "band.percpu", window: "7d", cluster: "x&y" };
  const path = cohortPath(address);
  const read = new URL(path, "http://localhost").searchParams;
  expect(readCohortAddress((name) => read.get(name) ?? undefined)).toEqual(address);
  expect(fleetPathOf("version.runc", "1.0.0-rc8")).toBe("/?attribute=version.runc&value=1.0.0-rc8");
  expect(fleetPathOf("version.runc", null)).toBe("/?attribute=version.runc");
});

test("p values print no more than they say", () => {
  expect([0, 0.0009, 0.0123, 0.5, 1].map(pValueText)).toEqual([
    "<\u00a00.001",
    "<\u00a00.001",
    "0.012",
    "0.500",
    "1",
  ]);
});

test("the window of trends is zoomed to the next one, and is the nearest to a range", () => {
  expect(["6h", "24h", "7d"].map((window) => zoomedCohortWindow(window, 2))).toEqual(["24h", "7d", "7d"]);
  expect(["6h", "24h", "7d"].map((window) => zoomedCohortWindow(window, 0.5))).toEqual(["6h", "6h", "24h"]);
  const nearest = (hours: number) => cohortWindowOf({ fromMs: 0, toMs: hours * 3_600_000 });
  expect([1, 6, 10, 20, 48, 100, 5000].map(nearest)).toEqual(["6h", "6h", "6h", "24h", "24h", "7d", "7d"]);
});

test("says that numbers are made up, of all nodes or of some", () => {
  const below = (simulated: number) => cohortModel({ ...data, simulated }, DEFAULT_COHORT_ADDRESS).below;
  expect(below(0)).not.toContain("simulated");
  expect(below(5)).toMatch(/; all nodes are simulated$/);
  expect(below(2)).toMatch(/; 2 of 5 nodes are simulated$/);
});
