import { describe, expect, it } from "vitest";
import type { SlabCacheGrowth, SlabGrowth } from "#lib/contracts/slab.ts";
import {
  chartedCaches,
  readSlabAddress,
  slabCsv,
  slabFinding,
  slabSent,
  slabTable,
  slabWholes,
} from "./slab-model.ts";

function cache(name: string, rest: Partial<SlabCacheGrowth> = {}): SlabCacheGrowth {
  return {
    name,
    reclaimable: false,
    objSizeBytes: 256,
    objects: 1000,
    activeObjects: 900,
    sizeKib: 2048,
    verdict: "flat",
    slopeKibPerHour: 0.5,
    ci95: [-1, 2],
    pValue: 0.4,
    share: null,
    shareCi95: null,
    ...rest,
  };
}

const leaky = cache("leaky", {
  verdict: "leaking",
  slopeKibPerHour: 4096,
  ci95: [4000, 4200],
  sizeKib: 9000,
  share: 0.62,
  shareCi95: [0.6, 0.64],
});
const doubtful = cache("doubtful", { slopeKibPerHour: 9000, ci95: [-500, 18_000], verdict: "flat" });
const dentry = cache("dentry", { reclaimable: true, objects: 4000, activeObjects: 400, sizeKib: 60_000 });
const gone = cache("gone", {
  sizeKib: null,
  objects: null,
  activeObjects: null,
  verdict: "insufficient",
  slopeKibPerHour: null,
  ci95: null,
});

const growth = (...caches: SlabCacheGrowth[]): SlabGrowth => ({
  nodeId: 1,
  from: 0,
  to: 3_600_000,
  sampleAt: 3_500_000,
  points: 60,
  SUnreclaim: { slopeKibPerHour: 6600, ci95: [6000, 7200], significant: true },
  SReclaimable: { slopeKibPerHour: 10, ci95: [-30, 50], significant: false },
  unsentKib: 3276.8,
  caches,
});
const all = growth(gone, dentry, doubtful, leaky);
const unasked = readSlabAddress(() => []);

describe("the table of slab caches", () => {
  it("puts a certain small leak above a doubtful large one, and what is not known last", () => {
    const table = slabTable(all, unasked);
    expect(table.rows.map(({ name }) => name)).toEqual(["leaky", "dentry", "doubtful", "gone"]);
    expect(table.unit).toBe("MiB/h");
    expect(table.rows[0]).toMatchObject({
      growth: "4.00",
      growthInterval: "3.91–4.10",
      share: "62.0\u202f%",
      shareInterval: "60.0–64.0",
      use: "90\u202f%",
    });
  });

  it("never says 0 of a cache that the newest sample does not have", () => {
    const row = slabTable(growth(gone), unasked).rows[0];
    expect(row).toMatchObject({ size: "not sent", growth: "–", objects: "–", use: "–", share: "–" });
    expect(slabCsv(growth(gone), unasked).rows[0]?.slice(2, 6)).toEqual([null, null, null, null]);
  });

  it("tells the other names of a cache that the kernel merged", () => {
    const { rows } = slabTable(growth(leaky, dentry), unasked, [["leaky", "shared_policy_node", "pid"]]);
    expect(rows.map(({ alsoNamed }) => alsoNamed)).toEqual([["shared_policy_node", "pid"], []]);
  });

  it("narrows by name and by counter, and orders by the emptiest", () => {
    const rows = (address: Partial<typeof unasked>) =>
      slabTable(all, { ...unasked, ...address }).rows.map(({ name }) => name);
    expect(rows({ kind: "SReclaimable" })).toEqual(["dentry"]);
    expect(rows({ filter: " LEAK" })).toEqual(["leaky"]);
    expect(rows({ sort: "use" })[0]).toBe("dentry");
    expect(rows({ sort: "name" })).toEqual(["dentry", "doubtful", "gone", "leaky"]);
  });
});

describe("what is charted", () => {
  it("is what grew, filled up with the largest, until the address names caches", () => {
    expect(chartedCaches([], all)).toEqual(["leaky", "dentry", "doubtful", "gone"]);
    expect(chartedCaches(["gone"], all)).toEqual(["gone"]);
    expect(chartedCaches([], undefined)).toEqual([]);
  });

  it("is read from the address, bounded, with its wrong words told", () => {
    const faults: { name: string }[] = [];
    const many = Array.from({ length: 20 }, (_, index) => `c${index}`);
    const address = readSlabAddress(
      (name) => ({ cache: [...many, "c0"], sort: ["upside"], kind: ["SUnreclaim"] })[name] ?? [],
      faults as never,
    );
    expect(address).toMatchObject({ sort: "growth", kind: "SUnreclaim", filter: "" });
    expect(address.caches).toHaveLength(8);
    expect(faults.map(({ name }) => name)).toEqual(["sort"]);
  });
});

it("says which caches are sent, and what the others hold where that is known", () => {
  expect(slabSent(all)).toBe(
    "The 40 largest caches of each sample are sent, and those that signatures need. All others, with kmallocs too large for a cache, hold 3.20\u00a0MiB: SUnreclaim and SReclaimable less the caches here.",
  );
  expect(slabSent({ ...all, unsentKib: null })).toMatch(/signatures need\.$/);
});

describe("the finding", () => {
  it("names what leaks with its interval, and what the counters did", () => {
    expect(slabFinding(all)).toBe("1 of 4 slab caches leaks: leaky 4.00 MiB/h (95 %: 3.91–4.10).");
    expect(slabWholes(all)).toBe(
      "SUnreclaim grew 6.4 MiB/h (5.9–7.0). SReclaimable did not grow significantly, 0.01 MiB/h (−0.03 to 0.05): no shares of it.",
    );
  });

  it("tells apart that nothing leaks, that nothing can be said, and that nothing was sent", () => {
    expect(slabFinding(growth(dentry, doubtful))).toBe(
      "None of the 2 slab caches that were sent grows in this window.",
    );
    expect(slabFinding(growth({ ...leaky, verdict: "growing" }, dentry))).toBe(
      "1 of 2 slab caches grows: leaky 4.00 MiB/h (95 %: 3.91–4.10).",
    );
    expect(slabFinding(growth(gone))).toMatch(/^Too few samples/);
    expect(slabFinding(growth())).toBe("No slab caches in this window.");
  });
});
