import { describe, expect, it } from "vitest";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { attributeSentence, cohortsSentence } from "./cohort-sentence.ts";
import type { CohortNode } from "./cohorts.ts";
import { analyseCohorts, slopeShift } from "./cohorts.ts";
import { attributeOf, attributesOfEach, comparedAttributesOf } from "./node-attributes.ts";
import type { TrendVerdict } from "./vocabulary.ts";

let nextId = 0;
function node(verdict: TrendVerdict | null, attributes: Readonly<Record<string, string>>): CohortNode {
  nextId += 1;
  const slope =
    verdict === "leaking"
      ? 1000 + nextId
      : verdict === "insufficient" || verdict === null
        ? null
        : nextId % 7;
  return { nodeId: nextId, verdict, slopePerHour: slope, attributes: new Map(Object.entries(attributes)) };
}
const several = (count: number, verdict: TrendVerdict | null, attributes: Readonly<Record<string, string>>) =>
  Array.from({ length: count }, () => node(verdict, attributes));
const find = (nodes: readonly CohortNode[], attribute: string) => {
  const found = analyseCohorts(nodes).attributes.find((each) => each.attribute === attribute);
  if (found === undefined) throw new Error(`no ${attribute}`);
  return found;
};

const runc = (version: string, more: Readonly<Record<string, string>> = {}) => ({
  "version.runc": version,
  ...more,
});
const fleet = [
  ...several(14, "leaking", runc("1.0.0-rc8")),
  ...several(1, "flat", runc("1.0.0-rc8")),
  ...several(10, "flat", runc("1.0.0-rc9")),
  ...several(20, "shrinking", runc("1.0.0-rc10")),
];

describe("what separates leaking nodes", () => {
  it("names the version, how many leak of it and of all others, and by how much", () => {
    const found = find(fleet, "version.runc");
    expect(found).toMatchObject({ verdict: "separates", sameAs: [] });
    expect(attributeSentence(found)).toBe("runc 1.0.0-rc8: 14 of 15 leak; other versions: 0 of 30.");
    expect(found.standsOut?.comparison?.leaking?.difference).toBeCloseTo(14 / 15, 12);
    expect(found.standsOut?.comparison?.leaking?.ci95[0]).toBeCloseTo(0.6755021733, 9);
    expect(found.standsOut?.comparison?.slopes?.superiority.probability).toBeGreaterThan(0.9);
    const [leaky, , healthy] = found.values;
    expect(leaky && slopeShift(found, leaky)?.ci95[0]).toBeGreaterThan(900);
    expect(healthy && slopeShift(found, healthy)?.ci95[1]).toBeLessThanOrEqual(6);
    // Three versions are three divisions of the nodes: Holm multiplies the smallest p value by three.
    expect((found.pValue ?? 1) / 8.988961467585539e-11).toBeCloseTo(3, 6);
    expect(found.separation).toBeCloseTo(1 + 30 / 31 - 1, 12);
  });

  it("names the healthy value where several leak", () => {
    const nodes = [
      ...several(6, "leaking", runc("1.0.0-rc7")),
      ...several(6, "leaking", runc("1.0.0-rc8")),
      ...several(12, "flat", runc("1.0.0-rc9")),
    ];
    expect(attributeSentence(find(nodes, "version.runc"))).toBe(
      "runc 1.0.0-rc9: 0 of 12 leak; other versions: 12 of 12.",
    );
  });

  it("is not taken in by a name that every node has for itself, nor by chance", () => {
    const rng = createRng(4);
    const nodes = fleet.map((each) => ({
      ...each,
      attributes: new Map([
        ...each.attributes,
        ["label.hostname", `host-${each.nodeId}`],
        ["label.rack", `rack-${rng.integer(4)}`],
      ]),
    }));
    const { attributes } = analyseCohorts(nodes);
    expect(attributes.map(({ attribute, verdict }) => [attribute, verdict])).toEqual([
      ["version.runc", "separates"],
      ["label.rack", "no-difference"],
      ["label.hostname", "cannot-say"],
    ]);
    expect(attributes[2]).toMatchObject({ reason: "too-few", separation: undefined, pValue: undefined });
  });

  it("finds something in hardly any fleet in which nothing separates", () => {
    const rng = createRng(9);
    let wrong = 0;
    for (let run = 0; run < 300; run += 1) {
      const nodes = Array.from({ length: 40 }, () =>
        node(rng.uniform() < 0.3 ? "leaking" : "flat", {
          kernelRelease: `k${rng.integer(3)}`,
          "version.runc": `r${rng.integer(2)}`,
          "version.kubelet": `v${rng.integer(4)}`,
          "label.zone": `z${rng.integer(3)}`,
        }),
      );
      if (analyseCohorts(nodes).attributes[0]?.verdict === "separates") wrong += 1;
    }
    expect(wrong).toBeLessThanOrEqual(15);
  });
});

describe("two attributes that separate alike", () => {
  it("are named together where no node tells them apart", () => {
    const nodes = [
      ...several(8, "leaking", runc("rc8", { "version.cri-o": "1.15" })),
      ...several(9, "flat", runc("rc9", { "version.cri-o": "1.16" })),
    ];
    const found = find(nodes, "version.runc");
    expect(found.sameAs).toEqual(["version.cri-o"]);
    expect(attributeSentence(found)).toContain("Confounded: cri-o separates them as well");
    // They divide the nodes in one way, which is one comparison: nothing is multiplied.
    expect(found.pValue).toBeCloseTo(1 / 24_310, 12);
  });

  it("are one comparison, whatever nodes that cannot be judged report", () => {
    const nodes = [
      ...several(8, "leaking", runc("rc8", { "version.cri-o": "1.15" })),
      ...several(9, "flat", runc("rc9", { "version.cri-o": "1.16" })),
    ];
    const mixed = [
      ...several(1, "insufficient", runc("rc8", { "version.cri-o": "1.16", kernelRelease: "5.4" })),
      ...several(1, null, runc("rc9", { "version.cri-o": "1.15", kernelRelease: "6.1" })),
    ];
    const found = find([...nodes, ...mixed], "version.runc");
    expect(found).toMatchObject({ verdict: "separates", pValue: find(nodes, "version.runc").pValue });
    expect(found.standsOut?.comparison?.slopes?.pValue).toBe(
      find(nodes, "version.runc").standsOut?.comparison?.slopes?.pValue,
    );
  });

  it("are told apart by nodes that have the one and not the other", () => {
    const nodes = [
      ...several(8, "leaking", runc("rc8", { "version.cri-o": "1.15" })),
      ...several(6, "leaking", runc("rc8", { "version.cri-o": "1.16" })),
      ...several(16, "flat", runc("rc9", { "version.cri-o": "1.16" })),
    ];
    const { attributes } = analyseCohorts(nodes);
    expect(attributes[0]).toMatchObject({ attribute: "version.runc", sameAs: [] });
  });
});

it("says labels and values from nodes so that none turns the sentence around", () => {
  const key = "label.\u202ezone";
  const nodes = [
    ...several(14, "leaking", { [key]: "\u202e<b>a</b>" }),
    ...several(20, "flat", { [key]: "\u05d0" }),
  ];
  const sentence = attributeSentence(find(nodes, key));
  expect(sentence).toMatch(/^[^\u202e]*zone <b>a<\/b>: 14 of 14 leak; other [^\u202e]*: 0 of 20\.$/);
  const same = [...several(4, "leaking", { [key]: "\u05d0" }), ...several(4, "flat", { [key]: "\u05d0" })];
  expect(attributeSentence(find(same, key))).toMatch(/has \u2068\u05d0\u2069\.$/);
});

describe("what cannot be said", () => {
  it("where all nodes share a value, none leaks, all leak, or a value has too few", () => {
    const same = [...several(4, "leaking", runc("rc8")), ...several(4, "flat", runc("rc8"))];
    expect(find(same, "version.runc")).toMatchObject({ verdict: "cannot-say", reason: "one-value" });
    expect(attributeSentence(find(same, "version.runc"))).toBe(
      "Cannot say whether runc matters: every node that reports it has rc8.",
    );
    expect(find(several(5, "flat", runc("rc8")), "version.runc").reason).toBe("none-leaks");
    expect(find(several(5, "leaking", runc("rc8")), "version.runc").reason).toBe("all-leak");
    const few = [...several(2, "leaking", runc("rc8")), ...several(9, "flat", runc("rc9"))];
    expect(find(few, "version.runc").reason).toBe("too-few");
    expect(cohortsSentence(analyseCohorts(few))).toContain("2 leak and 9 are healthy, too few");
    expect(analyseCohorts([])).toMatchObject({ attributes: [], counts: { nodes: 0 } });
    expect(cohortsSentence(analyseCohorts([]))).toBe("No node has reported yet.");
  });

  it("a node without enough data or without certainty is counted, and never as healthy", () => {
    const nodes = [
      ...fleet,
      ...several(3, "insufficient", runc("1.0.0-rc8")),
      ...several(2, null, runc("1.0.0-rc9")),
      ...several(4, "growing", runc("1.0.0-rc9")),
      ...several(1, "flat", {}),
    ];
    const found = find(nodes, "version.runc");
    expect(found.values.map(({ value, counts }) => [value, counts])).toEqual([
      ["1.0.0-rc8", { nodes: 18, leaking: 14, healthy: 1, undecided: 0, unknown: 3 }],
      ["1.0.0-rc10", { nodes: 20, leaking: 0, healthy: 20, undecided: 0, unknown: 0 }],
      ["1.0.0-rc9", { nodes: 16, leaking: 0, healthy: 10, undecided: 4, unknown: 2 }],
      [null, { nodes: 1, leaking: 0, healthy: 1, undecided: 0, unknown: 0 }],
    ]);
    expect(attributeSentence(found)).toBe("runc 1.0.0-rc8: 14 of 15 leak; other versions: 0 of 30.");
    expect(found.values.at(-1)?.comparison).toBeUndefined();
    expect(cohortsSentence(analyseCohorts(nodes))).toContain(
      "4 nodes are growing, stepped or levelling off and 5 nodes cannot be judged yet; they count on neither side.",
    );
  });
});

it("keeps attributes of any name apart", () => {
  const attributes = comparedAttributesOf({
    cluster: "east",
    kernelRelease: "5.14",
    cgroupMode: null,
    versions: { zone: "1", ["__proto__"]: "2" },
    labels: { zone: "a", constructor: "b" },
  });
  expect([...attributes]).toEqual([
    ["cluster", "east"],
    ["kernelRelease", "5.14"],
    ["version.zone", "1"],
    ["version.__proto__", "2"],
    ["label.zone", "a"],
    ["label.constructor", "b"],
  ]);
});

it("compares by no label that says where numbers come from, which is a label all the same", () => {
  const labels = { simulated: "2026-03-01T00:00:00.000Z", role: "worker" };
  const node = { cluster: "east", kernelRelease: "5.14", cgroupMode: null, versions: {}, labels };
  expect([...(attributesOfEach([node]).get(node)?.keys() ?? [])]).toEqual([
    "cluster",
    "kernelRelease",
    "label.role",
  ]);
  expect(attributeOf(node, "label.simulated")).toBe(labels.simulated);
});

it("takes a module as not loaded only where modules are known", () => {
  const node = (taintedModules?: string[]) => ({
    cluster: "east",
    kernelRelease: "5.14",
    cgroupMode: null,
    versions: {},
    labels: {},
    ...(taintedModules && { details: { taintedModules } }),
  });
  const nodes = [node(["zfs"]), node([]), node()] as const;
  expect(nodes.map((each) => attributeOf(each, "module.zfs"))).toEqual(["loaded", "not loaded", undefined]);
  expect(nodes.map((each) => attributeOf(each, "label.zone"))).toEqual([undefined, undefined, undefined]);
  const each = attributesOfEach(nodes);
  expect(nodes.map((one) => each.get(one)?.get("module.zfs"))).toEqual(["loaded", "not loaded", undefined]);
  expect(each.get(nodes[1])?.get("kernelRelease")).toBe("5.14");
});
