import { expect, test } from "vitest";
import type { Experiment, FollowUp } from "#lib/contracts/experiment.ts";
import { sampleEffect, SAMPLE_NOW_MS } from "../../scripts/testing/chart-samples.ts";
import { effectHref, experimentRows, followedDeeds, horizonCells, standingText } from "./experiment-model.ts";

const HOUR_MS = 3_600_000;
const at = SAMPLE_NOW_MS - 10 * HOUR_MS;
const view = { zone: "UTC", nowMs: SAMPLE_NOW_MS };

function found(change: Partial<FollowUp> = {}, effect: Parameters<typeof sampleEffect>[0] = {}): FollowUp {
  const { nodeId: _, ...rest } = sampleEffect(effect);
  return {
    followUpId: 1,
    nodeId: 7,
    metric: rest.metric,
    horizon: "1h",
    dueAt: at + HOUR_MS,
    computedAt: at + HOUR_MS,
    checkedAt: at + HOUR_MS,
    supersededAt: null,
    treatedNodeIds: [7],
    controlNodeIds: [],
    dataHash: "00",
    effect: rest,
    ...change,
  };
}

function experiment(change: Partial<Experiment> = {}): Experiment {
  return {
    annotationId: 1,
    at,
    endsAt: null,
    kind: "intervention",
    title: "pull-monitor stopped",
    text: null,
    author: "r.hale",
    treated: [{ nodeId: 7, cluster: "athena", name: "magnesia", simulated: true }],
    treatedCount: 1,
    controls: "auto",
    controlNodes: [],
    status: "following",
    statusAt: at,
    returnedAt: null,
    metrics: ["total.kernelUnreclaimable"],
    nextLookAt: SAMPLE_NOW_MS + HOUR_MS,
    followUps: [found()],
    ...change,
  };
}

test("cells say what was found, what is due, and what the next mark ended", () => {
  const cells = (change: Partial<Experiment>) =>
    horizonCells(experiment(change), view).map(({ label, short, href }) => [
      label,
      short,
      href !== undefined,
    ]);
  expect(cells({})).toEqual([
    ["1 h", "stopped", true],
    ["6 h", "due", false],
    ["24 h", "due", false],
    ["7 d", "due", false],
  ]);
  expect(cells({ status: "settled" })[1]).toEqual(["6 h", "–", false]);
  const restart = found({}, { slopeVerdict: "unchanged", levelVerdict: "none" });
  expect(cells({ followUps: [restart] })[0]).toEqual(["1 h", "no effect", true]);
  const removal = found({}, { slopeVerdict: "inconclusive", levelVerdict: "freed" });
  expect(cells({ followUps: [removal] })[0]).toEqual(["1 h", "freed", true]);
});

test("a cell tells its windows, its points and its controls, and leads to them", () => {
  const [cell] = horizonCells(experiment(), view);
  expect(cell?.lines[0]).toBe(found().effect.text);
  expect(cell?.lines[1]).toMatch(/^before: .* \(72 points\); after: .* \(72 points\); UTC$/);
  expect(cell?.href).toBe(`/nodes/7?from=${at - 6 * HOUR_MS}&to=${at + 6 * HOUR_MS}`);
  expect(
    effectHref(7, {
      at,
      before: { ...found().effect.before, from: at },
      after: { ...found().effect.after, to: at },
    }),
  ).toBe(`/nodes/7?from=${at - HOUR_MS}&to=${at + HOUR_MS}`);
});

test("several treated nodes stand in the log as one, each on its own page by itself", () => {
  const followUps = [
    found({ followUpId: 1, nodeId: 7 }, { slopeVerdict: "stopped" }),
    found({ followUpId: 2, nodeId: 8 }, { slopeVerdict: "faster" }),
    found(
      { followUpId: 3, nodeId: null, treatedNodeIds: [7, 8] },
      { slopeVerdict: "inconclusive", text: "On 2 nodes." },
    ),
    found({ followUpId: 4, nodeId: null, supersededAt: at + 2 * HOUR_MS }, { slopeVerdict: "slowed" }),
  ];
  const both = experiment({ followUps });
  const [row] = experimentRows([both], view);
  expect(row?.cells[0]?.short).toBe("unclear");
  expect(row?.sentence).toBe("On 2 nodes.");
  expect(row?.look).toMatch(/^Look after (1 h|6 h|24 h|7 d), computed .* UTC and kept$/);
  expect(row?.href).toMatch(/^\/nodes\/7\?/);
  expect(followedDeeds([both], 8, view).get(1)?.cells[0]?.short).toBe("faster");
});

test("the standing says what is to come, and since when growth is back", () => {
  const standing = (change: Partial<Experiment>) => {
    const { word, note } = standingText(experiment(change), view);
    return `${word} ${note}`.trim();
  };
  expect(standing({})).toMatch(/^following next look .* UTC$/);
  expect(standing({ at: SAMPLE_NOW_MS + HOUR_MS })).toMatch(/^following begins /);
  expect(standing({ nextLookAt: at })).toBe("following being looked at");
  expect(standing({ status: "settled" })).toBe("settled");
  expect(standing({ status: "returned", returnedAt: at })).toMatch(/^growth returned since about .* UTC$/);
  expect(standing({ status: "cannot-say" })).toBe("cannot say the data allow no verdict");
});

test("what is compared is named, or said to be nothing", () => {
  const controls = (change: Partial<Experiment>) => experimentRows([experiment(change)], view)[0]?.controls;
  expect(controls({ controls: "none" })).toBe("no comparison");
  expect(controls({})).toBe("no node left alone");
  const controlNodes = ["a", "b", "c", "d"].map((name, index) => ({
    nodeId: 20 + index,
    cluster: "athena",
    name,
    simulated: false,
  }));
  expect(controls({ controlNodes })).toBe("against a, b, c, 1 more");
  expect(
    experimentRows([experiment({ followUps: [], treated: [], treatedCount: 0 })], view)[0]?.href,
  ).toBeUndefined();
});
