import { describe, expect, it } from "vitest";
import { snapshotSchema } from "./schema.ts";

const least = {
  schemaVersion: 1,
  node: "n1",
  at: "2026-01-02T03:04:05.678Z",
  bootId: "b",
  uptimeSeconds: 1.5,
  kernelRelease: "6.1.0",
  cpus: 2,
  meminfo: { MemTotal: 1024, HugePages_Total: 0 },
};

describe("snapshotSchema", () => {
  it("accepts the least snapshot and reads both forms of time", () => {
    expect(snapshotSchema.parse(least).at).toBe(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
    expect(snapshotSchema.parse({ ...least, at: 1000 }).at).toBe(1000);
  });

  it("keeps unknown kernel counters and unknown sections", () => {
    const parsed = snapshotSchema.parse({
      ...least,
      meminfo: { ...least.meminfo, NewCounter: 7 },
      gpu: { a: 1 },
    });
    expect(parsed.meminfo.NewCounter).toBe(7);
    expect(parsed.gpu).toEqual({ a: 1 });
  });

  it.each([
    [{ ...least, meminfo: { MemTotal: "1024" } }, ["meminfo", "MemTotal"]],
    [{ ...least, meminfo: { MemTotal: 1.5 } }, ["meminfo", "MemTotal"]],
    [{ ...least, meminfo: { MemTotal: { toString: null, constructor: 1 } } }, ["meminfo", "MemTotal"]],
    [{ ...least, meminfo: { ...least.meminfo, SUnreclaim: -1 } }, ["meminfo", "SUnreclaim"]],
    [{ ...least, vmstat: { nr_slab_unreclaimable: -1 } }, ["vmstat", "nr_slab_unreclaimable"]],
    [{ ...least, meminfo: {} }, ["meminfo", "MemTotal"]],
    [{ ...least, meminfo: null }, ["meminfo"]],
    [{ ...least, node: "a\u0000b" }, ["node"]],
    [{ ...least, node: "\ud800" }, ["node"]],
    [{ ...least, at: "2026-01-02 03:04" }, ["at"]],
    [{ ...least, at: "0000-01-01T00:00:00Z" }, ["at"]],
    [{ ...least, at: 253_402_300_800_000 }, ["at"]],
    [{ ...least, labels: JSON.parse('{"a":"b","__proto__":"x"}') as object }, ["labels", "__proto__"]],
    [{ ...least, versions: JSON.parse('{"__proto__":"x"}') as object }, ["versions", "__proto__"]],
    [{ ...least, versions: { runc: "" } }, ["versions", "runc"]],
    [{ ...least, labels: { ["k".repeat(201)]: "x" } }, ["labels", "k".repeat(40)]],
    [{ ...least, cgroups: { lives: 3 } }, ["cgroups"]],
    [
      { ...least, slab: [{ name: "x", activeObjs: -1, numObjs: 1, objSizeBytes: 8, sizeKib: 4 }] },
      ["slab", 0, "activeObjs"],
    ],
  ])("names the field that is wrong (%#)", (input, path) => {
    const result = snapshotSchema.safeParse(input);
    expect(result.success).toBe(false);
    expect(result.error?.issues[0]?.path).toEqual(path);
  });
});
