import { describe, expect, it } from "vitest";
import { nodeOfAddress } from "./grafana-address.ts";

const nodes = [
  { nodeId: 7, name: "athena-1" },
  { nodeId: 8, name: "athena-2" },
];
const read = (query: string) => nodeOfAddress((name) => new URLSearchParams(query).getAll(name), nodes);

describe("an address with Grafana's var-node", () => {
  it("leads to the node, with its range", () => {
    expect(read("var-node=athena-2")).toEqual({ path: "/nodes/8" });
    expect(read("orgId=1&from=now-6h&to=now&timezone=browser&var-node=athena-1&refresh=1m")).toEqual({
      path: "/nodes/7?from=now-6h&to=now&timezone=browser",
    });
  });

  it("leads nowhere without a node, with several, and with all", () => {
    for (const query of ["", "from=now-6h", "var-node=athena-1&var-node=athena-2", "var-node=$__all"])
      expect(read(query)).toBeUndefined();
  });

  it("says which node there is not", () => {
    expect(read("var-node=nobody")).toEqual({
      fault: { name: "var-node", given: "nobody", message: "expected the name of a node" },
    });
  });
});
