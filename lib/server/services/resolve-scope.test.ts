import { describe, expect, it } from "vitest";
import { matchScope } from "./resolve-scope.ts";

const fleet = [
  { nodeId: 1, clusterId: 1, cluster: "east", name: "worker-1", labels: { role: "worker", zone: "a" } },
  { nodeId: 2, clusterId: 1, cluster: "east", name: "worker-2", labels: { role: "worker", zone: "b" } },
  { nodeId: 3, clusterId: 2, cluster: "west", name: "worker-1", labels: { role: "worker", zone: "a" } },
  { nodeId: 4, clusterId: 2, cluster: "west", name: 'odd","name', labels: {} },
];

describe("a scope", () => {
  it.each([
    [{}, [1, 2, 3, 4]],
    [{ cluster: "west" }, [3, 4]],
    [{ nodes: [2, { cluster: "west", name: "worker-1" }] }, [2, 3]],
    [{ nodes: [{ cluster: "west", name: 'odd","name' }] }, [4]],
    [{ labels: { role: "worker", zone: "a" } }, [1, 3]],
    [{ labels: { zone: "a" }, cluster: "east" }, [1]],
  ])("%j means %j", (scope, nodeIds) => {
    expect(matchScope(scope, fleet)).toEqual({ nodeIds, issues: [] });
  });

  it.each([
    [{ nodes: [1, 99] }, "scope.nodes.1"],
    [{ nodes: [{ cluster: "east", name: "worker-9" }] }, "scope.nodes.0"],
    [{ cluster: "north" }, "scope.cluster"],
    [{ labels: { zone: "c" } }, "scope.labels"],
    [{ nodes: [1], cluster: "west" }, "scope"],
    [{ nodes: [] }, "scope"],
  ])("%j names nothing at %s", (scope, path) => {
    expect(matchScope(scope, fleet).issues.map((each) => each.path)).toEqual([path]);
  });

  it("means nobody in an empty fleet, unless it names somebody", () => {
    expect(matchScope({}, [])).toEqual({ nodeIds: [], issues: [] });
    expect(matchScope({ nodes: [1] }, []).issues).toHaveLength(1);
  });
});
