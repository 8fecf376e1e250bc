import { expect, test } from "vitest";
import type { Correlation } from "#lib/contracts/correlation.ts";
import { SAMPLE_NOW_MS } from "../../scripts/testing/chart-samples.ts";
import { correlationLack, correlationModel, correlationTable, driverChoices } from "./correlation-model.ts";
import { toCsv } from "#lib/contracts/csv.ts";

const HOUR_MS = 3_600_000;
const view = { zone: "UTC", nowMs: SAMPLE_NOW_MS };

const ANSWER: Correlation = {
  driver: "containers.started",
  metric: "total.kernelUnreclaimable",
  unit: "KiB",
  from: SAMPLE_NOW_MS - 24 * HOUR_MS,
  to: SAMPLE_NOW_MS,
  verdict: "leaves-behind",
  obstacle: null,
  text: "Growth goes with container creation.",
  kibPerContainer: 74.87,
  ci95: [73.12, 76.61],
  kibPerLiveContainer: { value: 412, ci95: [-30, 854] },
  backgroundKibPerHour: { value: 512, ci95: [-2048, 3072] },
  containersPerHour: 2518.4,
  pearson: 0.9938,
  spearman: 0.871,
  bestLag: { ms: 300_000, coefficient: 0.4, from: 300_000, to: 300_000 },
  n: 288,
  method: "regression",
  windowMs: HOUR_MS,
  points: [
    [4260, 320_000, SAMPLE_NOW_MS - 2 * HOUR_MS],
    [41, -1024, SAMPLE_NOW_MS - HOUR_MS],
  ],
  backedBy: null,
  line: {
    points: [
      [41, 3000, 500, 5500],
      [4260, 319_000, 312_000, 326_000],
    ],
  },
};

test("the number stands with its interval and unit, the others beside it", () => {
  const model = correlationModel(ANSWER, view);
  expect(model.headline).toEqual({ value: "74.9", interval: "73.1–76.6", unit: "KiB", leads: true });
  const unrelated = correlationModel({ ...ANSWER, verdict: "unrelated" }, view);
  expect(unrelated.headline).toMatchObject({ value: "74.9", leads: false });
  expect(model.verdict).toEqual({ word: "leaves memory behind", tone: "leaking" });
  expect(Object.fromEntries(model.facts.map(({ label, value }) => [label, value]))).toEqual({
    "held by a container alive": "400 KiB (−30 to 900)",
    "growth beside": "0.5 MiB/h (−2.0 to 3.0)",
    "containers created": "2,518 an hour, over 24 h",
    "Pearson, Spearman": "0.99, 0.87",
    "lag of growth": "5 min after creation",
  });
  expect(model.points[0]?.label).toContain("4,260 containers/h, 312.5 MiB/h");
});

test("files of a directory are called files, and can be chosen beside containers", () => {
  const driver = "watch./run/crio/exits.files";
  const model = correlationModel({ ...ANSWER, driver }, view);
  expect(model.each).toBe("for each file");
  expect(model.rateAxis.unit).toBe("files/h");
  expect(model.note).toContain("against files added in /run/crio/exits");
  expect(model.facts.map(({ label }) => label)).toContain("files added");
  const ofCreator = "containers.created.default/web-*";
  expect(driverChoices(["/run/crio/exits"], ofCreator)).toEqual([
    ["containers.started", "all containers"],
    [driver, "files in /run/crio/exits"],
    [ofCreator, "containers of one creator"],
  ]);
  expect(driverChoices([], "containers.started")).toHaveLength(1);
});

test("both axes hold every point and every end of the line, and the zero", () => {
  const { rateAxis, growthAxis } = correlationModel(ANSWER, view);
  expect(rateAxis.low).toBe(0);
  expect(rateAxis.high).toBeGreaterThanOrEqual(4260);
  expect(growthAxis.low).toBeLessThan(-1024);
  expect(growthAxis.high).toBeGreaterThan(320_000);
  expect(growthAxis.unit).toBe("MiB");
});

test("what cannot be said is no number", () => {
  const model = correlationModel(
    {
      ...ANSWER,
      verdict: "cannot-separate",
      obstacle: "live-unknown",
      kibPerContainer: null,
      ci95: null,
      kibPerLiveContainer: null,
      backgroundKibPerHour: null,
      pearson: null,
      bestLag: null,
      line: null,
    },
    view,
  );
  expect(model.headline).toBeUndefined();
  expect(model.line).toEqual([]);
  expect(model.facts.map(({ value }) => value)).toEqual([
    "cannot say",
    "cannot say",
    "2,518 an hour, over 24 h",
    "–, 0.87",
    "none better than another",
  ]);
  expect(JSON.stringify(model)).not.toContain("NaN");
});

test("an answer without windows has axes nevertheless", () => {
  const model = correlationModel(
    { ...ANSWER, verdict: "insufficient", points: [], line: null, windowMs: null },
    view,
  );
  expect(model.note).toBe("");
  expect(Number.isFinite(model.growthAxis.high) && Number.isFinite(model.rateAxis.high)).toBe(true);
});

test("the scatter is a table too", () => {
  const table = correlationTable(ANSWER);
  expect(table.columns).toEqual(["time", "containers/h", "growth KiB/h"]);
  expect(toCsv(table).split("\r\n")[2]).toMatch(/^2026-12-03T13:20:00.*,41,-1024$/);
});

test("an empty window is told from a node that counts no containers, and both from too little", () => {
  const lack = (missing: string[], driver = "containers.started") =>
    correlationLack({ ...ANSWER, verdict: "insufficient", driver, missing });
  expect(lack([ANSWER.metric, "containers.started", "containers.live"])).toBe("nothing");
  expect(lack(["containers.started", "containers.live"])).toBe("uncounted");
  expect(lack(["watch./run/none.files"], "watch./run/none.files")).toBe("driver");
  expect(lack(["containers.live"])).toBe("little");
});
