import { describe, expect, test } from "vitest";
import { SAMPLE_NOW_MS, sampleNode, sampleTrend } from "../../scripts/testing/chart-samples.ts";
import {
  FLEET_METRICS,
  FLEET_SORTS,
  fleetAddressFaults,
  fleetAnswer,
  fleetRow,
  fleetShown,
  filterFleet,
  sortFleet,
} from "./fleet-model.ts";

const row = (change: Parameters<typeof sampleNode>[0]) => fleetRow(sampleNode(change), SAMPLE_NOW_MS);
const slow = row({
  nodeId: 1,
  name: "eu1-gpu1",
  trend: sampleTrend({ slopePerHour: 2.1 * 1024, ci95: [1.2 * 1024, 3 * 1024] }),
});
const fast = row({ nodeId: 2, name: "alumina" });
const flat = row({
  nodeId: 3,
  name: "ceria",
  trend: sampleTrend({ verdict: "flat", slopePerHour: 2048, ci95: [-4096, 8192] }),
});
const young = row({ nodeId: 4, name: "periclase", trend: null, silent: true });
const justStarted = row({ nodeId: 6, name: "halite", trend: null });
const dying = row({
  nodeId: 5,
  name: "eu1-w03",
  cgroups: { count: 61_000, live: 1212, dying: 59_788, idsHeld: 61_000, idLimit: 65_535 },
  trend: sampleTrend({
    slopePerHour: 96 * 1024,
    ci95: [88 * 1024, 104 * 1024],
    exhaustion: {
      what: "memory-cgroup ids",
      at: SAMPLE_NOW_MS + 14 * 3_600_000,
      ci95: [SAMPLE_NOW_MS + 13 * 3_600_000, SAMPLE_NOW_MS + 15 * 3_600_000],
    },
  }),
});
const all = [flat, slow, young, fast, dying];
const names = (rows: readonly { name: string }[]) => rows.map((each) => each.name);

describe("sortFleet", () => {
  test("by urgency: what runs out first, then leaks by the lower end of the interval", () => {
    expect(names(sortFleet(all, { sort: "urgency", descending: false }))).toEqual([
      "eu1-w03",
      "alumina",
      "eu1-gpu1",
      "periclase",
      "ceria",
    ]);
  });

  test("unknown values come last in either direction", () => {
    for (const descending of [true, false])
      expect(sortFleet(all, { sort: "growth", descending }).at(-1)?.name).toBe("periclase");
  });

  test("every head sorts without losing a node, the same way twice", () => {
    for (const sort of FLEET_SORTS) {
      const sorted = sortFleet(all, { sort, descending: true });
      expect(names(sorted).toSorted()).toEqual(names(all).toSorted());
      expect(names(sortFleet(all.toReversed(), { sort, descending: true }))).toEqual(names(sorted));
    }
  });
});

test("a step up is growth that is not certain, a step down is none", () => {
  const stepped = (slopePerHour: number) =>
    row({
      trend: sampleTrend({ verdict: "stepped", slopePerHour, ci95: [slopePerHour - 9, slopePerHour + 9] }),
    });
  expect([stepped(2048).group, stepped(-2048).group]).toEqual(["growing", "calm"]);
});

test("the filter wants every word, wherever it stands", () => {
  expect(names(filterFleet(all, "4.19 flat"))).toEqual(["ceria"]);
  expect(filterFleet(all, "  ")).toHaveLength(5);
  expect(filterFleet(all, "constructor")).toHaveLength(0);
});

describe("fleetAnswer", () => {
  test("names what ends first and the worst leak with its interval", () => {
    expect(fleetAnswer(all)?.sentence).toBe(
      "eu1-w03 runs out of memory-cgroup ids in 14 h (13–15 h). 3 of 5 nodes leak; alumina grows fastest, 312 MiB/h (95\u00a0%: 298–327).",
    );
    expect(fleetAnswer(all)?.below).toContain("1 node is silent");
  });

  test("says that it is too early, that none leaks, and nothing about no nodes", () => {
    expect(fleetAnswer([justStarted])?.sentence).toBe(
      "1 node reports; it is too early to say whether it leaks.",
    );
    expect(fleetAnswer([flat])?.sentence).toBe("ceria does not leak kernel memory.");
    expect(fleetAnswer([flat, young])?.sentence).toBe(
      "Of 2 nodes, 1 can be judged: none leaks kernel memory.",
    );
    expect(fleetAnswer([])).toBeUndefined();
  });

  test("says that nodes grow before it says that none leaks", () => {
    const growing = row({ nodeId: 7, name: "galena", trend: sampleTrend({ verdict: "growing" }) });
    expect(fleetAnswer([growing])?.sentence).toBe(
      "galena grows; it is not yet certain that it leaks kernel memory.",
    );
    expect(fleetAnswer([growing, flat, justStarted])).toMatchObject({
      sentence: "1 of 3 nodes grows; it is not yet certain that any leaks.",
      below: "1 node cannot be judged yet.",
    });
    expect(fleetAnswer([growing, fast])?.below).toContain("1 node grows, not yet certain");
  });
});

test("a silent node is never said to report", () => {
  expect(fleetAnswer([young])).toMatchObject({
    sentence: "The only node is silent, and sent too little to say whether it leaks.",
    below: "",
  });
  expect(fleetAnswer([young, justStarted])).toMatchObject({
    sentence: "Of 2 nodes 1 reports and 1 is silent; it is too early to say whether any leaks.",
    below: "",
  });
  expect(fleetAnswer([{ ...flat, silent: true }])?.sentence).toBe(
    "ceria is silent; it did not leak kernel memory when last heard.",
  );
  expect(fleetAnswer([flat, young])?.below).toContain("1 node is silent");
});

test("the id bar counts dying cgroups only where they hold ids", () => {
  expect(fast.cgroups).toMatchObject({ holdsIds: false, dyingShare: 0, dying: "226,869" });
  expect(dying.cgroups).toMatchObject({ holdsIds: true, near: true });
  expect(
    row({ cgroups: { count: null, live: null, dying: null, idsHeld: null, idLimit: 65_535 } }).cgroups,
  ).toMatchObject({ known: false, live: "not read", dying: "not read" });
});

test("cgroups that the kernel merely counts are not called live", () => {
  const counted = { count: 223, live: null, dying: null, idsHeld: null, idLimit: 65_535 as const };
  expect(row({ cgroups: counted }).cgroups).toMatchObject({
    known: true,
    live: "not read",
    counted: 223,
    liveShare: 0,
    countedShare: 0,
  });
  expect(row({ cgroups: { ...counted, idsHeld: 223 } }).cgroups).toMatchObject({
    liveShare: 0,
    countedShare: 223 / 65_535,
  });
  expect(row({ cgroups: { ...counted, dying: 200 } }).cgroups).toMatchObject({
    live: "23",
    dying: "200",
    counted: undefined,
  });
});

test("a row of the fleet stays small enough to send a thousand", () => {
  expect(JSON.stringify(fast).length).toBeLessThan(2200);
});

test("head and groups count alike: what is silent and was calm cannot be judged", () => {
  const silentFlat = (nodeId: number) => ({
    ...flat,
    ...{ nodeId, silent: true, group: "unknown" as const },
  });
  expect(fleetAnswer([silentFlat(1), silentFlat(2), justStarted])).toMatchObject({
    sentence:
      "Of 3 nodes, none can be judged to leak kernel memory or not: 2 are silent and did not when last heard, 1 sent too little.",
    below: "",
  });
  expect(fleetAnswer([silentFlat(1), silentFlat(2)])?.sentence).toBe(
    "Of 2 nodes, none can be judged to leak kernel memory or not: all are silent and did not when last heard.",
  );
  const rows = [silentFlat(1), flat, justStarted];
  const answer = fleetAnswer(rows);
  const calm = rows.filter(({ group }) => group === "calm").length;
  expect(answer?.sentence).toBe(`Of 3 nodes, ${calm} can be judged: none leaks kernel memory.`);
  expect(answer?.below).toContain("2 nodes cannot be judged; 1 node is silent");
});

test("what an address says wrongly is told", () => {
  const faults = (address: Record<string, string>) => fleetAddressFaults((name) => address[name]);
  expect(faults({ metric: "band.percpu", window: "7d", sort: "left", order: "asc", q: "x" })).toEqual([]);
  expect(faults({ metric: "nope", window: "99" })).toMatchObject([
    { name: "metric", given: "nope" },
    { name: "window", given: "99", message: "expected 6h, 24h, 7d" },
  ]);
});

describe("other trends", () => {
  const cgroups = fleetShown({ metric: "cgroup.memory.dying", window: "7d" });

  test("are chosen by the address, and what it says wrongly is as usual", () => {
    expect(cgroups).toMatchObject({ metric: { unit: "an hour" }, window: "7d" });
    for (const address of [{}, { metric: "slab", window: "9d" }, { metric: ["a"], window: undefined }])
      expect(fleetShown(address)).toEqual({ metric: FLEET_METRICS[0], window: "24h" });
  });

  test("are counted an hour, and named in the answer", () => {
    const counted = row({
      name: "halite",
      trend: sampleTrend({ unit: "count", slopePerHour: 120, ci95: [110, 130], exhaustion: null }),
    });
    expect(counted.growthRate).toEqual([120, 110, 130]);
    const answer = fleetAnswer([counted, flat], cgroups);
    expect(answer?.sentence).toContain("halite grows 120 an hour");
    expect(answer?.below).toContain("Judged by memory cgroups, dying over 7\u00a0d");
    expect(fleetAnswer([flat], cgroups)?.sentence).toBe(
      "ceria does not have ever more dying memory cgroups.",
    );
  });

  test("the time left is of what runs out first; a silent node is not drained", () => {
    const end = (what: string, hours: number) => ({
      what,
      at: SAMPLE_NOW_MS + hours * 3_600_000,
      ci95: [SAMPLE_NOW_MS + hours * 3_000_000, null] as [number, null],
    });
    const timeLeft = [end("inodes of /run", 9), end("memory", 30)];
    const both = row({ nodeId: 8, name: "halite", timeLeft });
    expect(both.left).toMatchObject({ text: "9 h", what: "inodes of /run", interval: "8 h or more" });
    expect(both.left?.all).toContain("; memory: 1 d 6 h (");
    expect(both.group).toBe("now");
    const silent = row({ nodeId: 9, name: "gone", timeLeft, silent: true });
    expect(fleetAnswer([both, silent])?.first.map(({ name }) => name)).toEqual(["halite"]);
  });
});
