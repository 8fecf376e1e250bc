import { describe, expect, it } from "vitest";
import { fleetBlindness, sourceRows, sourcesFinding } from "./sources-model.ts";

const nowMs = Date.UTC(2026, 2, 3, 12);
const node = {
  nodeId: 1,
  name: "sighted",
  cluster: "east",
  sources: {
    meminfo: { status: "ok" as const, readMs: 0.05, since: nowMs - 3_600_000 },
    "cgroups-created": { status: "absent" as const },
    slabinfo: { status: "denied" as const, detail: "EACCES", since: nowMs - 7_200_000 },
  },
  blindSources: ["slabinfo"],
  labels: {},
};

describe("sources of a node", () => {
  it("put what it is blind to first, with since when, and how to allow it", () => {
    const rows = sourceRows(node, { zone: "UTC", nowMs });
    expect(rows.map(({ name, blind }) => [name, blind])).toEqual([
      ["slabinfo", true],
      ["cgroups-created", false],
      ["meminfo", false],
    ]);
    expect(rows[0]).toMatchObject({ since: "10:00 UTC, 2 h", detail: "EACCES", readTime: "–" });
    expect(rows[0]?.advice?.allow).toContain("uid 0");
    expect(rows[1]?.since).toBe("not known");
    expect(rows[2]).toMatchObject({ readTime: "0.05 ms", advice: undefined });
  });

  it("are summed up in a sentence that never says all is well of what is not told", () => {
    expect(sourcesFinding(node)).toBe("The collector is blind to 1 of 3 sources: slabinfo.");
    expect(sourcesFinding({ sources: {}, blindSources: [], labels: {} })).toMatch(/does not say/);
    expect(sourcesFinding({ ...node, blindSources: [] })).toMatch(/blind to none/);
  });
});

it("speaks of Prometheus where no collector runs", () => {
  const told = {
    ...node,
    labels: { imported: "prometheus" },
    sources: { node_exporter: { status: "ok" as const }, slabinfo: { status: "absent" as const } },
    blindSources: [],
  };
  expect(sourcesFinding(told)).toBe("What is known of this node came by Prometheus, without slabinfo.");
  const [row] = sourceRows(told, { zone: "UTC", nowMs });
  expect(row?.advice?.allow).toContain("--collector.slabinfo");
});

describe("blindness over the fleet", () => {
  it("groups nodes by what they do not see, the commonest first", () => {
    const other = {
      ...node,
      nodeId: 2,
      name: "other",
      sources: { ...node.sources, kmsg: { status: "denied" as const } },
      blindSources: ["kmsg", "slabinfo"],
    };
    const found = fleetBlindness([node, other], nowMs);
    expect(found.map(({ name, status, nodes }) => [name, status, nodes.map((each) => each.name)])).toEqual([
      ["slabinfo", "denied", ["east/sighted", "east/other"]],
      ["kmsg", "denied", ["east/other"]],
    ]);
  });
});
